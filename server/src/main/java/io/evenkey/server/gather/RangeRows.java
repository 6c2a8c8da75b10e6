/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.layout.bytes.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The first rows of each range, in the order of the ranges. Ranges for which there is no room or no
 * time have none: the client reads them from their beginning. So a row that is read is always sent.
 * Not thread-safe.
 */
final class RangeRows implements AnswerRows {
  private static final ByteString BEGINNING = ByteString.of(new byte[0]);

  private final int keyOffset;
  private final long mostBytes;
  private final long untilMs;
  private final List<List<Result>> ranges = new ArrayList<>();
  private final List<Boolean> ended = new ArrayList<>();
  private long bytes;

  /**
   * No rows.
   *
   * @param untilMs when the last range may be begun, in HBase's clock
   */
  RangeRows(int keyOffset, long mostBytes, long untilMs) {
    this.keyOffset = keyOffset;
    this.mostBytes = mostBytes;
    this.untilMs = untilMs;
  }

  @Override
  public boolean wants(Cell cell) {
    return true;
  }

  @Override
  public boolean isFull() {
    return bytes >= mostBytes || EnvironmentEdgeManager.currentTime() >= untilMs;
  }

  @Override
  public void add(List<Result> portion, boolean isEnded) {
    ranges.add(portion);
    ended.add(isEnded);
    for (Result row : portion) {
      bytes += TopRows.size(row);
    }
  }

  @Override
  public List<Result> answer(byte[] row) {
    List<Result> all = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      List<Result> rows = ranges.get(i);
      all.add(AnswerRows.head(row, rows.size(), ended.get(i) ? null : last(rows)));
      all.addAll(rows);
    }
    return all;
  }

  private ByteString last(List<Result> rows) {
    return rows.isEmpty() ? BEGINNING : AnswerRows.key(rows.get(rows.size() - 1), keyOffset);
  }
}
