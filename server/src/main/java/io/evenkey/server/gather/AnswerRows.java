/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.gather.GatherAttributes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;

/** The rows of an answer, added range by range while they are read. Not thread-safe. */
sealed interface AnswerRows permits TopRows, RangeRows {
  /** The family and the qualifier of a head. */
  byte[] ANSWER = GatherAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  /** Whether the row of a cell, and so any that follow it in its range, may have room. */
  boolean wants(Cell cell);

  /** Whether no row of any further range has room. */
  boolean isFull();

  /**
   * Adds rows of a range.
   *
   * @param ended whether these are all that the range has, or that are wanted of it
   */
  void add(List<Result> portion, boolean ended);

  /** The bytes of the cells of all rows that are sent. */
  long bytes();

  /**
   * All rows as they are sent, behind a head.
   *
   * @param row under which the head is sent
   */
  List<Result> answer(byte[] row);

  /** The head of an answer. */
  static Result head(byte[] row, byte[] head) {
    return Result.create(List.<Cell>of(new KeyValue(row, ANSWER, ANSWER, head)));
  }

  /** The logical key of a row. */
  static ByteString key(Result row, int keyOffset) {
    byte[] physical = CellUtil.cloneRow(row.rawCells()[0]);
    return ByteString.of(
        Arrays.copyOfRange(physical, Math.min(keyOffset, physical.length), physical.length));
  }
}
