/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import io.evenkey.layout.gather.GatherAttributes;
import io.evenkey.layout.guard.GuardAnswer;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.Refusal;
import io.evenkey.layout.hotkeys.HotKeyQuestion;
import io.evenkey.server.gather.GatherMetrics;
import io.evenkey.server.gather.RegionGather;
import io.evenkey.server.hotkeys.RegionHotKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * <p>The hooks are public because HBase calls them; nothing else should. They throw no unchecked
 * exception, at which HBase would stop the region server.
 */
public final class LayoutGuard implements RegionCoprocessor, RegionObserver, EndpointObserver {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutGuard.class);
  private static final byte[] ANSWER = GuardAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  private final ScannerStamps scanners = new ScannerStamps();
  private volatile @Nullable Started started;

  /** The guard of a region whose table's descriptor was read, or was asked for in vain. */
  private record Started(
      Questions questions, HotKeyQuestions hotKeys, WriteAdmission writes, GatherMetrics gathers) {}

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
  public void start(CoprocessorEnvironment env) throws IOException {
    if (!(env instanceof RegionCoprocessorEnvironment of)
        || !(of.getRegion() instanceof HRegion region)) {
      throw new DoNotRetryIOException("not loaded into a region: " + env);
    }
    DescriptorReader descriptor = DescriptorReader.of(region);
    String name = region.getRegionInfo().getEncodedName();
    String server = of.getServerName().toString();
    HotKeyQuestions counted =
        new HotKeyQuestions(region.getRegionInfo(), descriptor, RegionHotKeys.of(server, name));
    TableRules rules;
    try {
      TableDescriptor table = descriptor.table();
      rules = TableRules.of(TableText.of(table));
      counted.countBy(table);
    } catch (IOException e) {
      // HBase stops the region server if this fails, but opens a region elsewhere if preOpen does.
      LOG.warn("descriptor not read yet: region={}", name, e);
      rules = descriptor.unknown();
    }
    GuardMetrics metrics = new GuardMetrics(of.getMetricRegistryForRegionServer());
    Questions questions =
        new Questions(
            name,
            server,
            region::getOpenSeqNum,
            new Gate(rules),
            descriptor,
            new Refusals(metrics),
            new AtomicLong(System.nanoTime()));
    started = new Started(questions, counted, new WriteAdmission(region), metrics.gathers());
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> c) throws IOException {
    Started now = started();
    if (now.questions().gate().rules().state() == null) {
      started = new Started(now.questions().afresh(), now.hotKeys(), now.writes(), now.gathers());
      now.hotKeys().reread();
    }
  }

  private Started started() throws IOException {
    Started now = started;
    if (now == null) {
      throw new DoNotRetryIOException("guard of the region is not started");
    }
    return now;
  }

  private Questions questions() throws IOException {
    return started().questions();
  }

  private HotKeyQuestions hotKeys() throws IOException {
    return started().hotKeys();
  }

  private TableRules rules() throws IOException {
    return questions().gate().rules();
  }

  // ---- reads

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    byte[] ask = get.getAttribute(GuardAttributes.ASK);
    if (ask != null) {
      result.add(
          HotKeyQuestion.isIn(ask)
              ? cell(get.getRow(), hotKeys().answer(get, ask).toBytes())
              : cell(get.getRow(), answer(ask).toBytes()));
      c.bypass();
      return;
    }
    checkRead(get);
    hotKeys().counts().read(get.getRow());
  }

  @Override
  public boolean preExists(ObserverContext<RegionCoprocessorEnvironment> c, Get get, boolean exists)
      throws IOException {
    byte[] ask = get.getAttribute(GuardAttributes.ASK);
    if (ask != null) {
      // There is no room for an answer in a boolean.
      throw new DoNotRetryIOException(Refusal.answer(answer(ask)));
    }
    checkRead(get);
    return exists;
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    Row action = checkAndMutate.getAction();
    if (action instanceof Mutation mutation) {
      checkRead(mutation);
    } else if (action instanceof RowMutations several && !several.getMutations().isEmpty()) {
      checkRead(several.getMutations().get(0));
    }
    hotKeys().counts().read(checkAndMutate.getRow());
    return result;
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    checkRead(scan);
    hotKeys().counts().scanned(scan);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner scanner)
      throws IOException {
    byte[] gather = scan.getAttribute(GatherAttributes.REQUEST);
    RegionScanner answering =
        gather == null
            ? scanner
            : RegionGather.open(
                gather, scan, scanner, c.getEnvironment().getOnlineRegions(), started().gathers());
    scanners.remember(answering, scan);
    return answering;
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> c,
      InternalScanner scanner,
      List<Result> result,
      int limit,
      boolean hasNext)
      throws IOException {
    Gate gate = questions().gate();
    if (!gate.unchanged()) {
      TableRules rules = gate.rules();
      Outcome outcome = scanners.next(scanner, rules);
      if (!outcome.allowed()) {
        throw questions().refused(outcome, rules, true);
      }
    }
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
    // The regions that a gather reads have counted its rows.
    if (!RegionGather.isAnswer(scanner)) {
      hotKeys().counts().returned(result);
    }
    return hasNext;
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> c, InternalScanner scanner) {
    scanners.forget(scanner);
  }

  private void checkRead(OperationWithAttributes request) throws IOException {
    TableRules rules = rules();
    byte[] layout = TableRules.layoutOf(request);
    Outcome outcome =
        rules.read(
            layout,
            request.getAttribute(GuardAttributes.MIGRATION),
            request.getAttribute(GuardAttributes.RAW) != null);
    if (!outcome.allowed()) {
      throw questions().refused(outcome, rules, layout != null);
    }
  }

  // ---- writes

  /** Answers a question; it is never written. */
  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
    byte[] ask = put.getAttribute(GuardAttributes.ASK);
    if (ask != null) {
      throw new DoNotRetryIOException(Refusal.answer(answer(ask)));
    }
  }

  @Override
  public void postStartRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> c, Region.Operation operation) {
    if (operation == Region.Operation.BATCH_MUTATE) {
      Passes.ofThread().begin();
    }
  }

  @Override
  public void postCloseRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> c, Region.Operation operation) {
    if (operation == Region.Operation.BATCH_MUTATE) {
      Passes.ofThread().end();
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    Started now = started();
    now.writes().admit(batch, now.questions());
    now.hotKeys().counts().written(batch);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    WriteAdmission.end(batch, success);
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c, List<Pair<byte[], String>> files)
      throws IOException {
    // HBase says nothing of the end of a load that another coprocessor refuses.
    Passes.ofThread().giveBackRest();
    Gate.Epoch epoch = questions().gate().enter();
    boolean allowed = false;
    try {
      Outcome outcome = FilesCheck.of(epoch.rules(), files, c.getEnvironment().getConfiguration());
      if (!outcome.allowed()) {
        throw questions().refused(outcome, epoch.rules(), true);
      }
      allowed = true;
    } finally {
      if (!allowed) {
        epoch.leave();
      }
    }
    Passes.ofThread().hold(files, epoch);
  }

  @Override
  public void postBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> c,
      List<Pair<byte[], String>> files,
      @Nullable Map<byte[], List<Path>> loaded) {
    Passes.ofThread().giveBack(files);
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
    // Flushes, and compactions in memory, keep tombstones anyway.
    if (rules().keepsTombstones()) {
      options.setTimeToPurgeDeletes(Long.MAX_VALUE);
      // HBase drops all options if none of versions, lifetime and this one is set.
      options.setKeepDeletedCells(options.getKeepDeletedCells());
    }
  }

  @Override
  public Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Service service,
      String method,
      Message request)
      throws IOException {
    TableRules rules = rules();
    Outcome outcome = rules.call();
    if (!outcome.allowed()) {
      throw questions().refused(outcome, rules, true);
    }
    return request;
  }

  private GuardAnswer answer(byte[] ask) throws IOException {
    long revision;
    try {
      revision = GuardAttributes.number(ask);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("question to the guard not understood", e);
    }
    return questions().answer(revision);
  }

  private static Cell cell(byte[] row, byte[] answer) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(ANSWER)
        .setQualifier(ANSWER)
        .setTimestamp(EnvironmentEdgeManager.currentTime())
        .setType(Cell.Type.Put)
        .setValue(answer)
        .build();
  }
}
