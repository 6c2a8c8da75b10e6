/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.guard.SinkQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A replicated table is migrated with its peer, on two clusters. */
@Timeout(300)
class PeerMigrationIT {
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:string");
  private static final Layout NEXT = Layout.parse("salt(3) + id:string");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir private static Path directory;
  private static final AtomicInteger TABLES = new AtomicInteger();
  private static PeerCluster source;
  private static PeerCluster peer;

  private TableName name;

  @BeforeAll
  static void start() throws IOException {
    peer = PeerCluster.start(directory, "b", 1, Map.of());
    source = PeerCluster.start(directory, "a", 1, Map.of());
    source.replicateTo(peer, "b");
  }

  @AfterAll
  static void stop() throws IOException {
    source.close();
    peer.close();
  }

  @BeforeEach
  void create() throws IOException {
    name = TableName.valueOf("t" + TABLES.incrementAndGet());
    peer.create(name, LAYOUT);
    source.create(name, LAYOUT);
    for (int i = 0; i < 100; i++) {
      source.put(name, "row-" + i, "0");
    }
  }

  private static byte[] key(String id) {
    return LAYOUT.logicalKey(Values.of("id", id));
  }

  private static MigrationSettings settings() {
    return new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
  }

  private Migrator begin(Stage goal, MigrationListener listener) throws IOException {
    return begin(MigrationPlan.of(name, NEXT).aimFor(goal), listener);
  }

  private static Migrator begin(MigrationPlan plan, MigrationListener listener) throws IOException {
    return Migrator.begin(source.plain(), source.registry(), plan, settings(), listener);
  }

  private static Migrator resume(PeerCluster side, TableName name) throws IOException {
    return Migrator.resume(side.plain(), side.registry(), name, settings(), MigrationListener.NONE);
  }

  private void go(PeerCluster side, Stage goal) throws IOException {
    go(side, name, goal);
  }

  private static void go(PeerCluster side, TableName name, Stage goal) throws IOException {
    try (Migrator migrator = resume(side, name)) {
      migrator.aimFor(goal);
      assertThat(migrator.run().stage()).isEqualTo(goal);
    }
  }

  @Tag("long")
  @Test
  void aPeerThatLacksRowsKeepsTheSourceFromSwitching() throws Exception {
    awaitSame();
    try (Table stored = peer.plain().getTable(name)) {
      stored.delete(new Delete(LAYOUT.physical(key("row-7"))));
    }
    try (Migrator migrator = begin(Stage.SWITCHED, MigrationListener.NONE)) {
      assertThatThrownBy(migrator::run)
          .hasMessageContaining("replication has not brought all rows")
          .hasMessageContaining("row-7");
    }
    assertThat(source.stage(name)).isEqualTo(Stage.READY);
    go(source, Stage.ROLLED_BACK);
    assertThat(peer.stage(name)).isEqualTo(Stage.ROLLED_BACK);
  }

  private void awaitSame() {
    awaitSame(name);
  }

  private static void awaitSame(TableName name) {
    PeerCluster.awaitSame(source.tables(), peer.tables(), name);
  }

  /** Writes at the source for as long as something runs there. */
  private final class Load implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicBoolean ends = new AtomicBoolean();
    private final AtomicInteger count = new AtomicInteger();
    private final Future<Integer> written;

    Load() {
      written =
          thread.submit(
              () -> {
                SpreadTable table = source.tables().open(name);
                int i = 0;
                for (; !ends.get(); i++) {
                  table.put(new Put(key("row-" + i % 150)).addColumn(D, Q, Bytes.toBytes("v" + i)));
                  if (i % 7 == 0) {
                    table.delete(new Delete(key("row-" + i % 50)));
                  }
                  count.incrementAndGet();
                  TimeUnit.MILLISECONDS.sleep(1);
                }
                return i;
              });
    }

    /** Waits until rows have been written. */
    void begun() {
      await().atMost(Duration.ofMinutes(1)).until(() -> count.get() > 0 || written.isDone());
    }

