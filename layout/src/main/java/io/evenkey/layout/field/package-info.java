/**
 * Fields: the typed values of a logical key.
 *
 * <p>A {@link io.evenkey.layout.field.FieldType} turns a value into bytes whose order is the order
 * of the values, and back. A {@link io.evenkey.layout.field.Field} is a named type with a
 * direction. A {@link io.evenkey.layout.field.FieldCodec} is a field in its place in a key, which
 * decides how its end is found again.
 *
 * <p>A new type is one file here and one line in {@link io.evenkey.layout.field.FieldTypes}.
 */
@NullMarked
package io.evenkey.layout.field;

import org.jspecify.annotations.NullMarked;
