/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.faults;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** Makes one region server answer late, whatever it is asked. */
public final class SlowServer implements RegionCoprocessor, RegionObserver {
  private static final long DELAY_NANOS = 400_000_000;

  private static volatile ServerName slow;

  /** From now on this one, or none for null. */
  static void slowDown(ServerName server) {
    slow = server;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static void delay(ObserverContext<RegionCoprocessorEnvironment> context) {
    if (context.getEnvironment().getServerName().equals(slow)) {
      LockSupport.parkNanos(DELAY_NANOS);
    }
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    delay(context);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch) {
    delay(context);
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean more) {
    delay(context);
    return more;
  }
}
