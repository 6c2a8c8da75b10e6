/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.guard.ReplicationQuestion;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import io.evenkey.server.gather.GatherMetrics;
import io.evenkey.server.gather.RegionGather;
import io.evenkey.server.hooks.Hooks;
import io.evenkey.server.hotkeys.RegionHotKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the guard of one region does in its hooks, after its table's descriptor was read, or was
 * asked for in vain. Thread-safe.
 */
final class RegionGuard {
  private static final Logger LOG = LoggerFactory.getLogger(RegionGuard.class);
  private static final byte[] ANSWER = GuardAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);

  private final ScannerStamps scanners = new ScannerStamps();
  private final Questions questions;
  private final HotKeyQuestions hotKeys;
  private final WriteAdmission writes;
  private final GatherMetrics gathers;
  private final boolean isReplicated;

  private RegionGuard(
      Questions questions,
      HotKeyQuestions hotKeys,
      WriteAdmission writes,
      GatherMetrics gathers,
      boolean isReplicated) {
    this.questions = questions;
    this.hotKeys = hotKeys;
    this.writes = writes;
    this.gathers = gathers;
    this.isReplicated = isReplicated;
  }

  /** Reads the table's descriptor. */
  static RegionGuard start(CoprocessorEnvironment<?> env) throws IOException {
    if (!(env instanceof RegionCoprocessorEnvironment of)
        || !(of.getRegion() instanceof HRegion region)) {
      throw new DoNotRetryIOException("not loaded into a region: " + env);
    }
    DescriptorReader descriptor = DescriptorReader.of(region);
    String name = region.getRegionInfo().getEncodedName();
    String server = of.getServerName().toString();
    HotKeyQuestions counted =
        new HotKeyQuestions(region.getRegionInfo(), descriptor, RegionHotKeys.of(server, name));
    GuardMetrics metrics = new GuardMetrics(of.getMetricRegistryForRegionServer());
    Questions questions =
        new Questions(
            name,
            server,
            region::getOpenSeqNum,
            new Gate(rules(descriptor, counted, region)),
            descriptor,
            new Refusals(metrics),
            new GuardedOpens(region, of.getConnection(), of.getConfiguration()),
            new AtomicLong(System.nanoTime()));
    Hooks.attempt("sinkObserver", env, () -> SinkObserver.addTo(of.getOnlineRegions()));
    boolean isReplicated = isReplicated(region.getTableDescriptor());
    if (isReplicated) {
      BulkLoadEntries.listenTo(region, of.getOnlineRegions());
    }
    return new RegionGuard(
        questions,
        counted,
        new WriteAdmission(region, cluster(of.getOnlineRegions())),
        metrics.gathers(),
        isReplicated);
  }

  private static @Nullable UUID cluster(OnlineRegions regions) {
    try {
      return regions instanceof HRegionServer server && server.getClusterId() != null
          ? UUID.fromString(server.getClusterId())
          : null;
    } catch (IllegalArgumentException e) {
      // HBase replicates by such names alone.
      return null;
    }
  }

  // The region opens again when that changes.
  private static boolean isReplicated(TableDescriptor table) {
    return Arrays.stream(table.getColumnFamilies())
        .anyMatch(family -> family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL);
  }

  private static TableRules rules(
      DescriptorReader descriptor, HotKeyQuestions counted, HRegion region) {
    try {
      return Hooks.answer(
          "start",
          region.getRegionInfo(),
          () -> {
            TableDescriptor table = descriptor.table();
            TableRules rules = descriptor.rules(table);
            counted.countBy(table);
            return rules;
          });
    } catch (IOException e) {
      // The region is opened elsewhere if it cannot be read when the region opens either.
      LOG.warn("descriptor not read yet: region={}", region.getRegionInfo().getEncodedName(), e);
      return descriptor.unknown();
    }
  }

  /** This guard when its region opens, with the descriptor read if it was not yet. */
  RegionGuard opened() throws IOException {
    if (rules().state() != null) {
      return this;
    }
    RegionGuard opened =
        new RegionGuard(questions.afresh(), hotKeys, writes, gathers, isReplicated);
    hotKeys.reread();
    return opened;
  }

  /** The region has opened. */
  void isOpen() {
    questions.opens().opened(rules());
  }

  private TableRules rules() {
    return questions.gate().rules();
  }

  // ---- reads

  /** The answer to a Get that is a question; null if it is none, and may be made. */
  @Nullable Cell get(Get get) throws IOException {
    byte[] ask = get.getAttribute(GuardAttributes.ASK);
    if (ask != null) {
      ReplicationQuestion question = ReplicationQuestion.of(ask).orElse(null);
      if (question == ReplicationQuestion.FILES) {
        writes.checkFiles(get, questions);
      }
      if (question == ReplicationQuestion.FILES || question == ReplicationQuestion.WRITES) {
        return cell(get.getRow(), writes.replicated().toBytes());
      }
      return HotKeyQuestion.isIn(ask)
          ? cell(get.getRow(), hotKeys.answer(get, ask).toBytes())
          : cell(get.getRow(), answer(ask).toBytes());
    }
    checkRead(get);
    hotKeys.counts().read(get.getRow());
    return null;
  }

  void exists(Get get) throws IOException {
    byte[] ask = get.getAttribute(GuardAttributes.ASK);
    if (ask != null) {
      // There is no room for an answer in a boolean.
      throw new DoNotRetryIOException(Refusal.answer(answer(ask)));
    }
    checkRead(get);
  }

  void check(CheckAndMutate checkAndMutate) throws IOException {
    Row action = checkAndMutate.getAction();
    if (action instanceof Mutation mutation) {
      checkRead(mutation);
    } else if (action instanceof RowMutations several && !several.getMutations().isEmpty()) {
      checkRead(several.getMutations().get(0));
    }
    hotKeys.counts().read(checkAndMutate.getRow());
  }

  void open(Scan scan) throws IOException {
    checkRead(scan);
    hotKeys.counts().scanned(scan);
  }

  /** The scanner that is open: that of the answer, if the scan carries a gather. */
  RegionScanner opened(Scan scan, RegionScanner scanner, OnlineRegions regions) throws IOException {
    byte[] gather = scan.getAttribute(GatherAttributes.REQUEST);
    RegionScanner answering =
        gather == null ? scanner : RegionGather.open(gather, scan, scanner, regions, gathers);
    scanners.remember(answering, scan);
    return answering;
  }

  void next(InternalScanner scanner) throws IOException {
    Gate gate = questions.gate();
    if (!gate.unchanged()) {
      TableRules rules = gate.rules();
      Outcome outcome = scanners.next(scanner, rules);
      if (!outcome.allowed()) {
        throw questions.refused(outcome, rules, true);
      }
    }
  }

  void returned(InternalScanner scanner, List<Result> rows) {
    // The regions that a gather reads have counted its rows.
    if (!RegionGather.isAnswer(scanner)) {
      hotKeys.counts().returned(rows);
    }
  }

  void closed(InternalScanner scanner) {
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
      throw questions.refused(outcome, rules, layout != null);
    }
  }

  /** A call of an endpoint. */
  void call() throws IOException {
    TableRules rules = rules();
    Outcome outcome = rules.call();
    if (!outcome.allowed()) {
      throw questions.refused(outcome, rules, true);
    }
  }

  // ---- writes

  /** Answers a question; it is never written. */
  void put(Put put) throws IOException {
    byte[] ask = put.getAttribute(GuardAttributes.ASK);
    if (ask != null) {
      ReplicationQuestion question = ReplicationQuestion.of(ask).orElse(null);
      if (question == ReplicationQuestion.ENDED) {
        writes.record().delete();
      } else if (question == ReplicationQuestion.FORGET) {
        writes.record().forget();
      }
      GuardAnswer answer = question == null ? answer(ask) : questions.answer(0);
      throw new DoNotRetryIOException(Refusal.answer(answer));
    }
  }

  void write(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    writes.admit(batch, questions);
    hotKeys.counts().written(batch);
  }

  /**
   * Tells a cluster to which an entry is replicated the layout of its rows, or of its files, and
   * the turn.
   *
   * @param attribute the attribute of the entry that tells the layout
   */
  void append(WALKey key, String attribute) {
    if (!isReplicated) {
      return;
    }
    if (key instanceof WALKeyImpl entry && WriteAdmission.isOwnCopy()) {
      keep(entry);
      return;
    }
    TableRules rules = rules();
    byte[] turn = rules.replicatedTurn();
    if (turn != null) {
      key.addExtendedAttribute(GuardAttributes.SOURCE_TURN, turn);
    }
    String layout = rules.replicatedLayout();
    if (layout != null) {
      key.addExtendedAttribute(attribute, layout.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Has HBase send no cell of an entry, by its scope instead of its cluster ids. Serial replication
   * waits for the last entry of a region on a server that has died, and counts no entry that it
   * skips by these: the region's later entries, and those after them in their log, would wait for
   * ever.
   */
  private static void keep(WALKeyImpl entry) {
    entry.clearReplicationScope();
    entry.getClusterIds().clear();
  }

  /** Admits a bulk load, which goes by the rules of that moment until its files are given back. */
  void load(List<Pair<byte[], String>> files, Configuration conf) throws IOException {
    Passes passes = Passes.ofThread();
    passes.giveBackRest();
    // HBase calls no hook at the end of a load that another coprocessor refuses.
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call != null) {
      call.setCallBack(() -> Hooks.attempt("callBack", null, () -> passes.giveBack(files)));
    }
    boolean isOfReplication = writes.isReplicated(call);
    Gate.Epoch epoch = questions.gate().enter();
    boolean held = false;
    try {
      FilesCheck.check(epoch.rules(), questions, files, conf);
      if (isOfReplication) {
        writes.replicates();
      }
      passes.hold(files, epoch);
      held = true;
    } finally {
      if (!held) {
        epoch.leave();
        if (isOfReplication) {
          writes.refuses(SourceLayout.UNKNOWN);
        }
      }
    }
  }

  // ---- the rest

  void compact(ScanOptions options) {
    // Flushes, and compactions in memory, keep tombstones anyway.
    if (rules().keepsTombstones()) {
      options.setTimeToPurgeDeletes(Long.MAX_VALUE);
      // HBase drops all options if none of versions, lifetime and this one is set.
      options.setKeepDeletedCells(options.getKeepDeletedCells());
    }
  }

  private GuardAnswer answer(byte[] ask) throws IOException {
    long revision;
    try {
      revision = GuardAttributes.number(ask);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("guard does not know this kind of request", e);
    }
    return questions.answer(revision);
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
