package io.evenkey.jobs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.TableLayout;
import io.evenkey.client.TableLayoutException;
import io.evenkey.client.move.FencedException;
import io.evenkey.client.move.MoveColumns;
import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.client.registry.Versioned;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.move.GenerationComparison.Writers;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables moved while they are written to, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MoveIT {
  private static final int ROWS = 2_000;
  private static final byte[] D = Bytes.toBytes("d");

  @TempDir private java.nio.file.Path directory;
  private Connection plain;
  private SpreadTables tables;
  private Registry registry;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    name =
        TableName.valueOf(
            info.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(info.getDisplayName().hashCode()));
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    registry.close();
  }

  private void create(String line) throws IOException {
    if (line.isEmpty()) {
      try (Admin admin = plain.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name).setColumnFamily(Traffic.FAMILY).build());
      }
    } else {
      Layout layout = Layout.parse(line);
      tables.create(name, layout, layout.splits(2), List.of("d"));
      try (Admin admin = plain.getAdmin()) {
        admin.modifyColumnFamily(name, Traffic.FAMILY);
      }
    }
    Layout layout = Layout.parse(line.isEmpty() ? "key:bytes" : line);
    try (Table table = plain.getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] key = Bytes.toBytes("before-" + i);
        table.put(
            new Put(layout.physical(key))
                .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes(i)));
      }
    }
  }

  private MoveSettings settings() {
    return new MoveSettings(
        new Path(directory.toUri()), Duration.ofSeconds(30), Duration.ofMillis(50), 10_000);
  }

  private Mover mover(String layout, boolean bulk, Stage goal) throws IOException {
    return mover(layout, bulk, goal, MoveWatch.NOBODY);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'salt(4) + key:bytes', true",
    "'salt(4) + key:bytes', 'salt(7) + key:bytes', false",
    "'hbasewd_salt(4) + key:bytes', 'salt(3) + key:bytes', true",
    "'salt(4) + key:bytes', 'md5(key)[0..1]:bytes + key:bytes', true",
    "'salt(4) + key:bytes', 'key:bytes', true",
    "'phoenix_salt(4) + key:bytes', 'salt(3) + key:bytes', false"
  })
  void nothingIsLost(String from, String to, boolean bulk) throws Exception {
    create(from);
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      traffic.start(2);
      await().until(() -> traffic.written() > 50);
      try (Mover mover = mover(to, bulk, Stage.SWITCHED)) {
        Move move = mover.run();
        assertThat(move.stage()).isEqualTo(Stage.SWITCHED);
        traffic.isWell();
        mover.to(Stage.FINISHED);
        assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
      }
      long before = traffic.written();
      await().until(() -> traffic.written() > before + 20);
      traffic.check();
    }
    assertThat(tables.open(name).layout()).isEqualTo(Layout.parse(to));
  }

  private Connection dropIn() throws IOException {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  /** Does something while a move is at a stage, in the mover's thread. */
  private MoveWatch at(Stage stage, ThrowingRunnable action) {
    return new MoveWatch() {
      @Override
      public void stage(Move move) {
        if (move.stage() == stage) {
          try {
            action.run();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        }
      }
    };
  }

  @FunctionalInterface
  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  private Mover mover(String layout, boolean bulk, Stage goal, MoveWatch watch) throws IOException {
    return mover(layout, bulk ? Move.By.FILES : Move.By.PUTS, goal, watch);
  }

  private Mover mover(String layout, Move.By by, Stage goal, MoveWatch watch) throws IOException {
    return Mover.begin(
        plain,
        tables,
        registry,
        MovePlan.of(name, Layout.parse(layout)).by(by).to(goal),
        settings(),
        watch);
  }

  private static Map<String, String> versions(Table table) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (ResultScanner rows = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          all.put(
              Bytes.toString(row.getRow())
                  + "/"
                  + Bytes.toString(CellUtil.cloneQualifier(cell))
                  + "/"
                  + cell.getTimestamp(),
              Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsDeletedWhileItIsCopiedStaysDeleted(boolean bulk) throws Exception {
    create("salt(4) + key:bytes");
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      // Before anything is copied, and then once more when a compaction could forget it.
      MoveWatch deleting =
          at(
              Stage.COPYING,
              () -> {
                registryHas(client);
                for (int i = 0; i < 100; i++) {
                  table.delete(new Delete(bytes("before-" + i)));
                }
                table.delete(new Delete(bytes("before-500")).addColumn(D, bytes("q")));
                try (Admin admin = plain.getAdmin()) {
                  admin.flush(Move.next(name, name));
                  admin.majorCompact(Move.next(name, name));
                }
              });
      Map<String, String> then;
      try (Mover mover = mover("salt(3) + key:bytes", bulk, Stage.READY, deleting)) {
        mover.run();
        then = versions(table);
        mover.to(Stage.FINISHED);
        mover.run();
      }
      assertThat(then).hasSize(ROWS - 101);
      assertThat(versions(table)).isEqualTo(then);
    }
  }

  // The first of its writes makes a client known.
  private void registryHas(Connection client) throws IOException {
    client.getTable(name).exists(new Get(bytes("x")));
  }

  @ParameterizedTest
  @EnumSource(Move.By.class)
  void versionsTimestampsAndTagsAreCopied(Move.By by) throws Exception {
    create("");
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(name)) {
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(D).setMaxVersions(5).build());
      for (int i = 1; i <= 3; i++) {
        table.put(new Put(bytes("many"), i * 1_000L).addColumn(D, bytes("v"), bytes("v" + i)));
      }
      // Until well after the move, and until well before its end is looked at.
      table.put(new Put(bytes("long")).addColumn(D, bytes("v"), bytes("x")).setTTL(3_600_000));
      table.put(new Put(bytes("short")).addColumn(D, bytes("v"), bytes("x")).setTTL(15_000));
    }
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      Map<String, String> before = versions(table);
      before.keySet().removeIf(cell -> cell.startsWith("short"));
      try (Mover mover = mover("salt(4) + key:bytes", by, Stage.FINISHED, MoveWatch.NOBODY)) {
        mover.run();
      }
      await()
          .atMost(Duration.ofSeconds(40))
          .untilAsserted(
              () -> assertThat(versions(table)).as("gone in its time").isEqualTo(before));
    }
  }

  @Test
  void theWayBackIsOpenUntilTheEnd() throws Exception {
    create("salt(4) + key:bytes");
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(3);
      traffic.start(4);
      await().until(() -> traffic.written() > 50);
      try (Mover mover = mover("salt(3) + key:bytes", false, Stage.SWITCHED)) {
        mover.run();
        long before = traffic.written();
        await().until(() -> traffic.written() > before + 50);
        mover.to(Stage.ROLLED_BACK);
        assertThat(mover.run().generation()).isEqualTo(name);
      }
      long before = traffic.written();
      await().until(() -> traffic.written() > before + 20);
      traffic.check();
    }
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(Move.next(name, name))).isFalse();
      assertThat(admin.getDescriptor(name).getValue(TableLayout.MOVE)).isNull();
      assertThat(admin.getDescriptor(name).getColumnFamilyCount()).isEqualTo(1);
    }
    // And once more, all the way.
    try (Mover mover = mover("salt(5) + key:bytes", true, Stage.FINISHED)) {
      assertThat(mover.run().epoch()).isGreaterThan(8);
    }
    try (Mover mover = mover("salt(6) + key:bytes", false, Stage.FINISHED)) {
      assertThat(mover.run().target()).isEqualTo(TableName.valueOf(name + ".g3"));
      assertThatThrownBy(() -> mover.to(Stage.ROLLED_BACK))
          .hasMessageContaining("no way from here");
    }
    assertThat(tables.open(name).get(new Get(bytes("before-7"))).isEmpty()).isFalse();
  }

  @Test
  void aClientThatHoldsSomethingBackIsNamedAndKeepsNobodyWaiting() throws Exception {
    create("salt(4) + key:bytes");
    MoveSettings hasty =
        new MoveSettings(
            new Path(directory.toUri()), Duration.ofSeconds(2), Duration.ofMillis(50), 10_000);
    try (Connection client = dropIn();
        Table table = client.getTable(name);
        SpreadTables importing = SpreadTables.on(plain)) {
      Closeable held = importing.open(name).hold();
      table.put(put("one"));
      try (Mover mover =
          Mover.begin(
              plain,
              tables,
              registry,
              MovePlan.of(name, Layout.parse("salt(3) + key:bytes")).by(Move.By.PUTS),
              hasty,
              MoveWatch.NOBODY)) {
        assertThatThrownBy(mover::run)
            .isInstanceOf(MoveException.class)
            .hasMessageContainingAll(
                "clients do not say that they know",
                String.valueOf(ProcessHandle.current().pid()),
                "--resume");
        table.put(put("nobody waits"));
        held.close();
        assertThat(mover.run().stage()).isEqualTo(Stage.READY);
      }
      assertThatThrownBy(() -> importing.open(name).hold())
          .as("files and batches past the table while there are two generations")
          .isInstanceOf(FencedException.class);
      assertThatThrownBy(() -> mover("salt(5) + key:bytes", false, Stage.READY))
          .hasMessageContaining("is being moved already");
    }
  }

  private static Put put(String key) {
    return new Put(bytes(key)).addColumn(D, bytes("q"), bytes("value of " + key));
  }

  @Test
  void everyKindOfClientFollows() throws Exception {
    create("salt(4) + key:bytes");
    Configuration async = new Configuration(plain.getConfiguration());
    async.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    try (Connection client = dropIn();
        BufferedMutator buffered = client.getBufferedMutator(name);
        AsyncConnection later = ConnectionFactory.createAsyncConnection(async).get();
        AsyncBufferedMutator laterBuffered = later.getBufferedMutator(name);
        SpreadTables own = SpreadTables.on(plain)) {
      AsyncTable<?> asyncTable = later.getTable(name);
      SpreadTable spread = own.open(name);
      try (SpreadMutator mutator = spread.mutator()) {
        int[] n = {0};
        ThrowingRunnable writing =
            () -> {
              String at = "at-" + n[0]++;
              buffered.mutate(put(at + "-buffered"));
              mutator.put(put(at + "-own-buffered"));
              spread.put(put(at + "-own"));
              asyncTable.put(put(at + "-async")).get(30, TimeUnit.SECONDS);
              asyncTable
                  .increment(new Increment(bytes("count")).addColumn(D, bytes("n"), 1))
                  .get(30, TimeUnit.SECONDS);
              CompletableFuture<Void> put = laterBuffered.mutate(put(at + "-async-buffered"));
              laterBuffered.flush();
              put.get(30, TimeUnit.SECONDS);
              Object[] results = new Object[2];
              try (Table table = client.getTable(name)) {
                table.batch(
                    List.of(
                        put(at + "-batch"),
                        new Increment(bytes("count")).addColumn(D, bytes("n"), 1)),
                    results);
              }
            };
        MoveWatch watch =
            new MoveWatch() {
              @Override
              public void stage(Move move) {
                if (!move.stage().phase().isFenced()) {
                  try {
                    writing.run();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
              }
            };
        try (Mover mover = mover("salt(3) + key:bytes", true, Stage.FINISHED, watch)) {
          assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
        }
        buffered.flush();
        mutator.flush();
        try (Table table = client.getTable(name)) {
          for (int i = 0; i < n[0]; i++) {
            for (String kind :
                List.of("buffered", "own-buffered", "own", "async", "async-buffered", "batch")) {
              assertThat(table.get(new Get(bytes("at-" + i + "-" + kind))).isEmpty())
                  .as("at-" + i + "-" + kind)
                  .isFalse();
            }
          }
          assertThat(Bytes.toLong(table.get(new Get(bytes("count"))).getValue(D, bytes("n"))))
              .isEqualTo(2L * n[0]);
          assertThat(asyncTable.get(new Get(bytes("at-0-own"))).get().isEmpty()).isFalse();
        }
      }
    }
  }

  @Test
  void aCopyIsLetGoFasterWhileReadsAreQuick() throws Exception {
    create("salt(4) + key:bytes");
    MovePlan plan =
        MovePlan.of(name, Layout.parse("salt(3) + key:bytes")).at(new Move.Pace(500, 60_000));
    try (Mover mover = Mover.begin(plain, tables, registry, plan, settings(), MoveWatch.NOBODY)) {
      mover.run();
    }
    Move.Pace pace = registry.move(name).orElseThrow().value().pace();
    assertThat(pace.rowsPerSecond()).isEqualTo(500);
    assertThat(pace.heldTo()).as("looked at, and found quick").isGreaterThan(500);
    assertThat(pace.allowed()).as("never faster than it was set").isEqualTo(500);
  }

  @ParameterizedTest
  @EnumSource(Move.By.class)
  void aRowWithANullThatOnlyPhoenixHasIsNamedAndNothingIsLost(Move.By by) throws Exception {
    String key = "org:string + id:int64";
    Layout phoenix = Layout.parse("phoenix_salt(4) + " + key);
    tables.create(name, phoenix, phoenix.splits(2), List.of("d"));
    try (Table stored = plain.getTable(name)) {
      for (int i = 0; i < 20; i++) {
        byte[] row = phoenix.physical(phoenix.logicalKey(Values.of(Map.of("org", "o", "id", i))));
        stored.put(new Put(row).addColumn(D, D, bytes("x")));
      }
      byte[] withoutId = phoenix.physical(bytes("nobody"));
      stored.put(new Put(withoutId).addColumn(D, D, bytes("x")));
      try (Mover mover = mover("salt(3) + " + key, by, Stage.READY, MoveWatch.NOBODY)) {
        assertThatThrownBy(mover::run)
            .isInstanceOf(MoveException.class)
            .hasMessageContainingAll(
                "row cannot be copied: table=" + name,
                "a null, which only layouts of Phoenix have",
                "row=nobody",
                "--resume goes on");
        stored.delete(new Delete(withoutId));
        assertThat(mover.run().stage()).isEqualTo(Stage.READY);
        assertThat(mover.move().work().rows()).isEqualTo(20);
      }
    }
  }

  @Test
  void whatCannotBeMovedIsRefusedByName() throws Exception {
    create("salt(4) + key:bytes");
    assertThatThrownBy(() -> mover("salt(4, random) + key:bytes", true, Stage.READY))
        .hasMessageContainingAll("cannot be moved live", "free salt");
    assertThatThrownBy(() -> mover("salt(4) + key:string", true, Stage.READY))
        .hasMessageContainingAll("logical keys would change", "key:bytes", "key:string");
    assertThatThrownBy(() -> mover("salt(4) + key:bytes", true, Stage.READY))
        .hasMessageContaining("has this layout already");
    try (Admin admin = plain.getAdmin()) {
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(D).setNewVersionBehavior(true).build());
      assertThatThrownBy(() -> mover("salt(3) + key:bytes", true, Stage.READY))
          .hasMessageContainingAll("NEW_VERSION_BEHAVIOR", "family=d");
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(D).setScope(1).build());
      assertThatThrownBy(() -> mover("salt(3) + key:bytes", true, Stage.READY))
          .hasMessageContainingAll("replicated", "family=d");
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .modifyColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .setCoprocessor("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")
              .build());
      assertThatThrownBy(() -> mover("salt(3) + key:bytes", true, Stage.READY))
          .hasMessageContainingAll("coprocessors", "MultiRowMutationEndpoint");
    }
    assertThat(registry.move(name)).isEmpty();
  }

  @Test
  void whoeverWritesPastEvenkeyIsFound() throws Exception {
    create("salt(4) + key:bytes");
    try (Table past = plain.getTable(name);
        Mover mover = mover("salt(3) + key:bytes", false, Stage.SWITCHED)) {
      mover.run();
      byte[] row = Layout.parse("salt(4) + key:bytes").physical(bytes("stray"));
      past.put(new Put(row).addColumn(D, bytes("q"), bytes("x")));
      mover.to(Stage.FINISHED);
      assertThatThrownBy(mover::run)
          .hasMessageContainingAll("old generation alone", "stray", "writes without Evenkey");
      past.delete(new Delete(row));
      assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
      assertThatThrownBy(() -> past.put(new Put(row).addColumn(D, bytes("q"), bytes("x"))))
          .as("the old generation is read-only then")
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void whoeverWaitsForADeadClientsRowIsFreedAtTheFence() throws Exception {
    create("salt(4) + key:bytes");
    byte[] row = bytes("row");
    try (Mover mover = mover("salt(3) + key:bytes", false, Stage.READY)) {
      mover.run();
    }
    Connection dying = dropIn();
    String id;
    try (Table other = dying.getTable(name)) {
      other.increment(new Increment(row).addColumn(D, bytes("q"), 1));
      id =
          registry.clients().stream()
              .filter(client -> client.tables().containsKey(name))
              .max(Comparator.comparing(LiveClient::since))
              .orElseThrow()
              .id();
    }
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      try (Table locked = tables.generationTable(Move.next(name, name))) {
        byte[] family = bytes(MoveColumns.FAMILY);
        locked.put(new Put(row).addColumn(family, bytes("lock"), bytes(id + "/7")));
      }
      CompletableFuture<Long> counted =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  Increment more = new Increment(row).addColumn(D, bytes("q"), 1);
                  return Bytes.toLong(table.increment(more).value());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      await().until(MoveIT::somebodyWaitsForALock);
      MoveWatch watch =
          new MoveWatch() {
            @Override
            public void stage(Move move) {}

            @Override
            public void waiting(List<LiveClient> clients) {
              try {
                dying.close();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          };
      try (Mover mover = Mover.resume(plain, tables, registry, name, settings(), watch)) {
        mover.to(Stage.FINISHED);
        assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
      }
      assertThat(counted.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    } finally {
      dying.close();
    }
  }

  @Test
  void whatAServerGivesATimeOfItsOwnHasThatInBothGenerations() throws Exception {
    create("salt(4) + key:bytes");
    byte[] row = bytes("row");
    byte[] q = bytes("q");
    long ahead = System.currentTimeMillis() + 3_600_000;
    try (Mover mover = mover("salt(3) + key:bytes", false, Stage.READY);
        Connection client = dropIn();
        Table table = client.getTable(name)) {
      mover.run();
      table.put(new Put(row).addColumn(D, q, ahead, bytes("old")));
      // HBase writes it at the time of what it has checked, lest that would hide it.
      CheckAndMutate check =
          CheckAndMutate.newBuilder(row)
              .ifEquals(D, q, bytes("old"))
              .build(new Put(row).addColumn(D, q, bytes("new")));
      assertThat(table.checkAndMutate(check).isSuccess()).isTrue();
      for (TableName generation : List.of(mover.move().source(), mover.move().target())) {
        Result stored = tables.generation(generation).get(new Get(row));
        assertThat(Bytes.toString(stored.value())).as(generation.toString()).isEqualTo("new");
        assertThat(stored.rawCells()[0].getTimestamp()).isEqualTo(ahead);
      }
    }
  }

  private static boolean somebodyWaitsForALock() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".DualWrites")
                    && frame.getMethodName().equals("lock"));
  }

  @Test
  void whatAClientAskedForAndNeverHeardOfIsNoStray() throws Exception {
    create("salt(4) + key:bytes");
    byte[] clock = bytes("clock");
    byte[] family = bytes(MoveColumns.FAMILY);
    try (Table past = plain.getTable(name);
        Mover mover = mover("salt(3) + key:bytes", false, Stage.SWITCHED)) {
      mover.run();
      byte[] row = Layout.parse("salt(4) + key:bytes").physical(bytes("late"));
      past.mutateRow(
          new RowMutations(row)
              .add(
                  List.of(
                      new Put(row).addColumn(D, bytes("q"), bytes("x")),
                      new Increment(row).addColumn(family, clock, 0),
                      new Delete(row).addColumns(family, clock))));
      try (Admin admin = plain.getAdmin()) {
        admin.flush(name);
        admin.majorCompact(name);
        await().until(() -> admin.getCompactionState(name) == CompactionState.NONE);
      }
      mover.to(Stage.FINISHED);
      assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
    }
  }

  @Test
  void aRowIsRepairedWhileItIsWritten() throws Exception {
    create("salt(4) + key:bytes");
    try (Mover mover = mover("salt(3) + key:bytes", false, Stage.READY)) {
      mover.run();
      Move move = mover.move();
      GenerationComparison compared =
          GenerationComparison.open(plain, new Generations(plain), settings());
      CompletableFuture<?> writers =
          CompletableFuture.allOf(
              CompletableFuture.runAsync(this::writeManyColumns),
              CompletableFuture.runAsync(this::writeManyColumns));
      do {
        compared.repair(move.source(), move.target(), bytes("hot"));
      } while (!writers.isDone());
      writers.join();
      assertThat(
              compared.repaired(move.source(), move.target(), 0, Writers.PAUSED, rows -> {}).left())
          .as("nothing is hidden by a tombstone that a repair has left")
          .isEmpty();
      compared.close();
    }
  }

  private void writeManyColumns() {
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      for (int i = 0; i < 400; i++) {
        byte[] column = bytes(Thread.currentThread().getId() + "-" + i);
        table.put(new Put(bytes("hot")).addColumn(D, column, bytes("x")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCopyThatIsCalledOffLeavesNoThreadsBehind() throws Exception {
    create("salt(4) + key:bytes");
    SpreadTable filled = tables.open(name);
    for (int i = 0; i < 500; i++) {
      filled.put(new Put(bytes("row-" + i)).addColumn(D, bytes("q"), bytes("x")));
    }
    long before = threadsOfTasks();
    MoveWatch watch =
        new MoveWatch() {
          @Override
          public void stage(Move move) {}

          @Override
          public void progress(double share, long rows) {
            if (rows > 0) {
              throw new IllegalStateException("called off");
            }
          }
        };
    // Rows in another order have to be sorted: that is what has buffers.
    try (Mover mover =
        mover("md5(key)[0..1]:bytes + key:bytes", Move.By.FILES, Stage.READY, watch)) {
      setPace(new Move.Pace(50, 0));
      assertThatThrownBy(mover::run).hasMessage("called off");
    }
    await().untilAsserted(() -> assertThat(threadsOfTasks()).isLessThanOrEqualTo(before));
  }

  @Test
  void aThreadThatIsInterruptedWhileItCallsACopyOffStaysInterrupted() throws Exception {
    create("salt(4) + key:bytes");
    MoveWatch watch =
        new MoveWatch() {
          @Override
          public void stage(Move move) {}

          @Override
          public void progress(double share, long rows) {
            if (rows > 0) {
              Thread.currentThread().interrupt();
              throw new IllegalStateException("called off");
            }
          }
        };
    try (Mover mover = mover("salt(3) + key:bytes", Move.By.PUTS, Stage.READY, watch)) {
      setPace(new Move.Pace(50, 0));
      assertThatThrownBy(mover::run).hasMessage("called off");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void whatTheOwnerHadSetForDeletionsIsSetAgainAfterTheMigration() throws Exception {
    create("salt(4) + key:bytes");
    String setting = Generations.KEEP_TOMBSTONES;
    try (Admin admin = plain.getAdmin()) {
      admin.modifyColumnFamily(
          name,
          ColumnFamilyDescriptorBuilder.newBuilder(Traffic.FAMILY)
              .setConfiguration(setting, "60000")
              .build());
      try (Mover mover =
          mover("salt(3) + key:bytes", Move.By.PUTS, Stage.READY, MoveWatch.NOBODY)) {
        mover.run();
        assertThat(admin.getDescriptor(name).getColumnFamily(D).getConfigurationValue(setting))
            .as("deletions of the source are kept while it is compared")
            .isNotEqualTo("60000");
        mover.to(Stage.ROLLED_BACK);
        mover.run();
      }
      ColumnFamilyDescriptor back = admin.getDescriptor(name).getColumnFamily(D);
      assertThat(back.getConfiguration()).containsOnly(Map.entry(setting, "60000"));
      try (Mover mover =
          mover("salt(3) + key:bytes", Move.By.PUTS, Stage.FINISHED, MoveWatch.NOBODY)) {
        mover.run();
        ColumnFamilyDescriptor moved =
            admin.getDescriptor(mover.move().target()).getColumnFamily(D);
        assertThat(moved.getConfiguration()).containsOnly(Map.entry(setting, "60000"));
      }
    }
  }

  private static long threadsOfTasks() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(thread -> thread.equals("SpillThread") || thread.equals("communication thread"))
        .count();
  }

  @ParameterizedTest
  @EnumSource(Move.By.class)
  void theJobOfAMoverThatWasKilledWritesNothingAfterItsRound(Move.By by) throws Exception {
    create("salt(4) + key:bytes");
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      table.put(new Put(bytes("row")).addColumn(D, bytes("q"), bytes("x")));
      Move[] copying = new Move[1];
      MoveWatch watch =
          move -> {
            if (move.stage() == Stage.COPYING) {
              copying[0] = move;
            }
          };
      try (Mover mover = mover("salt(3) + key:bytes", by, Stage.READY, watch)) {
        mover.run();
      }
      TableName target = copying[0].target();
      Layout layout = tables.generation(target).layout();
      Copy late =
          new Copy(
              plain,
              new Rekeyed(Layout.parse("salt(4) + key:bytes"), layout),
              copying[0],
              Set.of(D),
              settings().work());
      byte[] only = bytes("only in the old generation");
      try (Table source = plain.getTable(name);
          Table written = plain.getTable(target)) {
        byte[] row = Layout.parse("salt(4) + key:bytes").physical(only);
        source.put(new Put(row).addColumn(D, bytes("q"), bytes("x")));
        assertThatThrownBy(() -> late.round(0, (share, rows) -> {}))
            .isInstanceOf(MoveException.class)
            .hasMessageContaining("copy failed");
        assertThat(written.exists(new Get(layout.physical(only)))).isFalse();
      }
      late.tidy();
      try (Stream<java.nio.file.Path> left = Files.list(directory)) {
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void aCopyKeepsToItsPaceAndGoesOnAtAnother() throws Exception {
    create("salt(2) + key:bytes");
    int rows = 1_500;
    int perSecond = 500;
    SpreadTable filled = tables.open(name);
    for (int i = 0; i < rows; i++) {
      filled.put(new Put(bytes("row-" + i)).addColumn(D, bytes("q"), bytes("x")));
    }
    long[] copied = new long[2];
    MoveWatch watch =
        new MoveWatch() {
          private long begun;

          @Override
          public void stage(Move move) {
            if (move.stage() == Stage.COPYING) {
              begun = System.nanoTime();
            } else if (move.stage() == Stage.VERIFYING && copied[1] == 0) {
              copied[1] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            }
          }

          @Override
          public void progress(double share, long done) {
            if (done >= perSecond && copied[0] == 0) {
              copied[0] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
              setPace(Move.Pace.FREE);
            }
          }
        };
    try (Mover mover = mover("salt(3) + key:bytes", Move.By.PUTS, Stage.READY, watch)) {
      setPace(new Move.Pace(perSecond, 1_000));
      mover.run();
    }
    assertThat(copied[0]).as("ms until a third was copied, which is a second's").isPositive();
    assertThat(copied[1]).as("ms until all were").isGreaterThan(900);
  }

  private void setPace(Move.Pace pace) {
    try {
      Versioned<Move> now = registry.move(name).orElseThrow();
      registry.store(now.value().with(pace), now.version());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void clientsThatDoNotAskTheRegistryAreRefused() throws Exception {
    create("salt(4) + key:bytes");
    try (Mover mover = mover("salt(3) + key:bytes", false, Stage.READY)) {
      mover.run();
    }
    try (Connection client = dropIn();
        Admin admin = client.getAdmin()) {
      assertThatThrownBy(() -> admin.truncateTable(name, false))
          .as("it would be done to one generation")
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("being moved from " + name);
      assertThatThrownBy(() -> admin.disableTable(name)).isInstanceOf(TableLayoutException.class);
    }
    Configuration alone = new Configuration(plain.getConfiguration());
    alone.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    alone.set(EvenkeyConnection.REGISTRY, "off");
    try (Connection client = ConnectionFactory.createConnection(alone);
        Table table = client.getTable(name)) {
      assertThatThrownBy(() -> table.put(put("x")))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("is being moved");
    }
    try (Connection client = dropIn();
        Table table = client.getTable(Move.next(name, name))) {
      assertThatThrownBy(() -> table.put(put("x")))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("generation of another table");
    }
  }
}
