/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.copy.Copy;
import io.evenkey.jobs.migration.generation.MigrationChecks;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardMode;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tables migrated while they are written to, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MigrationIT extends MigrationFixture {
  private static final int ROWS = 2_000;
  private static final byte[] D = Bytes.toBytes("d");

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
    List<Put> rows = new ArrayList<>(ROWS);
    for (int i = 0; i < ROWS; i++) {
      byte[] key = Bytes.toBytes("before-" + i);
      rows.add(new Put(layout.physical(key)).addColumn(D, Bytes.toBytes("q"), Bytes.toBytes(i)));
    }
    try (Table table = plain.getTable(name)) {
      table.put(rows);
    }
  }

  private Migrator migrator(String layout, boolean bulk, Stage goal) throws IOException {
    return migrator(layout, bulk, goal, MigrationListener.NONE);
  }

  @ParameterizedTest
  @CsvSource({"'salt(4) + key:bytes', 'salt(7) + key:bytes', false"})
  void aMigrationKeepsAllWrites(String from, String to, boolean bulk) throws Exception {
    migrateUnderTraffic(from, to, bulk);
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @CsvSource({
    "'', 'salt(4) + key:bytes', true",
    "'hbasewd_salt(4) + key:bytes', 'salt(3) + key:bytes', true"
  })
  void aMigrationByFilesKeepsAllWrites(String from, String to, boolean bulk) throws Exception {
    aMigrationKeepsAllWrites(from, to, bulk);
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @CsvSource({
    "'salt(4) + key:bytes', 'md5(key)[0..1]:bytes + key:bytes', true",
    "'salt(4) + key:bytes', 'key:bytes', true",
    "'phoenix_salt(4) + key:bytes', 'salt(3) + key:bytes', false"
  })
  void aMigrationBetweenOtherSpreadsKeepsAllWrites(String from, String to, boolean bulk)
      throws Exception {
    migrateUnderTraffic(from, to, bulk);
  }

  private void migrateUnderTraffic(String from, String to, boolean bulk) throws Exception {
    create(from);
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      traffic.start(2);
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > 50);
      try (Migrator migrator = migrator(to, bulk, Stage.SWITCHED)) {
        Migration migration = migrator.run();
        assertThat(migration.stage()).isEqualTo(Stage.SWITCHED);
        traffic.isWell();
        migrator.aimFor(Stage.FINISHED);
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      long before = traffic.written();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > before + 20);
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

  /** Does something while a migration is at a stage, in the migrator's thread. */
  private MigrationListener at(Stage stage, ThrowingRunnable action) {
    return new MigrationListener() {
      @Override
      public void stage(Migration migration) {
        if (migration.stage() == stage) {
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

  private Migrator migrator(String layout, boolean bulk, Stage goal, MigrationListener listener)
      throws IOException {
    return migrator(layout, bulk ? Migration.By.FILES : Migration.By.PUTS, goal, listener);
  }

  private Migrator migrator(String layout, Migration.By by, Stage goal, MigrationListener listener)
      throws IOException {
    return Migrator.begin(
        plain,
        registry,
        MigrationPlan.of(name, Layout.parse(layout)).by(by).aimFor(goal),
        settings(),
        listener);
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
  @ValueSource(booleans = true)
  void rowsDeletedDuringTheCopyStayDeleted(boolean bulk) throws Exception {
    create("salt(4) + key:bytes");
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      // Before anything is copied, and then once more when a compaction could forget it.
      MigrationListener deleting =
          at(
              Stage.COPYING,
              () -> {
                registryHas(client);
                for (int i = 0; i < 100; i++) {
                  table.delete(new Delete(bytes("before-" + i)));
                }
                table.delete(new Delete(bytes("before-500")).addColumn(D, bytes("q")));
                try (Admin admin = plain.getAdmin()) {
                  admin.flush(Migration.next(name, name));
                  admin.majorCompact(Migration.next(name, name));
                }
              });
      Map<String, String> then;
      try (Migrator migrator = migrator("salt(3) + key:bytes", bulk, Stage.READY, deleting)) {
        migrator.run();
        then = versions(table);
        migrator.aimFor(Stage.FINISHED);
        migrator.run();
      }
      assertThat(then).hasSize(ROWS - 101);
      assertThat(versions(table)).isEqualTo(then);
    }
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @ValueSource(booleans = false)
  void rowsDeletedDuringACopyByPutsStayDeleted(boolean bulk) throws Exception {
    rowsDeletedDuringTheCopyStayDeleted(bulk);
  }

  // The first of its writes makes a client known.
  private void registryHas(Connection client) throws IOException {
    client.getTable(name).exists(new Get(bytes("x")));
  }

  @ParameterizedTest
  @EnumSource(value = Migration.By.class, names = "SNAPSHOT")
  void versionsTimestampsAndTagsAreCopied(Migration.By by) throws Exception {
    create("");
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(name)) {
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(D).setMaxVersions(5).build());
      for (int i = 1; i <= 3; i++) {
        table.put(new Put(bytes("many"), i * 1_000L).addColumn(D, bytes("v"), bytes("v" + i)));
      }
      table.put(new Put(bytes("long")).addColumn(D, bytes("v"), bytes("x")).setTTL(3_600_000));
    }
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      Map<String, String> before = versions(table);
      TableName target;
      try (Migrator migrator =
          migrator("salt(4) + key:bytes", by, Stage.FINISHED, MigrationListener.NONE)) {
        target = migrator.run().target();
      }
      assertThat(versions(table)).isEqualTo(before);
      assertThat(timesToLive(target)).containsExactly(3_600_000L);
    }
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @EnumSource(value = Migration.By.class, names = "SNAPSHOT", mode = EnumSource.Mode.EXCLUDE)
  void versionsTimestampsAndTagsAreCopiedByOtherWaysToo(Migration.By by) throws Exception {
    versionsTimestampsAndTagsAreCopied(by);
  }

  private List<Long> timesToLive(TableName generation) throws IOException {
    Configuration withTags = new Configuration(plain.getConfiguration());
    withTags.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    List<Long> found = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(withTags);
        Table table = connection.getTable(generation);
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        PrivateCellUtil.getTag(row.rawCells()[0], TagType.TTL_TAG_TYPE)
            .map(Tag::getValueAsLong)
            .ifPresent(found::add);
      }
    }
    return found;
  }

  @org.junit.jupiter.api.Tag("long")
  @Test
  void rollbackIsPossibleUntilTheEnd() throws Exception {
    create("salt(4) + key:bytes");
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(3);
      traffic.start(4);
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > 50);
      try (Migrator migrator = migrator("salt(3) + key:bytes", false, Stage.SWITCHED)) {
        migrator.run();
        long before = traffic.written();
        await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > before + 50);
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().generation()).isEqualTo(name);
      }
      long before = traffic.written();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.written() > before + 20);
      traffic.check();
    }
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(Migration.next(name, name))).isFalse();
      assertThat(TableGuard.state(admin.getDescriptor(name)).mode()).isEqualTo(GuardMode.OPEN);
      assertThat(admin.getDescriptor(name).getColumnFamilyCount()).isEqualTo(1);
    }
    // And once more, all the way.
    try (Migrator migrator = migrator("salt(5) + key:bytes", true, Stage.FINISHED)) {
      assertThat(migrator.run().turn()).isGreaterThan(8);
    }
    try (Migrator migrator = migrator("salt(6) + key:bytes", false, Stage.FINISHED)) {
      assertThat(migrator.run().target()).isEqualTo(TableName.valueOf(name + ".g3"));
      assertThatThrownBy(() -> migrator.aimFor(Stage.ROLLED_BACK))
          .hasMessageContaining("migration cannot reach this goal");
    }
    assertThat(tables.open(name).get(new Get(bytes("before-7"))).isEmpty()).isFalse();
  }

  private static Put put(String key) {
    return new Put(bytes(key)).addColumn(D, bytes("q"), bytes("value of " + key));
  }

  @ParameterizedTest
  @EnumSource(
      value = ClientKind.class,
      names = {"BATCH", "ASYNC_BUFFERED"})
  void clientsOfEveryKindFollowTheMigration(ClientKind kind) throws Exception {
    create("salt(4) + key:bytes");
    List<String> written = new ArrayList<>();
    try (OpenClient client = open(kind)) {
      ThrowingRunnable writing =
          () -> {
            String key = "at-" + written.size();
            client.put(put(key));
            written.add(key);
          };
      try (Migrator migrator =
          migrator("salt(3) + key:bytes", false, Stage.FINISHED, atOpen(writing))) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
    }
    assertThat(written).as("one row at each stage").hasSizeGreaterThan(4);
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      for (String key : written) {
        assertThat(table.exists(new Get(bytes(key)))).as(key).isTrue();
      }
    }
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = ClientKind.class,
      names = {"BATCH", "ASYNC_BUFFERED"},
      mode = EnumSource.Mode.EXCLUDE)
  void clientsOfOtherKindsFollowTheMigrationToo(ClientKind kind) throws Exception {
    clientsOfEveryKindFollowTheMigration(kind);
  }

  private enum ClientKind {
    TABLE,
    BATCH,
    BUFFERED,
    OWN,
    OWN_BUFFERED,
    ASYNC,
    ASYNC_BUFFERED
  }

  @FunctionalInterface
  private interface Puts {
    void put(Put put) throws Exception;
  }

  /** A client and what it has to close, which sends what it has buffered. */
  private record OpenClient(Puts puts, List<Closeable> resources) implements Closeable {
    void put(Put put) throws Exception {
      puts.put(put);
    }

    @Override
    public void close() throws IOException {
      for (Closeable resource : resources) {
        resource.close();
      }
    }
  }

  private OpenClient open(ClientKind kind) throws Exception {
    return switch (kind) {
      case TABLE, BATCH, BUFFERED -> {
        Connection client = dropIn();
        Table table = client.getTable(name);
        BufferedMutator buffered = client.getBufferedMutator(name);
        Puts puts =
            switch (kind) {
              case TABLE -> table::put;
              case BATCH -> put -> table.batch(List.of(put), new Object[1]);
              default -> buffered::mutate;
            };
        yield new OpenClient(puts, List.of(buffered, table, client));
      }
      case OWN, OWN_BUFFERED -> {
        SpreadTables own = SpreadTables.on(plain);
        SpreadTable table = own.open(name);
        SpreadMutator mutator = table.mutator();
        Puts puts = kind == ClientKind.OWN ? table::put : mutator::put;
        yield new OpenClient(puts, List.of(mutator::close, own::close));
      }
      case ASYNC, ASYNC_BUFFERED -> {
        AsyncConnection client = asyncDropIn();
        AsyncTable<?> table = client.getTable(name);
        AsyncBufferedMutator buffered = client.getBufferedMutator(name);
        Puts puts =
            kind == ClientKind.ASYNC
                ? put -> table.put(put).get(30, TimeUnit.SECONDS)
                : put -> {
                  CompletableFuture<Void> done = buffered.mutate(put);
                  buffered.flush();
                  done.get(30, TimeUnit.SECONDS);
                };
        yield new OpenClient(puts, List.of(buffered, client));
      }
    };
  }

  private AsyncConnection asyncDropIn() throws Exception {
    Configuration async = new Configuration(plain.getConfiguration());
    async.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return ConnectionFactory.createAsyncConnection(async).get();
  }

  private static final Set<Stage> OPEN =
      EnumSet.of(
          Stage.PREPARING,
          Stage.COPYING,
          Stage.VERIFYING,
          Stage.READY,
          Stage.SWITCHED,
          Stage.FINISHED);

  /** Does something at each stage at which clients may write, in the migrator's thread. */
  private static MigrationListener atOpen(ThrowingRunnable action) {
    return migration -> {
      if (OPEN.contains(migration.stage())) {
        try {
          action.run();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  @Test
  void incrementsOfEveryKindAreCountedOnce() throws Exception {
    create("salt(4) + key:bytes");
    int[] times = new int[1];
    try (Connection client = dropIn();
        Table table = client.getTable(name);
        AsyncConnection later = asyncDropIn()) {
      AsyncTable<?> asyncTable = later.getTable(name);
      ThrowingRunnable counting =
          () -> {
            Increment one = new Increment(bytes("count")).addColumn(D, bytes("n"), 1);
            table.batch(List.of(put("beside"), one), new Object[2]);
            asyncTable.increment(one).get(30, TimeUnit.SECONDS);
            times[0]++;
          };
      try (Migrator migrator =
          migrator("salt(3) + key:bytes", true, Stage.FINISHED, atOpen(counting))) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      assertThat(times[0]).isGreaterThan(4);
      Get count = new Get(bytes("count"));
      assertThat(Bytes.toLong(table.get(count).getValue(D, bytes("n")))).isEqualTo(2L * times[0]);
      assertThat(Bytes.toLong(asyncTable.get(count).get().getValue(D, bytes("n"))))
          .isEqualTo(2L * times[0]);
    }
  }

  @org.junit.jupiter.api.Tag("long")
  @Test
  void aCopySpeedsUpWhileReadsAreQuick() throws Exception {
    create("salt(4) + key:bytes");
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse("salt(3) + key:bytes"))
            .withPace(new Migration.Pace(500, 60_000));
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      migrator.run();
    }
    Migration.Pace pace = registry.migrations().get(name).orElseThrow().value().pace();
    assertThat(pace.rowsPerSecond()).isEqualTo(500);
    assertThat(pace.heldTo()).as("looked at, and found quick").isGreaterThan(500);
    assertThat(pace.allowed()).as("never faster than it was set").isEqualTo(500);
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @EnumSource(Migration.By.class)
  void aRowWithANullThatOnlyPhoenixHasIsNamedAndNothingIsLost(Migration.By by) throws Exception {
    String key = "org:string + id:int64";
    Layout phoenix = Layout.parse("phoenix_salt(4) + " + key);
    tables.create(name, phoenix, phoenix.splits(2), List.of("d"));
    try (Table stored = plain.getTable(name)) {
      for (int i = 0; i < 20; i++) {
        byte[] row = phoenix.physical(phoenix.logicalKey(Values.of(Map.of("org", "o", "id", i))));
        stored.put(new Put(row).addColumn(D, D, bytes("x")));
      }
      byte[] withoutId = phoenix.physical(bytes("no-id"));
      stored.put(new Put(withoutId).addColumn(D, D, bytes("x")));
      try (Migrator migrator =
          migrator("salt(3) + " + key, by, Stage.READY, MigrationListener.NONE)) {
        assertThatThrownBy(migrator::run)
            .isInstanceOf(MigrationException.class)
            .hasMessageContainingAll(
                "row cannot be copied: table=" + name,
                "a null, which only layouts of Phoenix have",
                "row=no-id",
                "resume the migration");
        stored.delete(new Delete(withoutId));
        assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
        assertThat(migrator.migration().work().rows()).isEqualTo(20);
      }
    }
  }

  @Test
  void impossibleMigrationsAreRefusedByName() throws Exception {
    create("salt(4) + key:bytes");
    assertThatThrownBy(() -> migrator("salt(4, random) + key:bytes", true, Stage.READY))
        .hasMessageContainingAll("cannot be migrated live", "random salt");
    assertThatThrownBy(() -> migrator("salt(4) + key:string", true, Stage.READY))
        .hasMessageContainingAll("would change the logical keys", "key:bytes", "key:string");
    assertThatThrownBy(() -> migrator("salt(4) + key:bytes", true, Stage.READY))
        .hasMessageContaining("has this layout already");
    try (Admin admin = plain.getAdmin()) {
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(D).setNewVersionBehavior(true).build());
      assertThatThrownBy(() -> migrator("salt(3) + key:bytes", true, Stage.READY))
          .hasMessageContainingAll("NEW_VERSION_BEHAVIOR", "family=d");
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .modifyColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .setCoprocessor("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")
              .build());
      assertThatThrownBy(() -> migrator("salt(3) + key:bytes", true, Stage.READY))
          .hasMessageContainingAll("coprocessor that may write", "MultiRowMutationEndpoint");
      // As the operator says, it is used for no writes.
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(
                  "EVENKEY_READ_ONLY_COPROCESSORS",
                  "a.B, org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")
              .build());
      new MigrationChecks(plain).checkKind(name);
    }
    assertThat(registry.migrations().get(name)).isEmpty();
  }

  @org.junit.jupiter.api.Tag("long")
  @Test
  void aCopyThatIsCalledOffLeavesNoThreadsBehind() throws Exception {
    create("salt(4) + key:bytes");
    SpreadTable filled = tables.open(name);
    for (int i = 0; i < 500; i++) {
      filled.put(new Put(bytes("row-" + i)).addColumn(D, bytes("q"), bytes("x")));
    }
    List<Thread> before = threadsOfTasks();
    List<Thread> copying = new ArrayList<>();
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {}

          @Override
          public void progress(double share, long rows) {
            if (rows > 0) {
              copying.addAll(threadsOfTasks());
              copying.removeAll(before);
              throw new IllegalStateException("called off");
            }
          }
        };
    // Rows in another order have to be sorted: that is what has buffers.
    try (Migrator migrator =
        migrator("md5(key)[0..1]:bytes + key:bytes", Migration.By.FILES, Stage.READY, listener)) {
      setPace(new Migration.Pace(50, 0));
      assertThatThrownBy(migrator::run).hasMessage("called off");
    }
    assertThat(copying).extracting(Thread::getName).contains("SpillThread");
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(copying).noneMatch(Thread::isAlive));
  }

  @org.junit.jupiter.api.Tag("long")
  @Test
  void aThreadThatIsInterruptedWhileItCallsACopyOffStaysInterrupted() throws Exception {
    create("salt(4) + key:bytes");
    MigrationListener listener =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {}

          @Override
          public void progress(double share, long rows) {
            if (rows > 0) {
              Thread.currentThread().interrupt();
              throw new IllegalStateException("called off");
            }
          }
        };
    try (Migrator migrator =
        migrator("salt(3) + key:bytes", Migration.By.PUTS, Stage.READY, listener)) {
      setPace(new Migration.Pace(50, 0));
      assertThatThrownBy(migrator::run).hasMessage("called off");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aLockThatCannotBeReleasedIsLogged() throws Exception {
    create("salt(4) + key:bytes");
    Registry lost = Registry.open(plain.getConfiguration());
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse("salt(3) + key:bytes")).by(Migration.By.PUTS);
    Migrator migrator = Migrator.begin(plain, lost, plan, settings(), MigrationListener.NONE);
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(Migrator.class);
    logger.addAppender(logged);
    logged.start();
    try {
      lost.close();
      migrator.close();
      assertThat(logged.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .anyMatch(line -> line.startsWith("Not closed") && line.contains("lock of a migration"));
    } finally {
      logger.detachAppender(logged);
    }
  }

  /** By the names that MapReduce gives them: it says of no thread which job that works for. */
  private static List<Thread> threadsOfTasks() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> Set.of("SpillThread", "communication thread").contains(thread.getName()))
        .toList();
  }

  @org.junit.jupiter.api.Tag("long")
  @ParameterizedTest
  @EnumSource(Migration.By.class)
  void theJobOfAMigrationThatWasKilledWritesNothingAfterItsRound(Migration.By by) throws Exception {
    create("salt(4) + key:bytes");
    try (Connection client = dropIn();
        Table table = client.getTable(name)) {
      table.put(new Put(bytes("row")).addColumn(D, bytes("q"), bytes("x")));
      Migration[] copying = new Migration[1];
      MigrationListener listener =
          migration -> {
            if (migration.stage() == Stage.COPYING) {
              copying[0] = migration;
            }
          };
      try (Migrator migrator = migrator("salt(3) + key:bytes", by, Stage.READY, listener)) {
        migrator.run();
      }
      TableName target = copying[0].target();
      Layout layout = tables.generation(target).layout();
      Copy late =
          new Copy(
              plain,
              new RowRewriter(Layout.parse("salt(4) + key:bytes"), layout),
              copying[0],
              Set.of(D),
              settings().work());
      byte[] only = bytes("only in the old generation");
      try (Table source = plain.getTable(name)) {
        byte[] row = Layout.parse("salt(4) + key:bytes").physical(only);
        source.put(new Put(row).addColumn(D, bytes("q"), bytes("x")));
        assertThatThrownBy(() -> late.round(0, (share, rows) -> {}))
            .isInstanceOf(MigrationException.class)
            .hasMessageContaining("copy failed");
        assertThat(tables.generation(target).get(new Get(only)).isEmpty()).isTrue();
      }
      late.tidy();
      try (Stream<java.nio.file.Path> left = Files.list(directory)) {
        assertThat(left).isEmpty();
      }
    }
  }

  @org.junit.jupiter.api.Tag("long")
  @Test
  void aRollbackDropsTheSnapshotOfACopyThatWasKilled() throws Exception {
    create("salt(4) + key:bytes");
    MigrationListener killing =
        new MigrationListener() {
          @Override
          public void stage(Migration migration) {
            // The copy is what is killed.
          }

          @Override
          public void progress(double share, long rows) {
            throw new Killed();
          }
        };
    try (Admin admin = plain.getAdmin()) {
      Pattern snapshots = Pattern.compile(".*" + Pattern.quote(name.getNameAsString()) + ".*");
      try (Migrator migrator =
          migrator("salt(3) + key:bytes", Migration.By.SNAPSHOT, Stage.READY, killing)) {
        assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
      }
      assertThat(admin.listSnapshots(snapshots)).hasSize(1);
      try (Migrator migrator =
          Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      assertThat(admin.listSnapshots(snapshots)).isEmpty();
    }
  }

  @org.junit.jupiter.api.Tag("long")
  @Test
  void aCopyKeepsToItsPaceAndGoesOnAtAnother() throws Exception {
    create("salt(2) + key:bytes");
    int perSecond = 50;
    int slow = 100;
    long[] reachedMs = new long[2];
    MigrationListener listener =
        new MigrationListener() {
          private long begun;

          @Override
          public void stage(Migration migration) {
            if (migration.stage() == Stage.COPYING) {
              begun = System.nanoTime();
            } else if (migration.stage() == Stage.VERIFYING && reachedMs[1] == 0) {
              reachedMs[1] = sinceBegun();
            }
          }

          @Override
          public void progress(double share, long done) {
            if (done >= slow && reachedMs[0] == 0) {
              reachedMs[0] = sinceBegun();
              setPace(Migration.Pace.FREE);
            }
          }

          private long sinceBegun() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
          }
        };
    try (Migrator migrator =
        migrator("salt(3) + key:bytes", Migration.By.PUTS, Stage.READY, listener)) {
      setPace(new Migration.Pace(perSecond, 0));
      migrator.run();
      assertThat(migrator.migration().work().rows()).isEqualTo(ROWS);
    }
    assertThat(reachedMs[0])
        .as("ms until %d of %d rows were copied at %d/s", slow, ROWS, perSecond)
        .isGreaterThan(1_000L * (slow - perSecond) / perSecond);
    assertThat(reachedMs[1])
        .as("ms until all rows were copied, which at %d/s would take longer", perSecond)
        .isLessThan(1_000L * ROWS / perSecond);
  }

  private void setPace(Migration.Pace pace) {
    try {
      Versioned<Migration> now = registry.migrations().get(name).orElseThrow();
      registry.migrations().store(now.value().withPace(pace), now.version());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anAdministrativeChangeOfATableThatIsMigratedIsRefused() throws Exception {
    moveUntilReady();
    try (Connection client = dropIn();
        Admin admin = client.getAdmin()) {
      assertThatThrownBy(() -> admin.truncateTable(name, false))
          .as("it would be done to one generation")
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("is migrated from " + name);
      assertThatThrownBy(() -> admin.disableTable(name)).isInstanceOf(TableLayoutException.class);
    }
  }

  @Test
  void hbasesOwnClientIsRefusedByTheOldGenerationAfterTheSwitch() throws Exception {
    create("salt(4) + key:bytes");
    byte[] row = Layout.parse("salt(4) + key:bytes").physical(bytes("by its own client"));
    try (Table own = plain.getTable(name);
        Migrator migrator = migrator("salt(3) + key:bytes", false, Stage.SWITCHED)) {
      own.put(new Put(row).addColumn(D, bytes("q"), bytes("before")));
      migrator.run();
      assertThatThrownBy(() -> own.put(new Put(row).addColumn(D, bytes("q"), bytes("after"))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(Migration.next(name, name).getNameAsString());
      assertThatThrownBy(() -> own.get(new Get(row))).isInstanceOf(IOException.class);
      migrator.aimFor(Stage.FINISHED);
      migrator.run();
      assertThatThrownBy(() -> own.get(new Get(row))).isInstanceOf(IOException.class);
    }
    assertThat(tables.open(name).get(new Get(bytes("by its own client"))).value())
        .isEqualTo(bytes("before"));
  }

  @Test
  void aClientWithoutTheRegistryFollowsTheMigration() throws Exception {
    create("salt(4) + key:bytes");
    Configuration alone = new Configuration(plain.getConfiguration());
    alone.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    alone.set(EvenkeyConnection.REGISTRY, "off");
    try (Connection client = ConnectionFactory.createConnection(alone);
        Table table = client.getTable(name)) {
      table.put(put("before"));
      try (Migrator migrator = migrator("salt(3) + key:bytes", false, Stage.FINISHED)) {
        migrator.run();
      }
      assertThat(table.get(new Get(bytes("before"))).isEmpty()).isFalse();
      table.put(put("after"));
    }
    assertThat(tables.open(name).get(new Get(bytes("after"))).isEmpty()).isFalse();
  }

  private void moveUntilReady() throws IOException {
    create("salt(4) + key:bytes");
    try (Migrator migrator = migrator("salt(3) + key:bytes", false, Stage.READY)) {
      migrator.run();
    }
  }
}
