/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.trace.OperationSpan;
import java.io.IOException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * A short scan that the client merges, since no region server gathers: of the ranges that begin
 * first, and of the others only if these have too few rows. Not thread-safe.
 */
final class PartedScan implements TimedScanner {
  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final ScanRanges ranges;
  private final GatherOrder order;
  private final OperationSpan span;
  private TimedScanner part;
  private boolean isRest;
  private long returned;

  /**
   * Starts the scans of the ranges that begin first.
   *
   * @param span of the whole scan; ends with it
   */
  PartedScan(
      AsyncTable<AdvancedScanResultConsumer> table,
      ScanRanges ranges,
      GatherOrder order,
      OperationSpan span) {
    this.table = table;
    this.ranges = ranges;
    this.order = order;
    this.span = span;
    this.part = Gather.merged(table, ranges.known(), order, span.part(), Gathering.GRADUALLY);
  }

  @Override
  public @Nullable Result next() throws IOException {
    Result row = part.next();
    while (row == null && !isRest && returned < order.mostRows()) {
      isRest = true;
      part.close();
      part = Gather.of(table, ranges.rest(order), order.after(returned), span.part());
      row = part.next();
    }
    if (row == null) {
      close();
    } else {
      returned++;
    }
    return row;
  }

  @Override
  public void boundFirst(Time time) {
    part.boundFirst(time);
  }

  @Override
  public void close() {
    isRest = true;
    part.close();
    span.end();
  }

  @Override
  public boolean renewLease() {
    return part.renewLease();
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return part.getScanMetrics();
  }
}
