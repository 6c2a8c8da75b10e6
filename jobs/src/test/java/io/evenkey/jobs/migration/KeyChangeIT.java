/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.row.NextKeys;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.text.RowException;
import io.evenkey.protocol.index.IndexException;
import io.evenkey.protocol.index.IndexParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that get another row key while they are written to, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class KeyChangeIT extends MigrationFixture {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final int ROWS = 300;

  /** A pass repairs 1,024 rows at a time. */
  private static final int MORE_THAN_A_BATCH = 1_500;

  private SpreadTable create(Layout layout) throws IOException {
    return tables.create(name, layout, layout.splits(2), List.of("d"));
  }

  private MigrationPlan plan(String layout, String columns) {
    return MigrationPlan.of(name, Layout.parse(layout))
        .changingKey(columns.isEmpty() ? List.of() : IndexParser.columns(columns));
  }

  /** The rest of the key follows. */
  private MigrationPlan byCustomer() {
    return plan("salt(3, customer) + customer:string", KeyChangeTraffic.CUSTOMER_COLUMN);
  }

  private Migrator begin(MigrationPlan plan, MigrationListener listener) throws IOException {
    return Migrator.begin(plain, registry, plan, settings(), listener);
  }

  private Migrator begin(MigrationPlan plan) throws IOException {
    return begin(plan, MigrationListener.NONE);
  }

  /** A connection of an application that says which key it uses. */
  private Connection declaring(String key) throws IOException {
    Configuration configuration = new Configuration(LoadedTable.client(plain).getConfiguration());
    if (!key.isEmpty()) {
      configuration.set(DeclaredKeys.OF_TABLE + name, key);
    }
    return ConnectionFactory.createConnection(configuration);
  }

  private boolean exists(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(table);
    }
  }

  private TableName target() {
    return Migration.next(name, name);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Migration.By.class, names = "FILES")
  void rowsGetTheOtherKeyWhileClientsChangeThem(Migration.By by) throws Exception {
    changeUnderTraffic(by);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Migration.By.class, names = "FILES", mode = EnumSource.Mode.EXCLUDE)
  void rowsGetTheOtherKeyByOtherWaysOfTheCopyToo(Migration.By by) throws Exception {
    changeUnderTraffic(by);
  }

  private void changeUnderTraffic(Migration.By by) throws Exception {
    create(KeyChangeTraffic.BY_NUMBER);
    try (KeyChangeTraffic traffic = KeyChangeTraffic.byOneKey(plain, name);
        SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      traffic.start(1);
      traffic.start(2);
      traffic.awaitWrites(500);
      try (Migrator migrator = begin(byCustomer().by(by))) {
        assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
        assertThat(exists(NextKeys.table(target()))).isTrue();
        traffic.awaitWrites(500);
        migrator.aimFor(Stage.SWITCHED);
        assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
        traffic.awaitRefusals();
        assertThat(open.open(name).layout()).isEqualTo(KeyChangeTraffic.BY_CUSTOMER);
        traffic.check(open.open(name));
        migrator.aimFor(Stage.FINISHED);
        assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      }
      traffic.check(open.open(name));
    }
    assertThat(exists(NextKeys.table(target()))).isFalse();
    assertThat(registry.layouts().get(target()).orElseThrow().keyChanged()).isTrue();
  }

  @Tag("long")
  @Test
  void theWayBackHasWhatClientsWroteByTheOtherKey() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    try (KeyChangeTraffic traffic = KeyChangeTraffic.byOneKey(plain, name);
        SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      traffic.start(1);
      traffic.awaitWrites(300);
      try (Migrator migrator = begin(byCustomer().aimFor(Stage.SWITCHED))) {
        migrator.run();
        traffic.awaitRefusals();
        SpreadTable changed = open.open(name);
        traffic.put(changed, 9_001, "new", "1");
        traffic.give(changed, traffic.any(), "given");
        traffic.give(changed, 9_001, "given");
        traffic.give(changed, 9_001, "given again");
        traffic.remove(changed, traffic.any());
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      traffic.check(orders);
    }
    assertThat(exists(target())).isFalse();
    assertThat(exists(NextKeys.table(target()))).isFalse();
  }

  @Tag("long")
  @Test
  void theWayBackHasARowThatClientsMoveDuringAPass() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    orders.put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "z", "1"));
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      try (Migrator migrator =
          begin(
              plan("customer:string", KeyChangeTraffic.CUSTOMER_COLUMN)
                  .regions(1)
                  .aimFor(Stage.SWITCHED))) {
        migrator.run();
      }
      SpreadTable changed = open.open(name);
      List<Put> others = new ArrayList<>();
      for (long id = 1_000; id < 1_000 + MORE_THAN_A_BATCH; id++) {
        others.add(KeyChangeTraffic.order(KeyChangeTraffic.key("a", id), "a", "1"));
      }
      changed.put(others);
      changed.put(KeyChangeTraffic.order(KeyChangeTraffic.key("z", 7), "z", "2"));
      // A pass that has repaired the first rows does not know the key that the last one gets.
      MigrationListener moving =
          afterFirstRows(
              () -> {
                changed.put(KeyChangeTraffic.order(KeyChangeTraffic.key("zz", 7), "zz", "3"));
                changed.delete(new Delete(KeyChangeTraffic.key("z", 7)));
              });
      try (Migrator back = Migrator.resume(plain, registry, name, settings(), moving)) {
        back.aimFor(Stage.ROLLED_BACK);
        assertThat(back.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
    }
    assertOrderSeven(orders, "zz", "3");
  }

  @Test
  void theWayBackWaitsForAClientThatIsMovingARow() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    orders.put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    Get keys = new Get(KeyChangeTraffic.BY_NUMBER.physical(KeyChangeTraffic.key(7)));
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain);
        Migrator migrator = begin(byCustomer().aimFor(Stage.SWITCHED));
        Table keysOfRows = plain.getTable(NextKeys.table(target()))) {
      migrator.run();
      SpreadTable changed = open.open(name);
      changed.put(KeyChangeTraffic.order(KeyChangeTraffic.key("b", 7), "b", "2"));
      FutureTask<Void> rest =
          new FutureTask<>(
              () -> {
                // The pass has noted both keys, and reads the row by both.
                await().atMost(Duration.ofMinutes(1)).until(() -> keysOfRows.get(keys).size() == 2);
                changed.delete(new Delete(KeyChangeTraffic.key("a", 7)));
                return null;
              });
      new Thread(rest, "moving").start();
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      rest.get();
    }
    assertOrderSeven(orders, "b", "2");
  }

  @Tag("long")
  @Test
  void theWayBackPausesWritesAgainIfAClientWasMovingARow() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    orders.put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      try (Migrator migrator = begin(byCustomer().aimFor(Stage.SWITCHED))) {
        migrator.run();
      }
      SpreadTable changed = open.open(name);
      AtomicInteger pauses = new AtomicInteger();
      Action puts =
          () -> changed.put(KeyChangeTraffic.order(KeyChangeTraffic.key("b", 7), "b", "2"));
      Action deletes = () -> changed.delete(new Delete(KeyChangeTraffic.key("a", 7)));
      MigrationListener moving =
          new MigrationListener() {
            @Override
            public void stage(Migration at) {}

            @Override
            public void pausing(Duration expected) {
              if (pauses.incrementAndGet() == 1) {
                puts.runInListener();
              }
            }

            @Override
            public void paused(Duration pause) {
              if (pauses.get() == 1) {
                deletes.runInListener();
              }
            }
          };
      try (Migrator migrator = Migrator.resume(plain, registry, name, settings(), moving)) {
        migrator.aimFor(Stage.ROLLED_BACK);
        assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      }
      assertThat(pauses).hasValue(2);
    }
    assertOrderSeven(orders, "b", "2");
  }

  @Tag("long")
  @Test
  void twoRowsOfOneKeyBeforeAreInTheWayBack() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    orders.put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain);
        Migrator migrator = begin(byCustomer().aimFor(Stage.SWITCHED))) {
      migrator.run();
      SpreadTable changed = open.open(name);
      changed.put(KeyChangeTraffic.order(KeyChangeTraffic.key("b", 7), "b", "2"));
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThatThrownBy(migrator::run)
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("row=\"customer=b · id=7\"")
          .hasMessageContaining("another row has the same old key")
          .hasMessageContaining("key=id=7");
      // Clients go on meanwhile.
      changed.delete(new Delete(KeyChangeTraffic.key("a", 7)));
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
    }
    assertOrderSeven(orders, "b", "2");
  }

  @Tag("long")
  @Test
  void aRowThatGetsAKeyAgainThatItHadMeanwhileIsReported() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    byte[] key = KeyChangeTraffic.key(7);
    orders.put(KeyChangeTraffic.order(key, "a", "1"));
    try (Migrator migrator = begin(byCustomer())) {
      migrator.run();
    }
    orders.put(new Put(key).addColumn(D, CUSTOMER, Bytes.toBytes("b")));
    // The passes before the fence take the row to the other key.
    MigrationListener changingBack =
        at(
            Stage.FENCING,
            () -> orders.put(new Put(key).addColumn(D, CUSTOMER, Bytes.toBytes("a"))));
    try (Migrator migrator = Migrator.resume(plain, registry, name, settings(), changingBack)) {
      migrator.aimFor(Stage.SWITCHED);
      assertThatThrownBy(migrator::run)
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("row cannot get the new row key: row=\"id=7\"")
          .hasMessageContaining("its key is one that it already had during the migration");
    }
    // What passes before the last one find is as wrong.
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings(), MigrationListener.NONE)) {
      assertThat(migrator.migration().stage()).isEqualTo(Stage.READY);
      assertThatThrownBy(migrator::run)
          .hasMessageContaining("its key is one that it already had during the migration");
      orders.put(KeyChangeTraffic.order(key, "a", "2"));
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
    }
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      Result row = open.open(name).get(new Get(KeyChangeTraffic.key("a", 7)));
      assertThat(row.getValue(D, AMOUNT)).isEqualTo(Bytes.toBytes("2"));
    }
  }

  /** Something that may fail. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;

    /** Runs in a listener, which can throw no checked exception. */
    default void runInListener() {
      try {
        run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void assertOrderSeven(SpreadTable orders, String customer, String amount)
      throws IOException {
    Result row = orders.get(new Get(KeyChangeTraffic.key(7)));
    assertThat(row.getValue(D, CUSTOMER)).isEqualTo(Bytes.toBytes(customer));
    assertThat(row.getValue(D, AMOUNT)).isEqualTo(Bytes.toBytes(amount));
  }

  private static MigrationListener at(Stage stage, Action action) {
    return new MigrationListener() {
      @Override
      public void stage(Migration migration) {
        if (migration.stage() == stage) {
          action.runInListener();
        }
      }
    };
  }

  private static MigrationListener afterFirstRows(Action action) {
    return new MigrationListener() {
      private boolean done;

      @Override
      public void stage(Migration migration) {
        // The rows of a pass count.
      }

      @Override
      public void progress(double share, long rows) {
        if (!done) {
          done = true;
          action.runInListener();
        }
      }
    };
  }

  @Tag("long")
  @Test
  void anotherOrderOfTheSameFieldsNeedsNoColumn() throws Exception {
    Layout before = Layout.parse("salt(4) + device:string + ts:int64");
    SpreadTable table = create(before);
    List<Put> rows = new ArrayList<>();
    for (long i = 0; i < ROWS; i++) {
      byte[] key = before.logicalKey(Values.of(Map.of("device", "d" + i % 7, "ts", i)));
      rows.add(new Put(key).addColumn(D, AMOUNT, Bytes.toBytes(i)));
    }
    table.put(rows);
    byte[] deleted = rows.get(0).getRow();
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain);
        Migrator migrator = begin(plan("salt(3, device) + ts:int64 desc + device:string", ""))) {
      migrator.run();
      table.delete(new Delete(deleted));
      migrator.aimFor(Stage.FINISHED);
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      SpreadTable changed = open.open(name);
      List<Long> times = new ArrayList<>();
      try (ResultScanner all = changed.scan(KeyRange.all(), new Scan())) {
        for (Result row : all) {
          Values key = changed.layout().decodeLogical(row.getRow());
          assertThat(row.getValue(D, AMOUNT)).isEqualTo(Bytes.toBytes((Long) key.get("ts")));
          assertThat(key.get("device")).isEqualTo("d" + (Long) key.get("ts") % 7);
          times.add((Long) key.get("ts"));
        }
      }
      List<Long> wanted = new ArrayList<>();
      for (long i = ROWS - 1; i > 0; i--) {
        wanted.add(i);
      }
      assertThat(times).isEqualTo(wanted);
    }
  }

  @Test
  void applicationsHaveToSayThatTheyUseTheOtherKey() throws Exception {
    create(KeyChangeTraffic.BY_NUMBER)
        .put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    String before = "id:int64";
    String after = "customer:string + id:int64";
    try (Connection silent = declaring("");
        Connection old = declaring(before);
        Connection early = declaring(after);
        Table silentTable = silent.getTable(name);
        Table oldTable = old.getTable(name);
        Table earlyTable = early.getTable(name);
        Migrator migrator = begin(byCustomer().aimFor(Stage.SWITCHED))) {
      Get get = new Get(KeyChangeTraffic.key(7));
      assertThat(silentTable.get(get).isEmpty()).isFalse();
      assertThat(oldTable.get(get).isEmpty()).isFalse();
      assertThatThrownBy(() -> earlyTable.get(new Get(KeyChangeTraffic.key("a", 7))))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining(
              "table has another row key than the application uses: table=%s key=id:int64", name)
          .hasMessageContaining("have the row key changed");
      migrator.run();
      assertThatThrownBy(() -> silentTable.get(get))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("the application does not declare")
          .hasMessageContaining("key=" + after)
          .hasMessageContaining("set evenkey.key." + name + " to this key");
      assertThatThrownBy(() -> oldTable.get(get))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("the key was changed by a migration");
      assertThat(earlyTable.get(new Get(KeyChangeTraffic.key("a", 7))).isEmpty()).isFalse();
      // An application that declares the fields, and still makes keys of before, has no key of the
      // table.
      assertThatThrownBy(() -> earlyTable.get(get))
          .isInstanceOf(RowException.class)
          .hasMessageContaining("row does not fit its layout");
      migrator.aimFor(Stage.ROLLED_BACK);
      migrator.run();
      assertThat(oldTable.get(get).isEmpty()).isFalse();
      assertThat(silentTable.get(get).isEmpty()).isFalse();
      assertThatThrownBy(() -> earlyTable.get(new Get(KeyChangeTraffic.key("a", 7))))
          .isInstanceOf(TableLayoutException.class);
    }
    try (Connection wrong = declaring("customer:strin");
        Table table = wrong.getTable(name)) {
      assertThatThrownBy(() -> table.get(new Get(KeyChangeTraffic.key(7))))
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining(
              "setting is not a row key: table=%s evenkey.key.%s=customer:strin", name, name);
    }
  }

  @Test
  void rowsInBytesAreRejectedFromApplicationsThatNameFieldsOnly() throws Exception {
    create(KeyChangeTraffic.BY_NUMBER)
        .put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    try (Migrator migrator = begin(byCustomer().aimFor(Stage.SWITCHED))) {
      migrator.run();
    }
    byte[] row = KeyChangeTraffic.key("a", 7);
    Put put = KeyChangeTraffic.order(row, "a", "2");
    try (Connection client = declaring(DeclaredKeys.BY_FIELDS);
        Table table = client.getTable(name);
        BufferedMutator buffer = client.getBufferedMutator(name);
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(client.getConfiguration()).get();
        SpreadTables byFields = SpreadTables.on(client)) {
      AsyncTable<?> later = async.getTable(name);
      areRejected(
          () -> table.get(new Get(row)),
          () -> table.exists(new Get(row)),
          () -> table.get(List.of(new Get(row))),
          () -> table.put(put),
          () -> table.put(List.of(put, put)),
          () -> table.delete(new Delete(row)),
          () -> table.batch(List.of(put), new Object[1]),
          () -> table.mutateRow(RowMutations.of(List.of(put))),
          () -> first(table.getScanner(new Scan().withStartRow(row))),
          () -> first(table.getScanner(new Scan().withStopRow(row))),
          () -> first(table.getScanner(new Scan().setFilter(new PrefixFilter(row)))),
          () -> first(table.getScanner(new Scan().setFilter(new FilterBase() {}))),
          () -> first(later.getScanner(new Scan().withStartRow(row))),
          () -> buffer.mutate(put),
          () -> FutureUtils.get(later.get(new Get(row))),
          () -> FutureUtils.get(later.put(put)),
          () -> FutureUtils.get(later.putAll(List.of(put))),
          () -> FutureUtils.get(later.scanAll(new Scan().withStopRow(row))));
      assertThat(first(table.getScanner(new Scan())).getRow()).isEqualTo(row);
      assertThat(FutureUtils.get(later.scanAll(new Scan().setFilter(new PageFilter(1)))))
          .hasSize(1);
      SpreadTable orders = byFields.open(name);
      assertThat(orders.select().where("customer = 'a'").stream().count()).isEqualTo(1);
      orders.put(put);
      assertThat(orders.get(new Get(row)).getValue(D, AMOUNT)).isEqualTo(Bytes.toBytes("2"));
    }
  }

  private static Result first(ResultScanner scanner) throws IOException {
    try (scanner) {
      return scanner.next();
    }
  }

  private void areRejected(ThrowingCallable... requests) {
    for (ThrowingCallable request : requests) {
      assertThatThrownBy(request)
          .hasStackTraceContaining("row in bytes, from an application that names rows by fields")
          .hasStackTraceContaining("key=customer:string + id:int64")
          .hasStackTraceContaining("then set evenkey.key." + name + " to this key");
    }
  }

  @Test
  void aRowWithoutTheColumnIsNamed() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    orders.put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    orders.put(new Put(KeyChangeTraffic.key(8)).addColumn(D, AMOUNT, Bytes.toBytes("2")));
    try (Migrator migrator = begin(byCustomer())) {
      assertThatThrownBy(migrator::run)
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("row lacks a column")
          .hasMessageContaining("columns=d:customer")
          .hasMessageContaining("delete it, or write it again");
      orders.delete(new Delete(KeyChangeTraffic.key(8)));
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
      orders.put(new Put(KeyChangeTraffic.key(9)).addColumn(D, AMOUNT, Bytes.toBytes("2")));
      migrator.aimFor(Stage.SWITCHED);
      assertThatThrownBy(migrator::run)
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("row cannot get the new row key: row=\"id=9\"");
      orders.put(new Put(KeyChangeTraffic.key(9)).addColumn(D, CUSTOMER, Bytes.toBytes("late")));
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
    }
  }

  @Test
  void whatWouldLoseSomethingIsRefused() throws Exception {
    SpreadTable orders = create(KeyChangeTraffic.BY_NUMBER);
    orders.put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    assertThatThrownBy(() -> begin(MigrationPlan.of(name, KeyChangeTraffic.BY_CUSTOMER)))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("would change the logical keys")
        .hasMessageContaining("have the row key changed");
    assertThatThrownBy(() -> begin(plan("salt(3) + customer:string", "")))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("neither of the table's key nor from a column: field=customer");
    assertThatThrownBy(
            () -> begin(plan("salt(3, random) + customer:string", "customer=d:customer")))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("whose salt does not depend on it");
    try (Admin admin = plain.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue("EVENKEY_RAW_WRITES", "allow")
              .build());
      assertThatThrownBy(() -> begin(byCustomer()))
          .hasMessageContaining("EVENKEY_RAW_WRITES=allow")
          .hasMessageContaining("say that they have stopped");
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .removeValue("EVENKEY_RAW_WRITES")
              .modifyColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(D)
                      .setKeepDeletedCells(KeepDeletedCells.TRUE)
                      .build())
              .build());
      assertThatThrownBy(() -> begin(byCustomer())).hasMessageContaining("KEEP_DELETED_CELLS=TRUE");
    }
    assertThat(registry.migrations().get(name)).isEmpty();
    assertThat(exists(target())).isFalse();
  }

  @Tag("long")
  @Test
  void whereverItIsKilledItGoesOn() throws Exception {
    create(KeyChangeTraffic.BY_NUMBER);
    try (KeyChangeTraffic traffic = KeyChangeTraffic.byOneKey(plain, name);
        SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      traffic.start(1);
      traffic.start(2);
      traffic.awaitWrites(200);
      Migration migration = null;
      for (int kills = 0; migration == null; kills++) {
        MigrationListener listener = killingAfter(kills);
        try (Migrator migrator =
            kills == 0
                ? begin(byCustomer().aimFor(Stage.FINISHED), listener)
                : Migrator.resume(plain, registry, name, settings(), listener)) {
          migration = migrator.run();
        } catch (Killed e) {
          traffic.writes();
        }
      }
      assertThat(migration.stage()).isEqualTo(Stage.FINISHED);
      traffic.awaitRefusals();
      traffic.check(open.open(name));
    }
  }

  @Tag("long")
  @Test
  void aTableWithAChangedKeyIsMigratedAndRenamedAsAnyOther() throws Exception {
    create(KeyChangeTraffic.BY_NUMBER)
        .put(KeyChangeTraffic.order(KeyChangeTraffic.key(7), "a", "1"));
    try (Migrator migrator = begin(byCustomer().aimFor(Stage.FINISHED))) {
      migrator.run();
    }
    try (Migrator migrator =
        begin(
            MigrationPlan.of(name, Layout.parse("salt(2) + customer:string + id:int64"))
                .aimFor(Stage.FINISHED))) {
      assertThat(migrator.run().kind()).isInstanceOf(Kind.AnotherSpread.class);
    }
    try (Migrator renaming =
        Migrator.rename(plain, registry, name, settings(), MigrationListener.NONE)) {
      assertThat(renaming.run().stage()).isEqualTo(Stage.FINISHED);
    }
    try (Connection silent = declaring("");
        Table table = silent.getTable(name)) {
      assertThatThrownBy(() -> table.get(new Get(KeyChangeTraffic.key("a", 7))))
          .hasMessageContaining("row key of the table was changed by a migration");
    }
    assertThat(registry.layouts().get(name).orElseThrow().keyChanged()).isTrue();
    try (SpreadTables open = KeyChangeTraffic.tablesByFields(plain)) {
      assertThat(open.open(name).get(new Get(KeyChangeTraffic.key("a", 7))).isEmpty()).isFalse();
    }
  }
}
