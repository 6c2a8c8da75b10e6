/**
 * Types of values in cells. Commands read and write cells as text; a {@link
 * io.evenkey.client.cell.CellColumn} says which {@link io.evenkey.client.cell.CellType} a column
 * has.
 */
@NullMarked
package io.evenkey.client.cell;

import org.jspecify.annotations.NullMarked;
