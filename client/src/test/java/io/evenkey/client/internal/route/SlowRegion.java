/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.layout.guard.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * A region coprocessor that answers late, that can refuse requests as a migration does, and that
 * notes how much time the client has given each request.
 */
public final class SlowRegion implements RegionCoprocessor, RegionObserver {
  /** How late an answer is at least. */
  static final int DELAY_MS = 100;

  private static final List<Long> GIVEN_MS = new ArrayList<>();
  private static boolean slow;
  private static int refusals;

  /** For HBase, which makes one for each region. */
  public SlowRegion() {}

  /** From now on answers are late, the first ones refusals. */
  static synchronized void begin(int refused) {
    slow = true;
    refusals = refused;
    GIVEN_MS.clear();
  }

  /** The time in milliseconds that each request was given since then; answers are quick again. */
  static synchronized List<Long> end() {
    slow = false;
    refusals = 0;
    return List.copyOf(GIVEN_MS);
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
      throw new DoNotRetryIOException("refused for the test " + Refusal.FENCED.mark());
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
