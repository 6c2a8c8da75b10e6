/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.protocol.guard.GuardAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * Keeps the requests that arrive at the regions of the tables in whose descriptors it is, except
 * those by which a client asks for a table's layout. Thread-safe.
 */
public final class SeenRequests implements RegionCoprocessor, RegionObserver {
  private static final Queue<Seen> ALL = new ConcurrentLinkedQueue<>();

  /**
   * A request, as a region has it.
   *
   * @param attributes those of the call, which are not those of the request
   */
  record Seen(
      TableName table,
      OperationWithAttributes request,
      int priority,
      Map<String, byte[]> attributes) {
    @Override
    public String toString() {
      return request.getClass().getSimpleName() + " of " + table;
    }
  }

  static void forget() {
    ALL.clear();
  }

  static List<Seen> all() {
    return List.copyOf(ALL);
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static void note(
      ObserverContext<RegionCoprocessorEnvironment> context, OperationWithAttributes request) {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call != null && request.getAttribute(GuardAttributes.ASK) == null) {
      int priority = call.getPriority();
      ALL.add(
          new Seen(
              context.getEnvironment().getRegionInfo().getTable(),
              request,
              priority == 0 ? HConstants.PRIORITY_UNSET : priority,
              call.getRequestAttributes()));
    }
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    note(context, get);
  }

  @Override
  public boolean preExists(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, boolean exists) {
    note(context, get);
    return exists;
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) {
    note(context, scan);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      note(context, batch.getOperation(i));
    }
  }
}
