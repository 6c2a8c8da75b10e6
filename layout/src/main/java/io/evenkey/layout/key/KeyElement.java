/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.field.FieldCodec;
import org.jspecify.annotations.Nullable;

/**
 * A field or literal in its place in a key; exactly one of codec and literal is there.
 *
 * @param part the part of the key
 * @param codec the encoding of the field
 * @param literal the literal's bytes
 * @param field the field's position among the fields, or -1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this package
record KeyElement(Part part, @Nullable FieldCodec codec, byte @Nullable [] literal, int field) {
  static KeyElement of(Part.Literal part) {
    return new KeyElement(part, null, part.bytes(), -1);
  }

  static KeyElement of(Part.Value part, FieldCodec codec, int field) {
    return new KeyElement(part, codec, null, field);
  }

  /** Bytes it always takes, or {@link io.evenkey.layout.field.FieldType#VARIABLE}. */
  int width() {
    if (literal != null) {
      return literal.length;
    }
    return codec == null ? 0 : codec.width();
  }
}
