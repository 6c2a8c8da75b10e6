/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A table of orders for each test, and what is done to an index of it. */
@ExtendWith(EmbeddedHBaseExtension.class)
abstract class IndexedOrders {
  static final byte[] D = Bytes.toBytes("d");
  static final Layout LAYOUT = Layout.parse("salt(4) + seller:string + id:int64");

  static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer events joining as \"salt(3) + customer:string\" from customer=d:customer"
              + " covering d:amount");

  /** A writer writes the same rows again and again, so that no comparison takes long. */
  static final long ROWS_OF_WRITER = 900;

  @TempDir Path directory;
  Connection plain;
  SpreadTables tables;
  Registry registry;
  TableName name;

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
    tables.create(name, LAYOUT, LAYOUT.splits(2), List.of("d"));
  }

  @AfterEach
  void close() throws IOException {
    registry.close();
    tables.close();
  }

  static byte[] key(long id) {
    return LAYOUT.logicalKey(Values.of("seller", "s" + id % 7).and("id", id));
  }

  static Put order(long id) {
    return new Put(key(id))
        .addColumn(D, Bytes.toBytes("customer"), Bytes.toBytes("c" + id % 11))
        .addColumn(D, Bytes.toBytes("amount"), Bytes.toBytes("a" + id));
  }

  void write(long from, long to) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (long id = from; id < to; id++) {
      puts.add(order(id));
    }
    tables.open(name).put(puts);
  }

  IndexReport add(TableIndex index, IndexListener listener) throws IOException {
    return new IndexAddition(name, index, 0, 0).run(plain, registry, listener);
  }

  /** Adds an index, with the entries of earlier rows in files. */
  IndexReport addByFiles(TableIndex index, IndexListener listener) throws IOException {
    return new IndexAddition(name, index, 0, 0, new org.apache.hadoop.fs.Path(directory.toUri()))
        .run(plain, registry, listener);
  }

  IndexReport verify(boolean repair) throws IOException {
    return IndexVerification.run(plain, registry, name, "by_customer", repair, IndexListener.NONE);
  }

  TableName entries() {
    return TableName.valueOf(name.getNameAsString() + ".by_customer");
  }

  /** The ids that a reader of the index sees, which must be in order and none twice. */
  Set<Long> read() throws IOException {
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
  void hasAll(Set<Long> written) throws IOException {
    Set<Long> missing = new TreeSet<>(written);
    missing.removeAll(read());
    assertThat(missing).isEmpty();
  }

  static Set<Long> ids(long from, long to) {
    Set<Long> ids = new TreeSet<>();
    for (long id = from; id < to; id++) {
      ids.add(id);
    }
    return ids;
  }

  static Configuration dropIn(Connection plain) {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  /** Writes of one kind of client. */
  @FunctionalInterface
  interface Write {
    void put(List<Put> orders) throws Exception;
  }

  /** Clients that write rows in their own way until they are stopped; then all rows are there. */
  final class Writers implements AutoCloseable {
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
  enum Filling {
    PUTS,
    FILES
  }

  IndexReport add(TableIndex index, Filling by, IndexListener listener) throws IOException {
    return by == Filling.PUTS ? add(index, listener) : addByFiles(index, listener);
  }

  /** Does something when a phase begins. */
  static IndexListener at(IndexListener.Phase phase, ThrowingCallable what) {
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
  static Set<String> found(IndexReport report, IndexDifference.Kind kind) {
    Set<String> labels = new TreeSet<>();
    for (IndexDifference one : report.differences()) {
      if (one.kind() == kind) {
        labels.add(one.label());
      }
    }
    return labels;
  }

  static final TableIndex APPEND_ONLY =
      TableIndex.parse(
          "by_customer append_only joining as \"salt(3) + customer:string\""
              + " from customer=d:customer covering d:amount");

  /** The entries that readers take for their rows. */
  long settled() throws IOException {
    long settled = 0;
    RowEntries entries = rowEntries();
    try (KeyedRows rows = tables.open(entries()).select().open()) {
      for (KeyedRow entry : rows) {
        settled += entries.isSettled(entry.result()) ? 1 : 0;
      }
    }
    return settled;
  }

  IndexReport sweep() throws IOException {
    return IndexVerification.sweep(plain, registry, name, "by_customer", IndexListener.NONE);
  }

  /** The entries of the index as the table has it. */
  RowEntries rowEntries() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableIndexes indexes = TableLayout.indexes(admin.getDescriptor(name));
      return RowEntries.of(name, LAYOUT, indexes.get("by_customer").orElseThrow());
    }
  }

  /** The rows of a read through the index in its order, with their cells of one column. */
  List<String> rows(Selection selection) throws IOException {
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

  byte[] entryOf(Put row) throws IOException {
    return entryOf(rowEntries(), row);
  }

  static byte[] entryOf(RowEntries entries, Put row) {
    return entries.key(row.getRow(), cells(row)).orElseThrow();
  }

  static Result cells(Put row) {
    return Result.create(row.getFamilyCellMap().get(D));
  }

  /** The ids of the table's rows. */
  Set<Long> stored() throws IOException {
    Set<Long> stored = new TreeSet<>();
    try (ResultScanner all = tables.open(name).scanStored()) {
      for (Result row : all) {
        stored.add((Long) LAYOUT.decodeLogical(row.getRow()).get("id"));
      }
    }
    return stored;
  }
}