    @Override
    public void close() {
      ends.set(true);
      try {
        assertThat(written).succeedsWithin(Duration.ofMinutes(1));
      } finally {
        thread.shutdownNow();
      }
    }
  }

  @Tag("long")
  @Test
  void bothClustersSwitchAndFinishUnderLoad() throws Exception {
    // As of an earlier source, whose migrations had these turns.
    try (Admin admin = peer.plain().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(GuardState.ARRIVED_KEY, "50")
              .build());
    }
    try (Load load = new Load();
        Migrator migrator = begin(Stage.SWITCHED, MigrationListener.NONE)) {
      load.begun();
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
      assertThat(peer.stage(name)).isEqualTo(Stage.SWITCHED);
    }
    awaitSame();
    go(source, Stage.FINISHED);
    assertThat(peer.stage(name)).isEqualTo(Stage.FINISHED);
    source.put(name, "after", "1");
    awaitSame();
    assertThat(peer.rows(name)).containsEntry("after", "1");
    // Then HBase sends the current log again from its beginning.
    link(false);
    link(true);
    source.put(name, "again", "2");
    awaitSame();
  }

  @Tag("long")
  @Test
  void replicationGoesOnWhenAServerDiesThatWroteCopies() throws Exception {
    try (Migrator migrator = begin(Stage.READY, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
    }
    // The last entries of the next generation's regions in its log are copies.
    ServerName server = source.hbase().servers().get(0);
    source.hbase().startServer();
    source.hbase().kill(server);
    source.put(name, "after", "1");
    awaitSame();
    go(source, Stage.FINISHED);
    source.put(name, "finished", "2");
    awaitSame();
  }

  private enum End {
    FINISHED,
    ROLLED_BACK,
    ROLLED_BACK_ALONE
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(End.class)
  void bothClustersGetAnotherRowKey(End end) throws Exception {
    TableName orders = TableName.valueOf(name + "-orders");
    peer.create(orders, KeyChangeTraffic.BY_NUMBER);
    source.create(orders, KeyChangeTraffic.BY_NUMBER);
    MigrationPlan plan =
        MigrationPlan.of(orders, KeyChangeTraffic.BY_CUSTOMER)
            .changingKey(IndexParser.columns(KeyChangeTraffic.CUSTOMER_COLUMN))
            .aimFor(Stage.SWITCHED);
    try (KeyChangeTraffic traffic = KeyChangeTraffic.byFields(source.plain(), orders);
        SpreadTables here = KeyChangeTraffic.tablesByFields(source.plain());
        SpreadTables there = KeyChangeTraffic.tablesByFields(peer.plain())) {
      traffic.start(1);
      traffic.start(2);
      traffic.awaitWrites(300);
      byte[] incomplete = KeyChangeTraffic.key(9_001);
      peer.tables().open(orders).put(new Put(incomplete).addColumn(D, Q, Q));
      try (Migrator migrator = begin(plan, MigrationListener.NONE)) {
        assertThatThrownBy(migrator::run)
            .hasMessageContaining("migration on a replication peer has stopped")
            .hasMessageContaining("peer=b reason=row cannot be copied")
            .hasMessageContaining("row lacks a column");
      }
      peer.tables().open(orders).delete(new Delete(incomplete));
      go(source, orders, Stage.SWITCHED);
      assertThat(peer.stage(orders)).isEqualTo(Stage.SWITCHED);
      assertThat(there.open(orders).layout()).isEqualTo(KeyChangeTraffic.BY_CUSTOMER);
      traffic.awaitWrites(300);
      if (end == End.ROLLED_BACK_ALONE) {
        traffic.stop();
        PeerCluster.awaitSame(here, there, orders);
        Migrator.continueAlone(peer.plain(), peer.registry(), orders);
        go(peer, orders, Stage.ROLLED_BACK);
        traffic.check(there.open(orders));
        return;
      }
      go(source, orders, Stage.valueOf(end.name()));
      assertThat(peer.stage(orders)).isEqualTo(source.stage(orders));
      traffic.awaitWrites(100);
      traffic.stop();
      traffic.check(here.open(orders));
      PeerCluster.awaitSame(here, there, orders);
    }
    for (PeerCluster side : List.of(source, peer)) {
      try (Admin admin = side.plain().getAdmin()) {
        assertThat(admin.tableExists(NextKeys.table(Migration.next(orders, orders)))).isFalse();
      }
    }
  }

  private static Put replicated(String id, long turn) {
    Put put = new Put(LAYOUT.physical(key(id))).addColumn(D, Q, Bytes.toBytes("late"));
    put.setClusterIds(List.of(new UUID(1, 2)));
    put.setAttribute(GuardAttributes.SOURCE_TURN, GuardAttributes.number(turn));
    return put;
  }

  /** A put of a source that tells no turn. */
  private static Put replicated(String id, Layout layout) {
    Put put = replicated(id, 0);
    put.setAttribute(GuardAttributes.SOURCE_TURN, null);
    put.setAttribute(
        GuardAttributes.SOURCE_LAYOUT, layout.toString().getBytes(StandardCharsets.UTF_8));
    return put;
  }

  @Tag("long")
  @Test
  void whatIsReplicatedAfterTheComparisonIsAcknowledgedAndDropped() throws Exception {
    awaitSame();
    try (Admin admin = peer.plain().getAdmin();
        Table stored = peer.plain().getTable(name)) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(GuardState.ARRIVED_KEY, "7")
              .build());
      stored.put(List.of(replicated("a", 6), replicated("b", 8), replicated("c", 7)));
      stored.put(replicated("d", 7));
      stored.put(replicated("row-1", 1));
      // Of before the first migration there, or of a source that was created again.
      stored.put(replicated("row-2", NEXT));
      stored.put(replicated("row-3", LAYOUT));
    }
    assertThat(peer.rows(name))
        .hasSize(101)
        .containsEntry("b", "late")
        .containsEntry("row-1", "0")
        .containsEntry("row-2", "0")
        .containsEntry("row-3", "late");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"READY", "SWITCHED"})
  void bothClustersGoBack(Stage from) throws Exception {
    try (Load load = new Load()) {
      load.begun();
      try (Migrator migrator = begin(from, MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(from);
      }
      go(source, Stage.ROLLED_BACK);
    }
    assertThat(peer.stage(name)).isEqualTo(Stage.ROLLED_BACK);
    awaitSame();
    source.put(name, "after", "1");
    awaitSame();
    assertThat(peer.rows(name)).containsEntry("after", "1");
    try (Migrator migrator = begin(Stage.FINISHED, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    awaitSame();
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"FINISHED", "ROLLED_BACK"})
  void bothClustersGiveTheTableItsOwnName(Stage end) throws Exception {
    TableName next = Migration.next(name, name);
    boolean isFinished = end == Stage.FINISHED;
    TableIndex index =
        TableIndex.parse("by_q mutable joining as \"salt(2) + q:string\" from q=d:q");
    new IndexAddition(name, index, 2, 0).run(source.plain(), source.registry(), IndexListener.NONE);
    long last;
    try (Load load = new Load()) {
      load.begun();
      try (Migrator migrator = begin(Stage.FINISHED, MigrationListener.NONE)) {
        migrator.run();
      }
      last = state(name).turn();
      try (Migrator migrator =
          rename(isFinished ? MigrationListener.NONE : killingAt(Stage.SWITCHED))) {
        if (isFinished) {
          migrator.run();
        } else {
          assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
        }
      }
      if (!isFinished) {
        assertThat(peer.stage(name)).isEqualTo(Stage.READY);
        go(peer, Stage.ROLLED_BACK);
      }
      go(source, end);
    }
    awaitSame();
    TableName used = isFinished ? name : next;
    TableName left = isFinished ? next : name;
    for (PeerCluster side : List.of(source, peer)) {
      assertThat(side.migration(name).generation()).isEqualTo(used);
      try (Admin admin = side.plain().getAdmin()) {
        assertThat(admin.tableExists(left)).isEqualTo(side.equals(peer));
      }
    }
    // HBase sends the current log again from its beginning, with entries of both generations.
    link(false);
    link(true);
    source.put(name, "again", "2");
    awaitSame();
    try (Table stored = peer.plain().getTable(name)) {
      stored.put(replicated("row-1", last));
      stored.put(replicated("row-1", LAYOUT));
    }
    assertThat(peer.rows(name)).isEqualTo(source.rows(name));
    try (Migrator migrator =
        begin(MigrationPlan.of(name, LAYOUT).aimFor(Stage.FINISHED), MigrationListener.NONE)) {
      migrator.run();
    }
    source.put(name, "after", "3");
    awaitSame();
    assertThat(peer.rows(name)).containsEntry("after", "3");
    try (KeyedRows rows = source.tables().open(name).select().by("by_q").open()) {
      assertThat(rows).hasSameSizeAs(source.rows(name).keySet());
    }
  }

  /** At the source. */
  private static GuardState state(TableName generation) throws IOException {
    try (Admin admin = source.plain().getAdmin()) {
      return TableGuard.state(admin.getDescriptor(generation));
    }
  }

  @Tag("long")
  @Test
  void rowsFromTheStepOnAreRewrittenOnBothClusters() throws Exception {
    Layout before = Layout.parse("salt(4) + no:int64");
    Layout after = Layout.parse("salt(4; 8 from no 50) + no:int64");
    TableName steps = TableName.valueOf(name + "-steps");
    peer.create(steps, before);
    source.create(steps, before);
    SpreadTable table = source.tables().open(steps);
    for (long no = 0; no < 100; no++) {
      table.put(numbered(no, "0"));
    }
    MigrationPlan plan =
        MigrationPlan.of(steps, after).rewriting(MigrationPlan.Rewriting.FROM_STEP);
    for (Stage end : List.of(Stage.ROLLED_BACK, Stage.FINISHED)) {
      String value = end.name();
      try (Migrator migrator = begin(plan, MigrationListener.NONE)) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
      }
      assertThat(peer.migration(steps).kind()).isInstanceOf(Kind.StepWithRewriting.class);
      table.put(numbered(60, value));
      table.delete(new Delete(numbered(61, value).getRow()));
      awaitSame(steps);
      go(source, steps, Stage.SWITCHED);
      table.put(numbered(62, value));
      table.put(numbered(200, value));
      table.delete(new Delete(numbered(63, value).getRow()));
      go(source, steps, end);
      assertThat(peer.stage(steps)).isEqualTo(end);
      table.put(numbered(64, value));
      awaitSame(steps);
      assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(99);
    }
    assertThat(peer.tables().open(steps).layout()).isEqualTo(after);
  }

  private static final Layout FEW = Layout.parse("salt(4) + no:int64");
  private static final Layout MORE = Layout.parse("salt(4; 8 from no 1000) + no:int64");

  /** A table of both clusters with 100 rows before the step. */
  private TableName createNumbered() throws IOException {
    TableName steps = TableName.valueOf(name + "-steps");
    peer.create(steps, FEW);
    source.create(steps, FEW);
    for (long no = 0; no < 100; no++) {
      source.tables().open(steps).put(numbered(no, "0"));
    }
    awaitSame(steps);
    return steps;
  }

  /** Kills the run when the source writes rows at or after the step, and the peer has no step. */
  private static MigrationListener killingBetweenClusters() {
    return new MigrationListener() {
      private Stage last = Stage.PREPARING;

      @Override
      public void stage(Migration at) {
        last = at.stage();
      }

      @Override
      public void progress(double share, long rows) {
        if (last == Stage.SWITCHING) {
          throw new Killed();
        }
      }
    };
  }

  @Tag("long")
  @Test
  void bothClustersTakeStepsInPlace() throws Exception {
    TableName steps = createNumbered();
    SpreadTable table = source.tables().open(steps);
    try (Migrator migrator = begin(MigrationPlan.of(steps, MORE), killingBetweenClusters())) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    assertThat(peer.stage(steps)).isNull();
    table.put(numbered(7, "before"));
    awaitSame(steps);
    table.put(numbered(1_000, "after"));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> SinkQuestion.ask(peer.plain(), steps).refusedLayout().equals("" + MORE));
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(100);
    go(source, steps, Stage.FINISHED);
    assertThat(peer.stage(steps)).isEqualTo(Stage.FINISHED);
    assertThat(peer.tables().open(steps).layout()).isEqualTo(MORE);
    awaitSame(steps);
    // Of before the step, of a source that was created again, and of one that tells no turn.
    try (Table stored = peer.plain().getTable(steps)) {
      stored.put(List.of(replicated(1_001, 1), replicated(1_002, 0)));
      assertThatThrownBy(() -> stored.put(replicated(1_003, 99)))
          .hasStackTraceContaining("replication brings a row that does not fit");
    }
    Layout most = Layout.parse("salt(4; 8 from no 1000, 16 from no 2000) + no:int64");
    try (Migrator migrator =
        begin(
            MigrationPlan.of(steps, most).rewriting(MigrationPlan.Rewriting.FROM_STEP),
            MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    assertThat(peer.tables().open(steps).layout()).isEqualTo(most);
    // Then HBase sends the current log again from its beginning.
    link(false);
    link(true);
    table.put(numbered(2_000, "again"));
    awaitSame(steps);
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(102);
  }

  /** A put of the time when the source had no step. */
  private static Put replicated(long no, long turn) {
    Put put = new Put(FEW.encode(Values.of("no", no))).addColumn(D, Q, Bytes.toBytes("late"));
    put.setClusterIds(List.of(new UUID(1, 2)));
    put.setAttribute(GuardAttributes.SOURCE_LAYOUT, Bytes.toBytes(FEW.toString()));
    if (turn > 0) {
      put.setAttribute(GuardAttributes.SOURCE_TURN, GuardAttributes.number(turn));
    }
    return put;
  }

  @Tag("long")
  @Test
  void aPeerTakesTheStepWhenTheDeletesOfLaterRowsHaveArrived() throws Exception {
    TableName steps = createNumbered();
    SpreadTable table = source.tables().open(steps);
    List<String> waited = new ArrayList<>();
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void stage(Migration at) {
            if (at.stage() == Stage.PREPARING) {
              try {
                table.put(numbered(1_500, "deleted"));
                awaitSame(steps);
                link(false);
                table.delete(new Delete(numbered(1_500, "").getRow()));
                compact(source, steps);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          }

          @Override
          public void waiting(String peerId, String reason) {
            waited.add(reason);
            try {
              table.put(numbered(1_600, "after"));
              assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(101);
              link(true);
              await()
                  .atMost(Duration.ofMinutes(1))
                  .untilAsserted(
                      () -> assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(100));
              compact(peer, steps);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    try (Migrator migrator = begin(MigrationPlan.of(steps, MORE), listener)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    } finally {
      link(true);
    }
    assertThat(waited).singleElement().asString().contains("no=1500").contains("major_compact");
    awaitSame(steps);
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(101);
    try (Migrator migrator =
        begin(
            MigrationPlan.of(
                steps, Layout.parse("salt(4; 8 from no 1000, 16 from no 1601) + no:int64")),
            MigrationListener.NONE)) {
      migrator.run();
    }
    awaitSame(steps);
  }

  private static void compact(PeerCluster side, TableName table) throws IOException {
    try (Admin admin = side.plain().getAdmin()) {
      admin.flush(table);
      admin.majorCompact(table);
      Scan raw = new Scan().setRaw(true).setAttribute(GuardAttributes.RAW, new byte[0]);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                try (Table stored = side.plain().getTable(table);
                    ResultScanner rows = stored.getScanner(raw)) {
                  assertThat(rows).hasSize(100);
                }
              });
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"FINISHED", "ROLLED_BACK"})
  void thePeerTakesOverWhileItTakesAStep(Stage end) throws Exception {
    TableName steps = createNumbered();
    MigrationListener killing =
        new MigrationListener() {
          @Override
          public void stage(Migration at) {
            // Of the source.
          }

          @Override
          public void peerStage(String peerId, Migration at) {
            if (at.stage() == Stage.CLOSING) {
              throw new Killed();
            }
          }
        };
    try (Migrator migrator = begin(MigrationPlan.of(steps, MORE), killing)) {
      assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
    }
    source.tables().open(steps).put(numbered(8, "arrives"));
    awaitSame(steps);
    Migrator.continueAlone(peer.plain(), peer.registry(), steps);
    go(peer, steps, end);
    SpreadTable taken = peer.tables().open(steps);
    assertThat(taken.layout()).isEqualTo(end == Stage.FINISHED ? MORE : FEW);
    taken.put(numbered(1_000, "taken"));
    assertThat(PeerCluster.read(peer.tables(), steps)).hasSize(101);
  }

  private static Put numbered(long no, String value) {
    byte[] key = Layout.parse("no:int64").logicalKey(Values.of("no", no));
    return new Put(key).addColumn(D, Q, Bytes.toBytes(value));
  }

  private Migrator rename(MigrationListener listener) throws IOException {
    return Migrator.rename(source.plain(), source.registry(), name, settings(), listener);
  }

  private static MigrationListener killingAt(Stage dies) {
    return new MigrationListener() {
      @Override
      public void stage(Migration at) {
        if (at.stage() == dies) {
          throw new Killed();
        }
      }
    };
  }

  @Tag("deep")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void aKilledRunIsResumed(int stage) throws Exception {
    try (Load load = new Load()) {
      load.begun();
      try (Migrator migrator = begin(Stage.SWITCHED, MigrationFixture.killingAfter(stage))) {
        assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
      }
      go(source, Stage.SWITCHED);
    }
    awaitSame();
    go(source, Stage.FINISHED);
    awaitSame();
  }

  /**
   * Goes on to the switch, writes a last row before writes pause, and stops the link then.
   *
   * @param dies the stage at which the run is killed; null if it is not
   */
  private Migrator resumeAndStopLink(Stage dies) throws IOException {
    Migrator migrator =
        Migrator.resume(
            source.plain(),
            source.registry(),
            name,
            settings(),
            new MigrationListener() {
              @Override
              public void stage(Migration at) {
                if (at.stage() == Stage.FENCING) {
                  try {
                    link(false);
                    source.put(name, "last", "of the old generation");
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
                if (at.stage() == dies) {
                  throw new Killed();
                }
              }
            });
    migrator.aimFor(Stage.SWITCHED);
    return migrator;
  }

  private static void serial(boolean serial) throws IOException {
    try (Admin admin = source.plain().getAdmin()) {
      admin.updateReplicationPeerConfig(
          "b",
          ReplicationPeerConfig.newBuilder(admin.getReplicationPeerConfig("b"))
              .setSerial(serial)
              .build());
    }
  }

  private static void link(boolean on) throws IOException {
    source.link("b", on);
  }

  @Tag("long")
  @Test
  void aPeerThatIsBehindSwitchesWhenAllHasArrived() throws Exception {
    try (Migrator migrator = begin(Stage.READY, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
    }
    awaitSame();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> run =
          thread.submit(
              () -> {
                try (Migrator migrator = resumeAndStopLink(null)) {
                  migrator.run();
                }
                return null;
              });
      await().atMost(Duration.ofMinutes(1)).until(() -> source.stage(name) == Stage.SWITCHED);
      source.put(name, "first", "of the next one");
      // It has all that had arrived, and nothing else.
      assertThat(peer.rows(name)).hasSize(100);
      assertThat(peer.stage(name)).isEqualTo(Stage.READY);
      assertThat(run.isDone()).isFalse();
      link(true);
      run.get(2, TimeUnit.MINUTES);
    } finally {
      link(true);
      thread.shutdownNow();
    }
    assertThat(peer.stage(name)).isEqualTo(Stage.SWITCHED);
    awaitSame();
    assertThat(peer.rows(name)).hasSize(102);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"ROLLED_BACK", "SWITCHED"})
  void thePeerTakesOverWithAllThatHadArrived(Stage goal) throws Exception {
    try (Migrator migrator = begin(Stage.READY, MigrationListener.NONE)) {
      migrator.run();
    }
    awaitSame();
    try {
      try (Migrator migrator = resumeAndStopLink(Stage.SWITCHED)) {
        assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
      }
      peer.put(name, "taken", "over");
      if (goal == Stage.SWITCHED) {
        assertThatThrownBy(() -> go(peer, goal))
            .hasMessageContaining("replication has not brought all rows");
        Migrator.continueAlone(peer.plain(), peer.registry(), name);
      }
      go(peer, goal);
      assertThat(peer.rows(name)).hasSize(101).containsEntry("taken", "over");
    } finally {
      // What the source has not sent is rejected for ever.
      source.endReplication("b");
      source.replicateTo(peer, "b");
    }
  }

  @Tag("long")
  @Test
  void whatCannotBeMigratedIsRejectedBeforeItBegins() throws Exception {
    link(false);
    try {
      assertThatThrownBy(() -> begin(Stage.READY, MigrationListener.NONE))
          .hasMessageContaining("peer is disabled")
          .hasMessageContaining("enable_peer 'b'");
    } finally {
      link(true);
    }
    serial(false);
    try {
      assertThatThrownBy(() -> begin(Stage.READY, MigrationListener.NONE))
          .hasMessageContaining("peer is not serial")
          .hasMessageContaining("set_peer_serial 'b', true");
    } finally {
      serial(true);
    }
    TableName steps = createNumbered();
    peer.tables().open(steps).put(numbered(1_500, "of the peer's own"));
    assertThatThrownBy(() -> begin(MigrationPlan.of(steps, MORE), MigrationListener.NONE))
        .hasMessageContaining("peer has rows at or after the step")
        .hasMessageContaining("no=1500");
    assertThat(source.stage(steps)).isNull();
    peer.replicateTo(source, "a");
    try {
      assertThatThrownBy(() -> begin(Stage.READY, MigrationListener.NONE))
          .hasMessageContaining("peer replicates its table too")
          .hasMessageContaining("have applications write on this cluster only");
    } finally {
      try (Admin admin = peer.plain().getAdmin()) {
        admin.removeReplicationPeer("a");
      }
    }
    assertThat(source.stage(name)).isNull();
    assertThat(peer.stage(name)).isNull();
  }
}
