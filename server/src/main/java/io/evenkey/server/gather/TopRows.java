/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The first rows, in logical order, of those that were offered: at most a number of rows, and of
 * bytes unless the first row alone has more. Not thread-safe.
 */
final class TopRows {
  private static final class Row {
    final byte[] key;
    final Result result;
    final long bytes;

    Row(byte[] key, Result result, long bytes) {
      this.key = key;
      this.result = result;
      this.bytes = bytes;
    }
  }

  private final int keyOffset;
  private final Comparator<byte[]> order;
  private final int mostRows;
  private final long mostBytes;
  private final PriorityQueue<Row> rows;
  private long bytes;

  /** The first key that has no room any more; null while there is room for all. */
  private byte @Nullable [] end;

  TopRows(int keyOffset, boolean reversed, int mostRows, long mostBytes) {
    this.keyOffset = keyOffset;
    this.order = reversed ? (a, b) -> Arrays.compareUnsigned(b, a) : Arrays::compareUnsigned;
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
    this.rows = new PriorityQueue<>((a, b) -> order.compare(b.key, a.key));
  }

  /** The logical key of a row. */
  byte[] key(byte[] row) {
    return row.length <= keyOffset ? new byte[0] : Arrays.copyOfRange(row, keyOffset, row.length);
  }

  /** Whether a row of this key, and so any that follow it in its range, may have room. */
  boolean wants(byte[] key) {
    return end == null || order.compare(key, end) < 0;
  }

  void offer(byte[] key, Result row) {
    if (!wants(key)) {
      return;
    }
    long size = size(row);
    rows.add(new Row(key, row, size));
    bytes += size;
    while (rows.size() > mostRows || (bytes > mostBytes && rows.size() > 1)) {
      Row last = rows.remove();
      bytes -= last.bytes;
      end = last.key;
    }
    Row last = rows.peek();
    if (last != null && rows.size() == mostRows) {
      end = last.key;
    }
  }

  private static long size(Result row) {
    long size = 0;
    for (Cell cell : row.rawCells()) {
      size += cell.heapSize();
    }
    return size;
  }

  /** Whether rows had no room. */
  boolean isCut() {
    return end != null;
  }

  /** The rows in their order. */
  List<Result> sorted() {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort((a, b) -> order.compare(a.key, b.key));
    List<Result> results = new ArrayList<>(sorted.size());
    for (Row row : sorted) {
      results.add(row.result);
    }
    return results;
  }

  /** The key of the last row; null if there is none. */
  byte @Nullable [] last() {
    Row last = rows.peek();
    return last == null ? null : last.key;
  }
}
