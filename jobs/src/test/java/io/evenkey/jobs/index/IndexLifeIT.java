/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.index.EntryFamily;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.guard.OtherWriters;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes are added to live tables, verified, repaired and dropped. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexLifeIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final Layout LAYOUT = Layout.parse("salt(4) + seller:string + id:int64");
  private static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer events joining as \"salt(3) + customer:string\" from customer=d:customer"
              + " covering d:amount");

  /** A writer writes the same rows again and again, so that no comparison takes long. */
  private static final long ROWS_OF_WRITER = 900;

  @TempDir private Path directory;
  private Connection plain;
  private SpreadTables tables;
  private Registry registry;
  private TableName name;

  @BeforeEach
  void create(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    name =
        TableName.valueOf(
            "life_"
                + info.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(info.getDisplayName().hashCode()));
    tables.create(name, LAYOUT, LAYOUT.splits(4), List.of("d"));
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
    tables.close();
  }

  private static byte[] key(long id) {
    return LAYOUT.logicalKey(Values.of("seller", "s" + id % 7).and("id", id));
  }

  private static Put order(long id) {
    return new Put(key(id))
        .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c" + id % 11))
        .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("a" + id));
  }

  private void write(long from, long to) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (long id = from; id < to; id++) {
      puts.add(order(id));
    }
    tables.open(name).put(puts);
  }

  private IndexReport add(TableIndex index, IndexListener listener) throws IOException {
    return new IndexAddition(name, index, 0, 0).run(plain, registry, listener);
  }

  /** The same, with the entries of earlier rows in files. */
  private IndexReport addByFiles(TableIndex index, IndexListener listener) throws IOException {
    return new IndexAddition(name, index, 0, 0, new org.apache.hadoop.fs.Path(directory.toUri()))
        .run(plain, registry, listener);
  }

  private IndexReport verify(boolean repair) throws IOException {
    return IndexVerification.run(plain, registry, name, "by_customer", repair, IndexListener.NONE);
  }

  private TableName entries() {
    return TableName.valueOf(name.getNameAsString() + ".by_customer");
  }

  /** The ids that a reader of the index sees, which must be in order and none twice. */
  private Set<Long> read() throws IOException {
    Set<Long> ids = new TreeSet<>();
    String before = "";
    try (KeyedRows rows = tables.open(name).select().by("by_customer").open()) {
      for (KeyedRow row : rows) {
        assertThat(ids.add(row.getLong("id"))).isTrue();
        String customer = row.getString("customer");
        assertThat(customer).isGreaterThanOrEqualTo(before);
        before = customer;
      }
    }
    return ids;
  }

  /** A reader sees rows that were written before it began. */
  private void hasAll(Set<Long> written) throws IOException {
    Set<Long> missing = new TreeSet<>(written);
    missing.removeAll(read());
    assertThat(missing).isEmpty();
  }

  private static Set<Long> ids(long from, long to) {
    Set<Long> ids = new TreeSet<>();
    for (long id = from; id < to; id++) {
      ids.add(id);
    }
    return ids;
  }

  private static Configuration dropIn(Connection plain) {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  /** Writes of one kind of client. */
  @FunctionalInterface
  private interface Write {
    void put(List<Put> orders) throws Exception;
  }

  /** Clients that write rows in their own way until they are stopped; then all rows are there. */
  private final class Writers implements AutoCloseable {
    private final Configuration configuration = dropIn(plain);
    private final Connection connection = ConnectionFactory.createConnection(configuration);
    private final AsyncConnection async =
        Futures.get(ConnectionFactory.createAsyncConnection(configuration));
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
    private final List<Thread> threads = new ArrayList<>();

    Writers(long from) throws IOException {
      Table table = connection.getTable(name);
      BufferedMutator mutator = connection.getBufferedMutator(name);
      start(from, orders -> table.put(orders.get(0)));
      start(from + 1_000_000, table::put);
      start(
          from + 2_000_000,
          orders -> {
            mutator.mutate(orders);
            mutator.flush();
          });
      start(from + 3_000_000, orders -> Futures.get(async.getTable(name).put(orders.get(0))));
    }

    private void start(long from, Write write) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (long at = 0; !stopped.get(); at += 3) {
                    long id = from + at % ROWS_OF_WRITER;
                    write.put(List.of(order(id), order(id + 1), order(id + 2)));
                    acknowledged.add(id);
                  }
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }

    /** The rows of which clients know by now that they are written. */
    Set<Long> acknowledged() {
      return new TreeSet<>(acknowledged);
    }

    Set<Long> stop() throws IOException {
      end();
      assertThat(failures).isEmpty();
      assertThat(acknowledged).hasSizeGreaterThan(4);
      return acknowledged;
    }

    private void end() throws IOException {
      stopped.set(true);
      try {
        for (Thread thread : threads) {
          thread.join();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while writers end", e);
      }
    }

    @Override
    public void close() throws IOException {
      end();
      async.close();
      connection.close();
    }
  }

  /** The way in which entries of earlier rows are written. */
  private enum Filling {
    PUTS,
    FILES
  }

  private IndexReport add(TableIndex index, Filling by, IndexListener listener) throws IOException {
    return by == Filling.PUTS ? add(index, listener) : addByFiles(index, listener);
  }

  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "PUTS")
  void rowsOfBeforeAndOfClientsThatWriteMeanwhileAreInTheIndex(Filling by) throws Exception {
    write(0, 3_000);
    try (Writers writers = new Writers(10_000)) {
      List<IndexListener.Phase> phases = new ArrayList<>();
      IndexReport report =
          add(
              BY_CUSTOMER,
              by,
              new IndexListener() {
                @Override
                public void begins(Phase phase) {
                  phases.add(phase);
                }

                @Override
                public void progress(double share, long rows) {}
              });
      assertThat(report.isComplete()).isTrue();
      assertThat(report.rows()).isGreaterThanOrEqualTo(3_000);
      assertThat(phases)
          .containsExactly(
              IndexListener.Phase.CREATE,
              IndexListener.Phase.JOIN,
              IndexListener.Phase.FILL,
              IndexListener.Phase.COMPARE_ROWS);
      Set<Long> before = writers.acknowledged();
      before.addAll(ids(0, 3_000));
      hasAll(before);
      hasAll(writers.stop());
    }
    IndexReport whole = verify(false);
    assertThat(whole.found().missing()).isZero();
    assertThat(whole.found().stale()).isZero();
    IndexWork work = registry.indexes().get(name, "by_customer").orElseThrow();
    assertThat(work.filling().finished()).isNotNull();
    assertThat(work.verified().rows()).isEqualTo(whole.rows());
    try (Admin admin = plain.getAdmin()) {
      assertThat(TableLayout.indexes(admin.getDescriptor(name)).get("by_customer").orElseThrow())
          .isEqualTo(BY_CUSTOMER.in(IndexState.PUBLIC).since(1));
      assertThat(admin.getRegions(entries())).hasSize(6);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "FILES")
  void rowsOfBeforeAndOfClientsAreInTheIndexThatIsFilledByFiles(Filling by) throws Exception {
    rowsOfBeforeAndOfClientsThatWriteMeanwhileAreInTheIndex(by);
  }

  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "FILES")
  void anAdditionThatWasKilledAtAnyStepGoesOn(Filling by) throws Exception {
    write(0, 2_000);
    long next = 2_000;
    for (IndexListener.Phase killed :
        List.of(
            IndexListener.Phase.CREATE,
            IndexListener.Phase.JOIN,
            IndexListener.Phase.FILL,
            IndexListener.Phase.COMPARE_ROWS)) {
      assertThatThrownBy(
              () ->
                  add(
                      BY_CUSTOMER,
                      by,
                      new IndexListener() {
                        @Override
                        public void begins(Phase phase) {
                          if (phase == killed) {
                            throw new IllegalStateException("killed");
                          }
                        }

                        @Override
                        public void progress(double share, long rows) {}
                      }))
          .hasMessage("killed");
      write(next, next + 100);
      next += 100;
    }
    assertThatThrownBy(() -> tables.open(name).select().by("by_customer").open())
        .hasMessageContaining("index that is not read now");
    assertThat(add(BY_CUSTOMER, by, IndexListener.NONE).found().missing()).isZero();
    assertThat(read()).isEqualTo(ids(0, 2_400));
    assertThatThrownBy(() -> add(BY_CUSTOMER, IndexListener.NONE))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("index exists already");
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "PUTS")
  void anAdditionByPutsThatWasKilledAtAnyStepGoesOn(Filling by) throws Exception {
    anAdditionThatWasKilledAtAnyStepGoesOn(by);
  }

  /** Of a table with few regions, too: their tasks run at once and have the pace together. */
  @Tag("long")
  @Test
  void aFillingByFilesHasThePaceOfTheOperator() throws Exception {
    write(0, 2_000);
    Map<IndexListener.Phase, Long> begun = new EnumMap<>(IndexListener.Phase.class);
    new IndexAddition(name, BY_CUSTOMER, 0, 400, new org.apache.hadoop.fs.Path(directory.toUri()))
        .run(
            plain,
            registry,
            new IndexListener() {
              @Override
              public void begins(Phase phase) {
                begun.put(phase, System.nanoTime());
              }

              @Override
              public void progress(double share, long rows) {}
            });
    Duration filling =
        Duration.ofNanos(
            begun.get(IndexListener.Phase.COMPARE_ROWS) - begun.get(IndexListener.Phase.FILL));
    // Five seconds for the rows, less those that tasks do not wait for, and the job's own time.
    assertThat(filling).isGreaterThan(Duration.ofSeconds(4));
    Duration comparison =
        Duration.ofNanos(System.nanoTime() - begun.get(IndexListener.Phase.COMPARE_ROWS));
    assertThat(comparison).isGreaterThan(Duration.ofSeconds(4));
  }

  @Test
  void aFillingGoesOnWithWhatIsNotFilled() throws Exception {
    write(0, 500);
    add(BY_CUSTOMER, IndexListener.NONE);
    IndexWork work = registry.indexes().get(name, "by_customer").orElseThrow();
    assertThat(work.filling().rows()).isEqualTo(500);
    assertThat(work.filling().entries()).isEqualTo(500);
    assertThat(work.filling().done()).isEmpty();
  }

  @Test
  void aVerificationFindsRowsWithoutEntriesAndEntriesWithoutRowsAndRepairsBoth() throws Exception {
    write(0, 300);
    add(BY_CUSTOMER, IndexListener.NONE);
    SpreadTable index = tables.open(entries());
    List<Delete> lost = new ArrayList<>();
    try (ResultScanner all = index.scanStored()) {
      for (Result entry : all) {
        if (lost.size() < 5) {
          Delete raw = new Delete(entry.getRow());
          raw.setAttribute(GuardAttributes.ENTRY, new byte[0]);
          lost.add(raw);
        }
      }
    }
    index.delete(new ArrayList<>(lost));
    SpreadTable table = tables.open(name);
    List<Delete> deleted = new ArrayList<>();
    for (long id = 0; id < 300; id += 50) {
      deleted.add(new Delete(key(id)));
    }
    table.delete(deleted);

    IndexReport found = verify(false);
    assertThat(found.found().missing()).isBetween(1L, 5L);
    assertThat(found.found().stale()).isBetween(1L, 6L);
    assertThat(found.differences())
        .hasSize((int) (found.found().missing() + found.found().stale()));
    assertThat(found.isComplete()).isFalse();
    IndexReport repaired = verify(true);
    assertThat(repaired.added()).isEqualTo(found.found().missing());
    assertThat(repaired.removed()).isEqualTo(found.found().stale());
    assertThat(repaired.isComplete()).isTrue();
    IndexReport clean = verify(false);
    assertThat(clean.found().missing() + clean.found().stale()).isZero();
    assertThat(clean.entries()).isEqualTo(clean.rows()).isEqualTo(294);
    assertThat(read()).hasSize(294);
  }

  @ParameterizedTest
  @ValueSource(strings = {"events", "mutable"})
  void coveredColumnsThatAreDeletedAreNoLossWhereReadersTakeThemFromTheRow(String rows)
      throws Exception {
    write(0, 20);
    SpreadTable table = tables.open(name);
    TableIndex index = TableIndex.parse(BY_CUSTOMER.toString().replace("events", rows));
    // Between the filling and the comparison.
    IndexReport added =
        add(
            index,
            at(
                IndexListener.Phase.COMPARE_ROWS,
                () -> table.delete(new Delete(key(3)).addColumns(D, Bytes.toBytes("amount")))));
    assertThat(added.isComplete()).isTrue();
    table.delete(new Delete(key(4)).addColumns(D, Bytes.toBytes("amount")));
    IndexReport found = verify(false);
    assertThat(found.isComplete()).isTrue();
    assertThat(found.differences()).isEmpty();
    assertThat(rows(table.select().by("by_customer").column(D, Bytes.toBytes("amount"))))
        .hasSize(18);
    assertThat(read()).hasSize(20);
  }

  /** Does something when a phase begins. */
  private static IndexListener at(IndexListener.Phase phase, ThrowingCallable what) {
    return new IndexListener() {
      @Override
      public void begins(Phase begun) {
        if (begun == phase) {
          try {
            what.call();
          } catch (Throwable e) {
            throw new IllegalStateException("failed at " + phase, e);
          }
        }
      }

      @Override
      public void progress(double share, long rows) {}
    };
  }

  /** The rows whose differences a verification has named. */
  private static Set<String> found(IndexReport report, IndexDifference.Kind kind) {
    Set<String> labels = new TreeSet<>();
    for (IndexDifference one : report.differences()) {
      if (one.kind() == kind) {
        labels.add(one.label());
      }
    }
    return labels;
  }

  @Test
  void otherCoveredValuesOfASettledEntryAreFoundAndRepaired() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    // As an application that changes rows in spite of --append-only.
    tables
        .open(name)
        .put(
            new Put(key(3))
                .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c3"))
                .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("other")));
    Selection covered =
        tables.open(name).select().by("by_customer").column(D, Bytes.toBytes("amount"));
    assertThat(rows(covered)).noneMatch(row -> row.endsWith(" other"));

    IndexReport found = verify(false);
    assertThat(found.found().covered()).isEqualTo(1);
    assertThat(found(found, IndexDifference.Kind.COVERED))
        .containsExactly(LAYOUT.labelLogical(key(3)));
    IndexReport repaired = verify(true);
    assertThat(repaired.added()).isEqualTo(1);
    assertThat(repaired.isComplete()).isTrue();
    assertThat(rows(covered)).hasSize(20).filteredOn(row -> row.endsWith(" other")).hasSize(1);
    assertThat(verify(false).differences()).isEmpty();
    assertThat(settled()).isEqualTo(20);
  }

  private static final TableIndex APPEND_ONLY =
      TableIndex.parse(
          "by_customer append_only joining as \"salt(3) + customer:string\""
              + " from customer=d:customer covering d:amount");

  /** The entries that readers take for their rows. */
  private long settled() throws IOException {
    long settled = 0;
    RowEntries entries = rowEntries();
    try (KeyedRows rows = tables.open(entries()).select().open()) {
      for (KeyedRow entry : rows) {
        settled += entries.isSettled(entry.result()) ? 1 : 0;
      }
    }
    return settled;
  }

  private IndexReport sweep() throws IOException {
    return IndexVerification.sweep(plain, registry, name, "by_customer", IndexListener.NONE);
  }

  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "PUTS")
  void rowsFromBeforeAnAppendOnlyIndexAreSettledWhenTheyAreFilledIn(Filling by) throws Exception {
    write(0, 500);
    assertThat(add(APPEND_ONLY, by, IndexListener.NONE).found().missing()).isZero();
    assertThat(settled()).isEqualTo(500);
    assertThat(verify(false).isComplete()).isTrue();
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Filling.class, names = "FILES")
  void rowsFromBeforeAnAppendOnlyIndexAreSettledByFilesToo(Filling by) throws Exception {
    rowsFromBeforeAnAppendOnlyIndexAreSettledWhenTheyAreFilledIn(by);
  }

  @Test
  void aSweepSettlesTheEntriesOfRowsThatAreThere() throws Exception {
    write(0, 10);
    tables.open(name).put(order(300).setTTL(Duration.ofHours(1).toMillis()));
    add(APPEND_ONLY, IndexListener.NONE);
    write(10, 300);
    Put times =
        new Put(key(301))
            .addColumn(D, Bytes.toBytes("customer"), 5, Bytes.toBytes("c1"))
            .addColumn(D, Bytes.toBytes("amount"), 6, Bytes.toBytes("a301"));
    tables.open(name).put(times);
    Put entryOnly = new Put(entryOf(order(302)));
    entryOnly.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries()).put(entryOnly.addColumn(EntryFamily.name(), RowEntries.nonce(), D));

    IndexReport first = sweep();
    assertThat(first.settled()).isEqualTo(290);
    assertThat(first.removed()).isEqualTo(1);
    assertThat(settled()).isEqualTo(300);
    // Looks at no row whose entry is settled, and finds nothing more to settle.
    assertThat(sweep().settled()).isZero();
    assertThat(verify(false).isComplete()).isTrue();
    assertThat(read()).hasSize(302);
  }

  /** The times to live of their own that the settled entries have, in milliseconds. */
  private List<Long> livesOfSettled() throws IOException {
    RowEntries entries = rowEntries();
    List<Long> lives = new ArrayList<>();
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
        Table table = tagged.getTable(entries());
        ResultScanner all = table.getScanner(EntryFamily.name())) {
      for (Result entry : all) {
        for (Cell cell : entry.rawCells()) {
          if (entries.isSettled(Result.create(List.of(cell)))) {
            lives.add(
                PrivateCellUtil.getTag((ExtendedCell) cell, TagType.TTL_TAG_TYPE)
                    .map(tag -> Bytes.toLong(org.apache.hadoop.hbase.Tag.cloneValue(tag)))
                    .orElse(Long.MAX_VALUE));
          } else {
            assertThat(((ExtendedCell) cell).getTagsLength()).isZero();
          }
        }
      }
    }
    return lives;
  }

  /** Entries stay longer than their rows, but readers take a settled one for its row. */
  @ParameterizedTest
  @EnumSource(Filling.class)
  void settledEntriesEndWithTheirRows(Filling by) throws Exception {
    try (Admin admin = plain.getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(3_600).build());
    }
    write(0, 10);
    assertThat(add(APPEND_ONLY, by, IndexListener.NONE).found().missing()).isZero();
    assertThat(livesOfSettled()).hasSize(10).containsOnly(3_600_000L);
    write(10, 15);
    assertThat(sweep().settled()).isEqualTo(5);
    assertThat(livesOfSettled()).hasSize(15).containsOnly(3_600_000L);

    Put ended =
        new Put(key(20), System.currentTimeMillis() - 3_601_000)
            .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c1"))
            .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("a20"));
    RowLife life = new RowLife(3_600, 3_600);
    Put entry = rowEntries().settled(entryOf(ended), cells(ended)).orElseThrow();
    tables.open(entries()).put(life.settled(entry));
    assertThat(settled()).isEqualTo(15);
    assertThat(verify(false).isComplete()).isTrue();
  }

  /** A row ends when its latest cell does, which need not be its first one. */
  @ParameterizedTest
  @EnumSource(Filling.class)
  void entriesOfAKeyAloneEndNoEarlierThanRowsOfTheFuture(Filling by) throws Exception {
    int life = (int) Duration.ofDays(5).toSeconds();
    try (Admin admin = plain.getAdmin()) {
      ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(life).build());
    }
    long future = System.currentTimeMillis() + Duration.ofDays(3).toMillis();
    tables.open(name).put(order(1).addColumn(D, Bytes.toBytes("later"), future, D));
    add(
        TableIndex.parse("by_customer events joining as \"salt(3) + id:int64\""),
        by,
        IndexListener.NONE);
    Cell filled = onlyEntry();
    assertThat(filled.getTimestamp()).isEqualTo(future);
    tables
        .open(entries())
        .delete(
            RowEntries.removal(
                entryOf(order(1)), List.of(CellUtil.cloneQualifier(filled)), future));
    assertThat(verify(true).added()).isEqualTo(1);
    assertThat(onlyEntry().getTimestamp()).isEqualTo(future);
  }

  private Cell onlyEntry() throws IOException {
    try (ResultScanner all = tables.open(entries()).scanStored()) {
      List<Cell> cells = new ArrayList<>();
      all.forEach(entry -> cells.addAll(entry.listCells()));
      assertThat(cells).hasSize(1);
      return cells.get(0);
    }
  }

  /** Their rows end so much later. */
  @Test
  void entriesOfRowsOfTheFutureAreSweptToo() throws Exception {
    add(BY_CUSTOMER, IndexListener.NONE);
    long future = System.currentTimeMillis() + Duration.ofDays(3).toMillis();
    tables
        .open(name)
        .put(
            new Put(key(1), future)
                .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c1"))
                .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("a1")));
    tables.open(name).delete(new Delete(key(1), future));
    assertThat(verify(false).found().stale()).isEqualTo(1);
    assertThat(sweep().removed()).isEqualTo(1);
    IndexReport swept = verify(false);
    assertThat(swept.found().stale()).isZero();
    assertThat(swept.entries()).isZero();
  }

  /** The entries of the index as the table has it. */
  private RowEntries rowEntries() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableIndexes indexes = TableLayout.indexes(admin.getDescriptor(name));
      return RowEntries.of(name, LAYOUT, indexes.get("by_customer").orElseThrow());
    }
  }

  /** The requests that have read the table, by HBase's counters. */
  private long readsOfTable() throws IOException {
    long reads = 0;
    try (Admin admin = plain.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
          reads += region.getReadRequestCount();
        }
      }
    }
    return reads;
  }

  /** The rows of a read through the index in its order, with their cells of one column. */
  private List<String> rows(Selection selection) throws IOException {
    List<String> rows = new ArrayList<>();
    byte[] amount = Bytes.toBytes("amount");
    try (KeyedRows read = selection.open()) {
      for (KeyedRow row : read) {
        Cell cell = row.result().getColumnLatestCell(D, amount);
        rows.add(row.values() + " " + cell + " " + Bytes.toString(row.value(D, amount)));
      }
    }
    return rows;
  }

  @Test
  void coveredColumnsOfSettledEntriesAreReadWithoutTheirRows() throws Exception {
    write(0, 450);
    add(APPEND_ONLY, IndexListener.NONE);
    Selection whole = tables.open(name).select().by("by_customer");
    Selection covered = whole.column(D, Bytes.toBytes("amount"));
    Selection customers = whole.column(D, Bytes.toBytes("customer"));

    // The first read asks the regions for their guard too.
    List<String> rows = rows(whole);
    long before = readsOfTable();
    assertThat(rows(covered)).hasSize(450).isEqualTo(rows);
    assertThat(readsOfTable() - before)
        .as("a batch of 64 entries, one of four times as many, and the rest")
        .isEqualTo(3);
    assertThat(rows(covered.where("customer = 'c7'").limit(5))).hasSize(5);
    assertThat(rows(covered.reversed())).hasSize(450).startsWith(rows.get(449));
    long uncovered = readsOfTable();
    assertThat(rows(customers)).hasSize(450);
    assertThat(readsOfTable() - uncovered).isGreaterThanOrEqualTo(450);

    // Rows that are not settled yet are among them, and entries without a row are not.
    write(450, 700);
    Put entryOnly = new Put(entryOf(order(800)));
    entryOnly.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries()).put(entryOnly.addColumn(EntryFamily.name(), RowEntries.nonce(), D));
    assertThat(rows(covered)).hasSize(700).isEqualTo(rows(whole));
    sweep();
    long swept = readsOfTable();
    assertThat(rows(covered)).hasSize(700);
    assertThat(readsOfTable() - swept).isLessThan(50);
  }

  @Tag("long")
  @Test
  void coveredReadsAreRefusedWhenTheIndexWasDropped() throws Exception {
    write(0, 30);
    add(APPEND_ONLY, IndexListener.NONE);
    Selection covered =
        tables.open(name).select().by("by_customer").column(D, Bytes.toBytes("amount"));
    assertThat(rows(covered)).hasSize(30);
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThatThrownBy(() -> rows(covered))
        .hasCauseInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("table of an index does not exist or is disabled");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadFailsDuringWhichTheIndexIsDroppedAndAddedAgain(boolean isCovered) throws Exception {
    write(0, 2_000);
    add(APPEND_ONLY, IndexListener.NONE);
    Selection selection = tables.open(name).select().by("by_customer");
    try (KeyedRows read =
        (isCovered ? selection.column(D, Bytes.toBytes("amount")) : selection).open()) {
      assertThat(read.next()).isNotNull();
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      add(APPEND_ONLY, IndexListener.NONE);
      // The new table of entries may have been read while it had only some of them.
      assertThatThrownBy(() -> read.forEach(row -> {}))
          .hasStackTraceContaining("index was replaced while it was read");
    }
    assertThat(rows(selection)).hasSize(2_000);
  }

  @Test
  void anEntryThatIsSettledAfterItsIndexWasAddedAgainIsNotTakenForItsRow() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    Put row = order(5);
    // Of a sweep that is paused after it has seen the row.
    Put late = rowEntries().settled(entryOf(row), cells(row)).orElseThrow();
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    tables.open(name).delete(new Delete(key(5)));
    add(APPEND_ONLY, IndexListener.NONE);
    tables.open(entries()).put(late);
    Selection covered =
        tables.open(name).select().by("by_customer").column(D, Bytes.toBytes("amount"));
    assertThat(rows(covered)).hasSize(19);
    assertThat(verify(false).found().stale()).isEqualTo(1);
    assertThat(sweep().removed()).isEqualTo(1);
    assertThat(settled()).isEqualTo(19);
  }

  @Test
  void aCommandThatHasLostItsLockChangesNoIndexThatWasAddedAgain() throws Exception {
    write(0, 20);
    add(BY_CUSTOMER, IndexListener.NONE);
    Registry session = Registry.open(plain.getConfiguration());
    try (IndexControl paused = IndexControl.open(plain, session, name, "add by_customer")) {
      TableIndex known = paused.existing("by_customer");
      session.close();
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      assertChanged(() -> paused.change(known, IndexState.PUBLIC));
      add(BY_CUSTOMER, IndexListener.NONE);
      assertChanged(() -> paused.change(known, IndexState.PUBLIC));
      assertChanged(() -> paused.remove(known));
    }
    try (IndexControl late = IndexControl.open(plain, registry, name, "drop by_customer")) {
      assertChanged(() -> EntriesTable.drop(late, "by_customer"));
    }
    assertThat(read()).hasSize(20);
  }

  private static void assertChanged(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("another command has changed the index");
  }

  private byte[] entryOf(Put row) throws IOException {
    return entryOf(rowEntries(), row);
  }

  private static byte[] entryOf(RowEntries entries, Put row) {
    return entries.key(row.getRow(), cells(row)).orElseThrow();
  }

  private static Result cells(Put row) {
    return Result.create(row.getFamilyCellMap().get(D));
  }

  @Test
  void aComparisonNamesAllStaleEntries() throws Exception {
    write(0, 50);
    add(BY_CUSTOMER, IndexListener.NONE);
    SpreadTable table = tables.open(name);
    for (long id = 0; id < 40; id++) {
      table.delete(new Delete(key(id)));
    }
    SpreadTable own = tables.open(entries());
    Findings findings = new Findings();
    try (StaleEntries stale = new StaleEntries(rowEntries(), table, own, findings, null, true);
        Table raw = plain.getTable(entries());
        ResultScanner stored = raw.getScanner(new Scan())) {
      for (Result[] some = stored.next(5); some.length > 0; some = stored.next(5)) {
        stale.collect(List.of(some));
      }
      stale.report();
    }
    assertThat(findings.report(0, 0, 0).differences())
        .hasSize(40)
        .extracting(IndexDifference::kind)
        .containsOnly(IndexDifference.Kind.STALE);
  }

  @Test
  void aSweepReadsTheIndexOnceInOneEpoch() throws Exception {
    sweepEntriesWithoutRows(4 * StaleEntries.BATCH + 1);
  }

  @Tag("long")
  @Test
  void aSweepOfManyEntriesReadsTheIndexOnceInOneEpoch() throws Exception {
    sweepEntriesWithoutRows(Integer.getInteger("evenkey.stale", 250_000));
  }

  private void sweepEntriesWithoutRows(int count) throws IOException {
    write(0, 20);
    add(BY_CUSTOMER, IndexListener.NONE);
    RowEntries entries = rowEntries();
    byte[] nonce = RowEntries.nonce();
    SpreadTable own = tables.open(entries());
    List<Put> puts = new ArrayList<>();
    for (long id = 100; id < 100 + count; id++) {
      Put row = order(id);
      puts.add(entries.entry(entryOf(entries, row), cells(row), nonce));
      if (puts.size() == 5_000 || id == 99 + count) {
        own.put(puts);
        puts.clear();
      }
    }
    long version = version();
    Map<IndexListener.Phase, Integer> begun = new EnumMap<>(IndexListener.Phase.class);
    long start = System.nanoTime();
    IndexReport swept =
        IndexVerification.sweep(
            plain,
            registry,
            name,
            "by_customer",
            new IndexListener() {
              @Override
              public void begins(Phase phase) {
                begun.merge(phase, 1, Integer::sum);
              }

              @Override
              public void progress(double share, long rows) {}
            });
    System.out.printf(
        "sweep of %,d entries: %,d ms%n", count, (System.nanoTime() - start) / 1_000_000);
    assertThat(swept.removed()).isEqualTo(count);
    assertThat(begun)
        .isEqualTo(Map.of(IndexListener.Phase.COMPARE_ENTRIES, 1, IndexListener.Phase.SWEEP, 1));
    assertThat(version()).as("epochs").isEqualTo(version + 1);
    assertThat(verify(false).isComplete()).isTrue();
  }

  private long version() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableLayout.indexes(admin.getDescriptor(name)).version();
    }
  }

  @Tag("long")
  @Test
  void aSettledEntryWithoutItsRowIsFoundAndRemoved() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    Put absent = order(20);
    tables.open(entries()).put(rowEntries().settled(entryOf(absent), cells(absent)).orElseThrow());
    IndexReport found = verify(false);
    assertThat(found.found().phantoms()).isEqualTo(1);
    assertThat(found.isComplete()).isFalse();
    assertThat(found.differences())
        .extracting(IndexDifference::kind)
        .containsExactly(IndexDifference.Kind.PHANTOM);
    assertThat(verify(true).isComplete()).isTrue();
    assertThat(settled()).isEqualTo(20);
  }

  @Test
  void rowsOfAnAppendOnlyIndexAreNeitherDeletedNorGetAnotherTimeToLive() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    SpreadTable table = tables.open(name);
    List<Delete> refused =
        List.of(
            new Delete(key(1)),
            new Delete(key(1)).addFamily(D),
            new Delete(key(1)).addColumn(D, Bytes.toBytes("amount")),
            new Delete(key(1)).addColumns(D, Bytes.toBytes("customer")));
    for (Delete delete : refused) {
      assertThatThrownBy(() -> table.delete(delete))
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("deletion from a row of an append-only index");
    }
    assertThatThrownBy(() -> table.put(order(1).setTTL(Duration.ofHours(1).toMillis())))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("put of a row of an index with a time to live of its own");
    table.delete(new Delete(key(1)).addColumns(D, Bytes.toBytes("note")));
    assertThat(verify(false).isComplete()).isTrue();
    try (Admin admin = plain.getAdmin()) {
      for (TableName of : List.of(name, entries())) {
        ColumnFamilyDescriptor family = admin.getDescriptor(of).getColumnFamilies()[0];
        ColumnFamilyDescriptor shorter =
            ColumnFamilyDescriptorBuilder.newBuilder(family).setTimeToLive(86_400).build();
        assertThatThrownBy(() -> admin.modifyColumnFamily(of, shorter))
            .hasMessageContaining("time to live of a column of an index cannot be changed");
        assertThatThrownBy(() -> admin.deleteColumnFamily(of, family.getName()))
            .isInstanceOf(IOException.class);
      }
      assertThatThrownBy(
              () ->
                  admin.modifyTable(
                      TableDescriptorBuilder.newBuilder(admin.getDescriptor(entries()))
                          .removeValue(DescribedIndexes.INDEXED_TABLE_KEY)
                          .build()))
          .hasMessageContaining("indexed table of an index's table cannot be changed")
          .hasMessageContaining("index_of=" + name);
      admin.disableTable(entries());
      assertThatThrownBy(() -> admin.truncateTable(entries(), true))
          .hasMessageContaining("cannot be truncated")
          .hasMessageContaining("the table is enabled again");
      await().atMost(Duration.ofMinutes(1)).until(() -> admin.isTableAvailable(entries()));
    }
    assertThat(read()).hasSize(20);
  }

  @Test
  void anIndexIsNotReadAfterItsTableWasEmptiedUntilItIsRepaired() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      admin.truncateTable(name, true);
    }
    // As a restored backup is written: without entries.
    Put stored = new Put(LAYOUT.physical(key(30)));
    order(30).getFamilyCellMap().values().stream()
        .flatMap(List::stream)
        .forEach(
            cell ->
                stored.addColumn(
                    CellUtil.cloneFamily(cell),
                    CellUtil.cloneQualifier(cell),
                    CellUtil.cloneValue(cell)));
    try (Table rows = plain.getTable(name)) {
      rows.put(stored);
    }
    write(20, 30);
    assertThatThrownBy(this::read).hasMessageContaining("state=joining");
    assertThatThrownBy(() -> verify(false)).hasMessageContaining("verify and repair the index");
    assertThatThrownBy(() -> add(APPEND_ONLY, IndexListener.NONE))
        .hasMessageContaining("verify and repair the index");
    IndexReport report = verify(true);
    assertThat(report.added()).isEqualTo(1);
    assertThat(report.removed()).isEqualTo(20);
    assertThat(read()).hasSize(11).doesNotContain(1L).contains(30L);
    try (Table rows = plain.getTable(name)) {
      assertThatThrownBy(() -> rows.put(stored)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anIndexThatWasRestoredFromAnotherClusterIsReadWhenItIsRepaired() throws Exception {
    write(0, 20);
    add(APPEND_ONLY, IndexListener.NONE);
    try (Admin admin = plain.getAdmin()) {
      // Of a moment before that of the rows.
      String snapshot = "entries_" + name.getNameAsString();
      admin.snapshot(snapshot, entries());
      write(20, 50);
      admin.disableTable(entries());
      assertThatThrownBy(() -> admin.restoreSnapshot(snapshot))
          .hasStackTraceContaining("table of an index cannot be restored from a snapshot in place");
      admin.enableTable(entries());
      assertThat(read()).hasSize(50);
      String rows = "rows_" + name.getNameAsString();
      admin.snapshot(rows, name);
      for (TableName of : List.of(name, entries())) {
        admin.disableTable(of);
        admin.deleteTable(of);
      }
      admin.cloneSnapshot(rows, name);
      admin.cloneSnapshot(snapshot, entries());
      registry.indexes().forget(name, "by_customer");
      assertThat(TableLayout.indexes(admin.getDescriptor(name)).list())
          .extracting(TableIndex::state)
          .containsExactly(IndexState.JOINING);
      assertThatThrownBy(this::read).hasMessageContaining("state=joining");
      admin.disableTable(name);
      admin.enableTable(name);
      assertThatThrownBy(this::read).hasMessageContaining("state=joining");
    }
    assertThatThrownBy(() -> verify(false)).hasMessageContaining("take the index over");
    IndexReport report =
        IndexAdoption.run(plain, registry, name, "by_customer", IndexListener.NONE);
    assertThat(report.added()).isEqualTo(30);
    assertThat(read()).hasSize(50);
    assertThat(verify(false).isComplete()).isTrue();
    assertThatThrownBy(
            () -> IndexAdoption.run(plain, registry, name, "by_customer", IndexListener.NONE))
        .hasMessageContaining("registry knows the index already");
  }

  @Test
  void aDisabledTableWithAnIndexIsSaidToBeDisabled() throws Exception {
    add(BY_CUSTOMER, IndexListener.NONE);
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      try (SpreadTables own = SpreadTables.on(plain)) {
        assertThatThrownBy(() -> own.open(name).put(order(1)))
            .isInstanceOf(TableNotEnabledException.class);
      }
      admin.enableTable(name);
    }
  }

  @Test
  void aTableTakesRowsAfterItsRenamingWasRolledBack() throws Exception {
    add(BY_CUSTOMER, IndexListener.NONE);
    migrate(Layout.parse("salt(7) + seller:string + id:int64"), false);
    MigrationListener rollsBack =
        new MigrationListener() {
          @Override
          public void stage(Migration now) {
            if (now.stage() == Stage.READY && now.goal() == Stage.FINISHED) {
              throw new IllegalStateException("the clone is there");
            }
          }
        };
    try (Migrator renaming = Migrator.rename(plain, registry, name, settings(), rollsBack)) {
      assertThatThrownBy(renaming::run).hasMessage("the clone is there");
      renaming.aimFor(Stage.ROLLED_BACK);
      assertThat(renaming.run().stage()).isEqualTo(Stage.ROLLED_BACK);
    }
    try (SpreadTables own = SpreadTables.on(plain)) {
      own.open(name).put(order(1));
    }
    isWhole(ids(1, 2));
  }

  private MigrationSettings settings() {
    return new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
  }

  private Migration migrate(Layout to, boolean rename) throws IOException {
    MigrationSettings settings = settings();
    MigrationPlan plan = MigrationPlan.of(name, to).by(Migration.By.FILES).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        rename
            ? Migrator.rename(plain, registry, name, settings, MigrationListener.NONE)
            : Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  /** The index has all rows, entries and rows fit each other, and so it is for clients. */
  private void isWhole(Set<Long> written) throws IOException {
    hasAll(written);
    IndexReport report = verify(false);
    assertThat(report.found().missing()).isZero();
    assertThat(report.found().stale()).isZero();
  }

  /**
   * A table of HBase's own, whose keys are those of the layout, with rows of HBase's own client.
   */
  private void createPlain(long rows) throws IOException {
    name = TableName.valueOf(name + "_plain");
    byte[][] splits = {LAYOUT.logicalKey(Values.of("seller", "s3").and("id", 0L))};
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
              .build(),
          splits);
      for (long id = 0; id < rows; id++) {
        table.put(order(id));
      }
    }
  }

  @Test
  void aTableWhoseRowsStayAsTheyAreHasAnIndex() throws Exception {
    createPlain(100);
    try (Writers writers = new Writers(10_000);
        Table own = plain.getTable(name)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> !writers.acknowledged().isEmpty());
      TableCheck.of(plain, registry, name, 10)
          .adopt(plain, registry, Layout.parse("seller:string + id:int64"));
      try (Admin admin = plain.getAdmin()) {
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                .setValue("EVENKEY_RAW_WRITES", "allow")
                .build());
      }
      assertThatThrownBy(() -> add(BY_CUSTOMER, IndexListener.NONE))
          .hasMessageContaining("EVENKEY_RAW_WRITES=allow")
          .hasMessageContaining("say that they have stopped");
      new OtherWriters(plain).stop(name);
      assertThat(add(BY_CUSTOMER, IndexListener.NONE).isComplete()).isTrue();
      assertThatThrownBy(() -> own.put(order(100))).hasMessageContaining("[evenkey:unstamped]");
      assertThat(own.exists(new Get(key(99)))).isTrue();
      Set<Long> written = writers.stop();
      written.addAll(ids(0, 100));
      isWhole(written);
      assertThat(stored()).containsAll(written);
      try (Connection dropIn = ConnectionFactory.createConnection(dropIn(plain));
          Table table = dropIn.getTable(name)) {
        Put order = order(101);
        table.put(order);
        assertThat(order.getAttributesMap()).isEmpty();
        assertThat(table.get(new Get(key(101))).getRow()).isEqualTo(key(101));
        table.delete(new Delete(key(101)));
      }
      assertThat(read()).containsAll(written).doesNotContain(101L);
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      own.put(order(100));
    }
    assertThat(stored()).contains(100L).doesNotContain(101L);
  }

  @Tag("long")
  @Test
  void aTableWhoseRowsStayAsTheyAreIsMigratedWithItsIndexToASaltAndBack() throws Exception {
    createPlain(1_000);
    Layout asStored = Layout.parse("seller:string + id:int64");
    TableCheck.of(plain, registry, name, 10).adopt(plain, registry, asStored);
    assertThat(add(BY_CUSTOMER, IndexListener.NONE).isComplete()).isTrue();
    try (Writers writers = new Writers(10_000)) {
      for (Layout to : List.of(LAYOUT, asStored)) {
        assertThat(migrate(to, false).stage()).isEqualTo(Stage.FINISHED);
        Set<Long> written = writers.acknowledged();
        written.addAll(ids(0, 1_000));
        hasAll(written);
      }
      Set<Long> written = writers.stop();
      written.addAll(ids(0, 1_000));
      isWhole(written);
      assertThat(stored()).containsAll(written);
    }
  }

  @Tag("long")
  @Test
  void migrationsAndRenamingsCarryIndexesAlong() throws Exception {
    write(0, 2_000);
    add(BY_CUSTOMER, IndexListener.NONE);
    Layout to = Layout.parse("salt(7) + seller:string + id:int64");
    try (Writers writers = new Writers(10_000)) {
      Migration migrated = migrate(to, false);
      assertThat(migrated.stage()).isEqualTo(Stage.FINISHED);
      assertThat(registry.layouts().get(migrated.target()).orElseThrow().indexes())
          .contains("by_customer");
      hasAll(ids(0, 2_000));
      hasAll(writers.acknowledged());
      TableIndex second = TableIndex.parse("by_id events joining as \"salt(3) + id:int64 desc\"");
      assertThat(add(second, IndexListener.NONE).found().missing()).isZero();
      assertThat(migrate(to, true).generation()).isEqualTo(name);
      Set<Long> written = writers.stop();
      isWhole(written);
      isWhole(ids(0, 2_000));
      assertThat(
              IndexVerification.run(plain, registry, name, "by_id", true, IndexListener.NONE)
                  .found()
                  .missing())
          .isZero();
    }
    IndexRemoval.run(plain, registry, name, "by_id", IndexListener.NONE);
    isWhole(ids(0, 2_000));
  }

  /** A row without its entry is found by either generation. */
  @Test
  void anIndexIsVerifiedWhileAMigrationWaits() throws Exception {
    write(0, 400);
    add(BY_CUSTOMER, IndexListener.NONE);
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    Layout to = Layout.parse("salt(7) + seller:string + id:int64");
    MigrationPlan plan = MigrationPlan.of(name, to).by(Migration.By.PUTS);
    try (Migrator migrator =
        Migrator.begin(
            plain, registry, plan.aimFor(Stage.READY), settings, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
    }
    write(400, 450);
    verifiedWhileMigrated(450);
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings, MigrationListener.NONE)) {
      migrator.aimFor(Stage.SWITCHED);
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
    }
    write(450, 500);
    Delete lost = new Delete(entryOf(order(499)));
    lost.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    tables.open(entries()).delete(lost);
    assertThat(verifiedWhileMigrated(500).differences())
        .extracting(IndexDifference::kind)
        .containsExactly(IndexDifference.Kind.MISSING);
    try (Migrator migrator =
        Migrator.resume(plain, registry, name, settings, MigrationListener.NONE)) {
      migrator.aimFor(Stage.FINISHED);
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
    assertThat(verify(true).added()).isEqualTo(1);
    isWhole(ids(0, 500));
  }

  private IndexReport verifiedWhileMigrated(long rows) throws IOException {
    for (ThrowingCallable change : List.<ThrowingCallable>of(() -> verify(true), this::sweep)) {
      assertThatThrownBy(change)
          .isInstanceOf(IndexLifeException.class)
          .hasMessageContaining("table is being migrated")
          .hasMessageContaining("an index can be verified without repair");
    }
    IndexReport report = verify(false);
    assertThat(report.rows()).isEqualTo(rows);
    return report;
  }

  @Test
  void noIndexIsVerifiedBetweenTwoGenerations() throws Exception {
    write(0, 20);
    add(BY_CUSTOMER, IndexListener.NONE);
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse("salt(7) + seller:string + id:int64"))
            .by(Migration.By.PUTS);
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE).close();
    assertThatThrownBy(() -> verify(false))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageContaining("table is being migrated");
  }

  @Tag("long")
  @Test
  void aMigrationThatIsRolledBackLeavesTheIndexRight() throws Exception {
    write(0, 1_000);
    add(BY_CUSTOMER, IndexListener.NONE);
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    Layout to = Layout.parse("salt(7) + seller:string + id:int64");
    try (Writers writers = new Writers(10_000);
        Migrator migrator =
            Migrator.begin(
                plain,
                registry,
                MigrationPlan.of(name, to).by(Migration.By.FILES).aimFor(Stage.SWITCHED),
                settings,
                MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.SWITCHED);
      hasAll(writers.acknowledged());
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      Set<Long> written = writers.stop();
      hasAll(written);
    }
    isWhole(ids(0, 1_000));
  }

  @Tag("long")
  @Test
  void rowsThatChangeStayRightInTheIndexWhileTheirTableIsMigrated() throws Exception {
    name = TableName.valueOf(name + "_mutable");
    tables.create(name, IndexTraffic.LAYOUT, IndexTraffic.LAYOUT.splits(4), List.of("d"));
    SplittableRandom random = new SplittableRandom(20261125);
    try (IndexTraffic traffic = new IndexTraffic(plain, name, IndexTraffic.MUTABLE, random)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.writes() > 1_000);
      add(IndexTraffic.MUTABLE, IndexListener.NONE);
      Migration migrated = migrate(Layout.parse("salt(7) + id:int64"), false);
      assertThat(migrated.stage()).isEqualTo(Stage.FINISHED);
      int reads = traffic.reads();
      await().atMost(Duration.ofMinutes(1)).until(() -> traffic.reads() > reads + 2);
      traffic.stop();
      traffic.isWell();
      IndexReport swept =
          IndexVerification.sweep(plain, registry, name, "by_customer", IndexListener.NONE);
      assertThat(swept.removed()).isPositive();
      assertThat(traffic.read())
          .hasSize((int) verify(false).entries())
          .isEqualTo(traffic.ofTable());
      assertThat(verify(false).found().missing()).isZero();
      assertThat(traffic.verdict().breaches()).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void aStepOfTheSaltLeavesTheIndexRight() throws Exception {
    write(0, 500);
    add(BY_CUSTOMER, IndexListener.NONE);
    try (Writers writers = new Writers(10_000)) {
      Layout step = LAYOUT.withStep(9, "id", "100000000").orElseThrow();
      assertThat(migrate(step, false).stage()).isEqualTo(Stage.FINISHED);
      write(100_000_000, 100_000_200);
      isWhole(ids(100_000_000, 100_000_200));
      isWhole(writers.stop());
    }
    assertThat(registry.layouts().get(name).orElseThrow().indexes()).contains("by_customer");
  }

  @Test
  void aDropUnderWritersLeavesAllRowsAndNoTable() throws Exception {
    write(0, 200);
    add(BY_CUSTOMER, IndexListener.NONE);
    Set<Long> written;
    try (Writers writers = new Writers(10_000)) {
      IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
      written = writers.stop();
    }
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(entries())).isFalse();
      assertThat(TableLayout.indexes(admin.getDescriptor(name)).isEmpty()).isTrue();
    }
    assertThat(stored()).containsAll(written).containsAll(ids(0, 200));
    assertThat(registry.layouts().get(name).orElseThrow().indexes()).isEmpty();
    assertThatThrownBy(
            () -> IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE))
        .hasMessageContaining("no such index");
    assertThat(add(BY_CUSTOMER, IndexListener.NONE).isComplete()).isTrue();
    hasAll(written);
  }

  /** The ids of the table's rows. */
  private Set<Long> stored() throws IOException {
    Set<Long> stored = new TreeSet<>();
    try (ResultScanner all = tables.open(name).scanStored()) {
      for (Result row : all) {
        stored.add((Long) LAYOUT.decodeLogical(row.getRow()).get("id"));
      }
    }
    return stored;
  }

  @Test
  void aDropThatWasKilledBeforeRegionsActByItGoesOn() throws Exception {
    write(0, 10);
    add(BY_CUSTOMER, IndexListener.NONE);
    removeFromDescriptorOnly();
    IndexRemoval.run(plain, registry, name, "by_customer", IndexListener.NONE);
    write(10, 20);
    assertThat(stored()).isEqualTo(ids(0, 20));
    assertThat(registry.layouts().get(name).orElseThrow().indexes()).isEmpty();
  }

  /** As a drop does that is killed when it has changed the descriptor. */
  private void removeFromDescriptorOnly() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor table = admin.getDescriptor(name);
      GuardState state = TableGuard.state(table);
      GuardState next =
          new GuardState(
              state.revision() + 1, state.mode(), state.pass(), state.turn(), state.other());
      TableIndexes none = TableLayout.indexes(table).without("by_customer");
      TableGuard.store(admin, TableGuard.with(TableLayout.with(table, none), next));
    }
  }

  @Test
  void anApplicationReadsTheTableOfAnIndexAndDoesNotWriteToIt() throws Exception {
    write(0, 10);
    add(BY_CUSTOMER, IndexListener.NONE);
    SpreadTable index = tables.open(entries());
    byte[] first;
    try (ResultScanner all = index.scanStored()) {
      first = all.next().getRow();
    }
    assertThatThrownBy(() -> index.delete(new Delete(first)))
        .hasMessageContaining("table has the entries of an index")
        .hasMessageContaining("indexed_table=" + name);
    assertThatThrownBy(() -> index.put(new Put(first).addColumn(Bytes.toBytes("e"), D, D)))
        .hasMessageContaining("write to that table");
    assertThat(index.get(new Get(first)).isEmpty()).isFalse();
    assertThat(read()).hasSize(10);
  }

  @ParameterizedTest
  @EnumSource(Filling.class)
  void aRowThatTheIndexCannotHoldIsNamed(Filling by) throws Exception {
    write(0, 10);
    TableIndex byAmount =
        TableIndex.parse(
            "by_amount events joining as \"salt(3) + amount:int64\" from amount=d:amount");
    assertThatThrownBy(() -> add(byAmount, by, IndexListener.NONE))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageStartingWith("row that the index cannot hold: table=" + name)
        .hasMessageContaining("seller=");
    IndexRemoval.run(plain, registry, name, "by_amount", IndexListener.NONE);
    write(10, 20);
  }

  /** The row has another value when it ends, or gets one again, without a write. */
  @ParameterizedTest
  @EnumSource(Filling.class)
  void aRowWhoseIndexedCellEndsByItselfHasNoIndexOfMutableRows(Filling by) throws Exception {
    write(0, 10);
    tables.open(name).put(order(5).setTTL(Duration.ofHours(1).toMillis()));
    String text =
        "by_open mutable joining as \"salt(3) + customer:string\" from customer=d:customer";
    // It is not in the index, but the one before it would be.
    TableIndex index = TableIndex.parse(text + " where \"customer = 'c1'\"");
    assertThatThrownBy(() -> add(index, by, IndexListener.NONE))
        .isInstanceOf(IndexLifeException.class)
        .hasMessageStartingWith(
            "row from before the index has an indexed cell with a time to live of its own: table="
                + name)
        .hasMessageContaining("column=d:customer")
        .hasMessageContaining("id=5");
    IndexRemoval.run(plain, registry, name, "by_open", IndexListener.NONE);
    tables.open(name).put(order(5));
    assertThat(add(index, by, IndexListener.NONE).isComplete()).isTrue();
  }

  @Test
  void tablesThatCannotHaveTheIndexAreRefusedBeforeAnythingIsMade() throws Exception {
    write(0, 10);
    TableIndex otherFamily =
        TableIndex.parse("by_x events joining as \"salt(3) + x:string\" from x=f:x");
    assertThatThrownBy(() -> add(otherFamily, IndexListener.NONE))
        .hasMessageContaining("column of a family that the table does not have")
        .hasMessageContaining("family=f");
    tables.create(TableName.valueOf(name + ".by_taken"), LAYOUT, LAYOUT.splits(4), List.of("d"));
    TableIndex taken =
        TableIndex.parse("by_taken events joining as \"salt(3) + x:string\" from x=d:x");
    assertThatThrownBy(() -> add(taken, IndexListener.NONE))
        .hasMessageContaining("another table has the name of the index's table");
    assertThat(registry.indexes().get(name, "by_x")).isEmpty();
    write(10, 20);
  }
}
