/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/** Counts what the servers do for scans, and holds up or fails those of one bucket. */
public final class Watched implements RegionCoprocessor, RegionObserver {
  static final int NO_BUCKET = -1;

  private static final Map<Integer, AtomicLong> SENT = new ConcurrentHashMap<>();
  // By table: a scanner of an earlier test may stay open until its lease ends.
  private static final Map<String, AtomicInteger> OPEN = new ConcurrentHashMap<>();
  private static final AtomicInteger FAILED = new AtomicInteger();
  private static volatile int heldUp = NO_BUCKET;
  private static volatile int failing = NO_BUCKET;
  private static volatile CountDownLatch gate = new CountDownLatch(0);

  /** Forgets everything. */
  static void reset() {
    letGo();
    SENT.clear();
    OPEN.clear();
    FAILED.set(0);
    failing = NO_BUCKET;
  }

  /** Holds up the scans of a bucket until {@link #letGo}. */
  static void holdUp(int bucket) {
    gate = new CountDownLatch(1);
    heldUp = bucket;
  }

  static void letGo() {
    heldUp = NO_BUCKET;
    gate.countDown();
  }

  static void fail(int bucket) {
    failing = bucket;
  }

  /** Rows sent of a bucket. */
  static long sent(int bucket) {
    AtomicLong sent = SENT.get(bucket);
    return sent == null ? 0 : sent.get();
  }

  static long sent() {
    return SENT.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** Scanners that servers have open. */
  static int open() {
    return OPEN.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  /** The number of requests that have failed. */
  static int failed() {
    return FAILED.get();
  }

  private static String table(ObserverContext<RegionCoprocessorEnvironment> context) {
    return context.getEnvironment().getRegionInfo().getTable().getNameAsString();
  }

  private static int bucket(ObserverContext<RegionCoprocessorEnvironment> context) {
    byte[] start = context.getEnvironment().getRegionInfo().getStartKey();
    return start.length == 0 ? 0 : start[0] & 0xff;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    OPEN.computeIfAbsent(table(context), table -> new AtomicInteger()).incrementAndGet();
    return scanner;
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    AtomicInteger open = OPEN.get(table(context));
    if (open != null) {
      open.decrementAndGet();
    }
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean more)
      throws IOException {
    if (bucket(context) == failing) {
      FAILED.incrementAndGet();
      throw new DoNotRetryIOException("broken for the test");
    }
    if (bucket(context) == heldUp) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    return more;
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean more) {
    SENT.computeIfAbsent(bucket(context), bucket -> new AtomicLong()).addAndGet(results.size());
    return more;
  }
}
