/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.server.hooks.Hooks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.jspecify.annotations.Nullable;

/**
 * The region coprocessor that refuses requests made under another layout, or another stage of a
 * migration, than that of the table. One instance for each open region, thread-safe.
 *
 * <p>Region servers load it into the regions of all tables by {@code
 * hbase.coprocessor.user.region.classes}. A table whose descriptor has neither a layout nor a state
 * notices nothing of it. It runs after system coprocessors, so that HBase's access control decides
 * first who may read, write, and ask. It counts the hot keys of tables that are set to have them
 * counted, and answers questions for them.
 *
 * <p>It does not see what other code in the region server does past these hooks: mutations that a
 * coprocessor after it adds for other rows, reads of a region's scanner by an endpoint, and writes
 * by {@code Region.processRowsWithLocks}.
 *
 * <p>The hooks are public because HBase calls them; nothing else should. Each runs in {@link
 * Hooks}, which lets nothing out of it that would stop the region server, and a hook that fails
 * refuses its request. A guard that could not start refuses all requests, and keeps its region from
 * opening unless it can start then.
 */
public final class LayoutGuard implements RegionCoprocessor, RegionObserver, EndpointObserver {
  private volatile @Nullable RegionGuard started;

  /** For HBase, which makes one for each region. */
  public LayoutGuard() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Optional<EndpointObserver> getEndpointObserver() {
    return Optional.of(this);
  }

  /**
   * Reads the table's descriptor. Here, since HBase may also load coprocessors into open regions.
   */
  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment env) {
    // HBase stops the region server if this fails, but opens a region elsewhere if preOpen does.
    Hooks.attempt("start", env, () -> started = RegionGuard.start(env));
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> c) throws IOException {
    Hooks.run("preOpen", c, () -> started = opened(c.getEnvironment()));
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    // HBase stops the region server if this fails.
    Hooks.attempt("postOpen", c, () -> guard().isOpen());
  }

  private RegionGuard opened(RegionCoprocessorEnvironment env) throws IOException {
    RegionGuard now = started;
    return now == null ? RegionGuard.start(env).opened() : now.opened();
  }

  private RegionGuard guard() throws IOException {
    RegionGuard now = started;
    if (now == null) {
      throw new DoNotRetryIOException(
          "guard of the region is not started; the region server's log says why; to start it again,"
              + " unassign the region");
    }
    return now;
  }

  // ---- reads

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    Hooks.run(
        "preGetOp",
        c,
        () -> {
          Cell answer = guard().get(get);
          if (answer != null) {
            result.add(answer);
            c.bypass();
          }
        });
  }

  @Override
  public boolean preExists(ObserverContext<RegionCoprocessorEnvironment> c, Get get, boolean exists)
      throws IOException {
    Hooks.run("preExists", c, () -> guard().exists(get));
    return exists;
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    Hooks.run("preCheckAndMutate", c, () -> guard().check(checkAndMutate));
    return result;
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    Hooks.run("preScannerOpen", c, () -> guard().open(scan));
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner scanner)
      throws IOException {
    return Hooks.answer(
        "postScannerOpen",
        c,
        () -> guard().opened(scan, scanner, c.getEnvironment().getOnlineRegions()));
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> c,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext)
      throws IOException {
    Hooks.run("preScannerNext", c, () -> guard().next(scanner));
    return hasNext;
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> c,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext)
      throws IOException {
    Hooks.run("postScannerNext", c, () -> guard().returned(scanner, result));
    return hasNext;
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> c, InternalScanner scanner) throws IOException {
    Hooks.run("postScannerClose", c, () -> guard().closed(scanner));
  }

  // ---- writes

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
    Hooks.run("prePut", c, () -> guard().put(put));
  }

  @Override
  public void postStartRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> c, Region.Operation operation)
      throws IOException {
    Hooks.run("postStartRegionOperation", c, () -> Passes.begin(operation));
  }

  @Override
  public void postCloseRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> c, Region.Operation operation)
      throws IOException {
    Hooks.run("postCloseRegionOperation", c, () -> Passes.end(operation));
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    Hooks.run("preBatchMutate", c, () -> guard().write(batch));
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    Hooks.run("postBatchMutateIndispensably", c, () -> WriteAdmission.end(batch, success));
  }

  /** A failure leaves the layout unknown where the entry is replicated to. */
  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, WALKey key, WALEdit edit) {
    Hooks.attempt("preWALAppend", c, () -> guard().append(key, GuardAttributes.SOURCE_LAYOUT));
  }

  /** An entry of bulk-loaded files is written. */
  void appendFiles(WALKey key) throws IOException {
    guard().append(key, GuardAttributes.SOURCE_FILES);
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> files)
      throws IOException {
    Hooks.run(
        "preBulkLoadHFile", c, () -> guard().load(files, c.getEnvironment().getConfiguration()));
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c,
      List<Pair<byte[], String>> files,
      @Nullable Map<byte[], List<Path>> loaded)
      throws IOException {
    Hooks.run("postBulkLoadHFile", c, () -> Passes.ofThread().giveBack(files));
  }

  // ---- the rest

  @Override
  public void preCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Store store,
      ScanType type,
      ScanOptions options,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    Hooks.run("preCompactScannerOpen", c, () -> guard().compact(options));
  }

  @Override
  public Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Service service,
      String method,
      Message request)
      throws IOException {
    Hooks.run("preEndpointInvocation", c, () -> guard().call());
    return request;
  }
}
