/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A cell seen under another row: everything but the row is the wrapped cell's own, which is never
 * such a view itself. A view, never a copy; as mutable as the wrapped cell. This is how a cell read
 * from a spread table shows its logical key (the same array, from a later offset) and how a written
 * one gets its physical row.
 */
@SuppressWarnings("deprecation") // HBase deprecates for applications what every cell must have
final class RowCell implements ExtendedCell {
  /** Object header, three references or ints, rounded up to a multiple of eight. */
  private static final int SHALLOW_HEAP = 32;

  private final ExtendedCell cell;
  private final byte[] row;
  private final int rowOffset;
  private final short rowLength;

  RowCell(Cell cell, byte[] row, int rowOffset, int rowLength) {
    // Every cell of HBase's own is one; Cell by itself no longer shows sequence ids and tags.
    // A view of a view would grow with each repetition of a write that is refused.
    this.cell = cell instanceof RowCell view ? view.cell : (ExtendedCell) cell;
    this.row = row;
    this.rowOffset = rowOffset;
    this.rowLength = (short) rowLength;
  }

  @Override
  public byte[] getRowArray() {
    return row;
  }

  @Override
  public int getRowOffset() {
    return rowOffset;
  }

  @Override
  public short getRowLength() {
    return rowLength;
  }

  @Override
  public byte[] getFamilyArray() {
    return cell.getFamilyArray();
  }

  @Override
  public int getFamilyOffset() {
    return cell.getFamilyOffset();
  }

  @Override
  public byte getFamilyLength() {
    return cell.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    return cell.getQualifierArray();
  }

  @Override
  public int getQualifierOffset() {
    return cell.getQualifierOffset();
  }

  @Override
  public int getQualifierLength() {
    return cell.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    return cell.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    return cell.getTypeByte();
  }

  @Override
  public Type getType() {
    return cell.getType();
  }

  @Override
  public byte[] getValueArray() {
    return cell.getValueArray();
  }

  @Override
  public int getValueOffset() {
    return cell.getValueOffset();
  }

  @Override
  public int getValueLength() {
    return cell.getValueLength();
  }

  @Override
  public long getSequenceId() {
    return cell.getSequenceId();
  }

  @Override
  public byte[] getTagsArray() {
    return cell.getTagsArray();
  }

  @Override
  public int getTagsOffset() {
    return cell.getTagsOffset();
  }

  @Override
  public int getTagsLength() {
    return cell.getTagsLength();
  }

  @Override
  public void setSequenceId(long sequenceId) throws IOException {
    cell.setSequenceId(sequenceId);
  }

  @Override
  public void setTimestamp(long timestamp) throws IOException {
    cell.setTimestamp(timestamp);
  }

  @Override
  public void setTimestamp(byte[] timestamp) throws IOException {
    cell.setTimestamp(timestamp);
  }

  @Override
  public long heapSize() {
    return SHALLOW_HEAP + cell.heapSize();
  }

  /** As HBase's cells: equal to every cell with the same row, column, time and type. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cell same && CellUtil.equals(this, same);
  }

  /** As {@link org.apache.hadoop.hbase.KeyValue}'s, so that equal cells have equal ones. */
  @Override
  public int hashCode() {
    int hash = Bytes.hashCode(row, rowOffset, rowLength);
    hash = 31 * hash + Bytes.hashCode(getFamilyArray(), getFamilyOffset(), getFamilyLength());
    hash =
        31 * hash + Bytes.hashCode(getQualifierArray(), getQualifierOffset(), getQualifierLength());
    hash = 31 * hash + (int) getTimestamp();
    return 31 * hash + getTypeByte();
  }

  @Override
  public String toString() {
    return CellUtil.toString(this, false);
  }
}
