/**
 * What is in cells, for those who read and write them as text: {@link
 * io.evenkey.client.cell.CellType} is a type of value, {@link io.evenkey.client.cell.CellColumn} a
 * column of one.
 */
@NullMarked
package io.evenkey.client.cell;

import org.jspecify.annotations.NullMarked;
