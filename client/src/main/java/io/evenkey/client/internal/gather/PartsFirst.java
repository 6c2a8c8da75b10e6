/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * A short scan that the client merges, since no region server gathers: of the ranges that begin
 * first, and of the others only if these have too few rows.
 */
final class PartsFirst implements ScanStrategy {
  private final ScanContext context;
  private final ScanRanges ranges;
  private final GatherOrder order;
  private volatile ScanStrategy part;
  private volatile boolean awaited;
  private boolean isRest;
  private long returned;

  PartsFirst(ScanContext context, ScanRanges ranges, GatherOrder order) {
    this.context = context;
    this.ranges = ranges;
    this.order = order;
    this.part = new Merge(context, ranges.known(), order, Gathering.GRADUALLY);
  }

  @Override
  public void start() {
    part.start();
  }

  @Override
  public @Nullable Result next() throws IOException {
    Result row = part.next();
    if (row == null && part.isEnded() && !isEnded()) {
      ScanRanges left = ranges.rest(order);
      part.close();
      ScanStrategy others = ScanStrategy.of(context, left, order.after(returned));
      isRest = true;
      part = others;
      others.awaits(awaited);
      others.start();
      row = others.next();
    }
    returned += row == null ? 0 : 1;
    return row;
  }

  @Override
  public boolean isEnded() {
    return part.isEnded() && (isRest || returned >= order.mostRows());
  }

  @Override
  public boolean await(TimedScanner.@Nullable Time time) throws IOException {
    return part.await(time);
  }

  @Override
  public @Nullable Throwable survived() {
    return part.survived();
  }

  @Override
  public @Nullable Merge merge() {
    return part.merge();
  }

  @Override
  public void awaits(boolean isAwaited) {
    awaited = isAwaited;
    part.awaits(isAwaited);
  }

  @Override
  public void end() {
    isRest = true;
    part.end();
  }

  @Override
  public void close() {
    isRest = true;
    part.close();
  }
}
