/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.protocol.gather.GatherPortions;
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
  private final long mostBytes;
  private final long untilMs;
  private final List<Result> all = new ArrayList<>();
  private final List<GatherPortions.Portion> ranges = new ArrayList<>();
  private long bytes;

  /**
   * No rows.
   *
   * @param untilMs when the last range may be begun, in HBase's clock
   */
  RangeRows(long mostBytes, long untilMs) {
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
  public void add(List<Result> portion, boolean ended) {
    all.addAll(portion);
    ranges.add(new GatherPortions.Portion(portion.size(), ended));
    for (Result row : portion) {
      bytes += TopRows.size(row);
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public List<Result> answer(byte[] row) {
    List<Result> answer = new ArrayList<>(1 + all.size());
    answer.add(AnswerRows.head(row, new GatherPortions(ranges).toBytes()));
    answer.addAll(all);
    return answer;
  }
}
