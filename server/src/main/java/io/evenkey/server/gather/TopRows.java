/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.gather.GatherAnswer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The first rows, in logical order, of those that were offered: at most a number of rows, and of
 * bytes unless the first row alone has more. Keeps rows as they come while there is room for all; a
 * heap of them says which one goes when there is not. Not thread-safe.
 */
final class TopRows implements AnswerRows {
  private final int keyOffset;
  private final boolean reversed;
  private final int mostRows;
  private final long mostBytes;
  private final List<Result> rows = new ArrayList<>();
  private long bytes;

  /** The rows, the last one first; null while there is room for more. */
  private @Nullable PriorityQueue<Result> full;

  /** A cell of the first row that has no room any more; null while there is room for all. */
  private @Nullable Cell end;

  TopRows(int keyOffset, boolean reversed, int mostRows, long mostBytes) {
    this.keyOffset = keyOffset;
    this.reversed = reversed;
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
  }

  private int compare(Cell a, Cell b) {
    int ascending =
        Arrays.compareUnsigned(
            a.getRowArray(),
            a.getRowOffset() + Math.min(keyOffset, a.getRowLength()),
            a.getRowOffset() + a.getRowLength(),
            b.getRowArray(),
            b.getRowOffset() + Math.min(keyOffset, b.getRowLength()),
            b.getRowOffset() + b.getRowLength());
    return reversed ? -ascending : ascending;
  }

  private int compare(Result a, Result b) {
    return compare(a.rawCells()[0], b.rawCells()[0]);
  }

  @Override
  public boolean wants(Cell cell) {
    return end == null || compare(cell, end) < 0;
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void add(List<Result> portion, boolean ended) {
    portion.forEach(this::offer);
  }

  private void offer(Result row) {
    if (!wants(row.rawCells()[0])) {
      return;
    }
    bytes += size(row);
    if (full != null) {
      full.add(row);
      makeRoom(full);
      return;
    }
    rows.add(row);
    if (rows.size() >= mostRows || (bytes > mostBytes && rows.size() > 1)) {
      PriorityQueue<Result> all = new PriorityQueue<>(rows.size(), (a, b) -> compare(b, a));
      all.addAll(rows);
      rows.clear();
      full = all;
      makeRoom(all);
    }
  }

  private void makeRoom(PriorityQueue<Result> all) {
    while (all.size() > mostRows || (bytes > mostBytes && all.size() > 1)) {
      Result last = all.remove();
      bytes -= size(last);
      end = last.rawCells()[0];
    }
    Result last = all.peek();
    if (last != null && all.size() == mostRows) {
      end = last.rawCells()[0];
    }
  }

  static long size(Result row) {
    long size = 0;
    for (Cell cell : row.rawCells()) {
      size += cell.heapSize();
    }
    return size;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public List<Result> answer(byte[] row) {
    List<Result> sorted = full == null ? rows : new ArrayList<>(full);
    sorted.sort(this::compare);
    ByteString upTo = end == null ? null : AnswerRows.key(sorted.get(sorted.size() - 1), keyOffset);
    List<Result> all = new ArrayList<>(sorted.size() + 1);
    all.add(AnswerRows.head(row, new GatherAnswer(sorted.size(), upTo).toBytes()));
    all.addAll(sorted);
    return all;
  }
}
