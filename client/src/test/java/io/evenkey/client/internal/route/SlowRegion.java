/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * A region coprocessor that answers late, or not at all, that can refuse requests as a migration
 * does, and that notes how much time the client has given each request.
 */
public final class SlowRegion implements RegionCoprocessor, RegionObserver {
  /** How late an answer is at least. */
  static final int DELAY_MS = 100;

  private static final List<Long> GIVEN_MS = new ArrayList<>();
  private static boolean slow;
  private static int refusals;
  private static final Map<String, Integer> REFUSED_SCANS = new HashMap<>();
  private static int refusedOfEach;
  private static CountDownLatch held = new CountDownLatch(0);

  /** For HBase, which makes one for each region. */
  public SlowRegion() {}

  /** From now on answers are late, the first ones refusals. */
  static synchronized void begin(int refused) {
    slow = true;
    refusals = refused;
    GIVEN_MS.clear();
  }

  /**
   * From now on scans are not answered.
   *
   * @param refused so many times, those of the same {@link Scan#getId} are refused before
   */
  static synchronized void holdScans(int refused) {
    REFUSED_SCANS.clear();
    refusedOfEach = refused;
    held = new CountDownLatch(1);
  }

  /** The time in milliseconds that each request was given since then; answers are quick again. */
  static synchronized List<Long> end() {
    slow = false;
    refusals = 0;
    held.countDown();
    return List.copyOf(GIVEN_MS);
  }

  private static synchronized CountDownLatch scanned(Scan scan) throws IOException {
    if (RpcServer.getCurrentCall().isEmpty()) {
      return new CountDownLatch(0);
    }
    String id = scan.getId() == null ? "" : scan.getId();
    if (held.getCount() > 0 && REFUSED_SCANS.merge(id, 1, Integer::sum) <= refusedOfEach) {
      throw refusal();
    }
    return held;
  }

  private static IOException refusal() {
    return new DoNotRetryIOException("refused for the test " + Refusal.FENCED.mark());
  }

  private static synchronized void answer() throws IOException {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (!slow || call == null) {
      return;
    }
    GIVEN_MS.add(call.getDeadline() - call.getReceiveTime());
    try {
      TimeUnit.MILLISECONDS.sleep(DELAY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (refusals > 0) {
      refusals--;
      throw refusal();
    }
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    try {
      scanned(scan).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> results)
      throws IOException {
    answer();
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    answer();
  }
}
