/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients write the entries of events before the rows, by whichever interface. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexWritesIT {
  private static final byte[] D = IndexedTable.D;
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] NOTE = Bytes.toBytes("note");
  private static final TableIndex BY_ID =
      TableIndex.parse("by_id events public as \"salt(2) + id:int64 desc + seller:string\"");

  private EmbeddedHBase hbase;
  private Connection connection;
  private IndexedTable orders;
  private final NavigableSet<String> expected = new TreeSet<>();

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    hbase = shared;
    orders =
        IndexedTable.create(
            hbase.connection(), "writes_" + test.getTestMethod().orElseThrow().getName());
    orders.createEntries(IndexedTable.BY_CUSTOMER);
    connection = ConnectionFactory.createConnection(IndexedTable.dropIn(hbase.configuration()));
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  private Put order(long id) {
    expected.add(IndexedTable.printable(IndexedTable.key("s", id)));
    return IndexedTable.order("s", id, "c" + id % 3);
  }

  private List<Put> orders(int from, int to) {
    List<Put> puts = new ArrayList<>();
    for (int id = from; id < to; id++) {
      puts.add(order(id));
    }
    return puts;
  }

  private void assertAllHaveEntries(TableIndex... indexes) throws IOException {
    assertThat(orders.rows()).isEqualTo(expected);
    for (TableIndex index : indexes) {
      assertThat(orders.entries(index).navigableKeySet()).containsAll(expected);
    }
  }

  @Test
  void blockingWritesHaveEntriesInAllIndexes() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    orders.createEntries(BY_ID);
    orders.add(BY_ID);
    try (Table table = connection.getTable(orders.name())) {
      table.put(order(1));
      table.put(orders(2, 30));
      List<Row> actions = new ArrayList<>(orders(30, 60));
      actions.add(new Get(IndexedTable.key("s", 1)));
      Object[] results = new Object[actions.size()];
      table.batch(actions, results);
      assertThat(results).doesNotContainNull();
      table.batchCallback(orders(60, 70), new Object[10], (region, row, result) -> {});
      assertThat(table.exists(new Get(IndexedTable.key("s", 65)))).isTrue();
    }
    assertAllHaveEntries(IndexedTable.BY_CUSTOMER, BY_ID);
    assertThat(orders.entries(BY_ID).values()).containsOnly(1);
    assertThat(orders.entries(BY_ID)).hasSize(69);
  }

  @Test
  void asynchronousWritesHaveEntries() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(IndexedTable.dropIn(hbase.configuration())).get()) {
      AsyncTable<?> table = async.getTable(orders.name());
      table.put(order(1)).get();
      table.putAll(orders(2, 40)).get();
      for (CompletableFuture<Object> result : table.batch(orders(40, 80))) {
        result.get();
      }
      try (var mutator = async.getBufferedMutator(orders.name())) {
        List<CompletableFuture<Void>> done = mutator.mutate(orders(80, 120));
        mutator.flush();
        for (CompletableFuture<Void> one : done) {
          one.get();
        }
      }
      Put some = new Put(IndexedTable.key("s", 1)).addColumn(D, NOTE, NOTE);
      table.put(some).get();
      Append append = new Append(IndexedTable.key("s", 1)).addColumn(D, CUSTOMER, NOTE);
      assertIndexRefusal(() -> FutureUtils.get(table.append(append)));
    }
    assertAllHaveEntries(IndexedTable.BY_CUSTOMER);
  }

  @Test
  void bufferedWritesGetTheEntriesOfAnIndexThatIsAdded() throws Exception {
    try (BufferedMutator mutator = connection.getBufferedMutator(orders.name())) {
      mutator.mutate(orders(1, 20));
      mutator.flush();
      expected.clear();
      orders.add(IndexedTable.BY_CUSTOMER);
      // The mutator learns of the index when the server refuses these.
      mutator.mutate(orders(20, 40));
      mutator.flush();
      mutator.mutate(orders(40, 60));
      for (Put put : orders(60, 80)) {
        mutator.mutate(put);
      }
      assertIndexRefusal(
          () -> mutator.mutate(new Increment(IndexedTable.key("s", 20)).addColumn(D, CUSTOMER, 1)));
      // By another version of the indexes: each row that is refused gets another entry.
      mutator.mutate(orders(80, 90));
      orders.add(IndexedTable.BY_CUSTOMER);
      mutator.flush();
      mutator.mutate(orders(90, 95));
      orders.set(orders.indexes().without("by_customer"));
      mutator.flush();
    }
    assertThat(orders.rows()).containsAll(expected);
    assertThat(orders.entries(IndexedTable.BY_CUSTOMER).navigableKeySet()).containsAll(expected);
    String again = IndexedTable.printable(IndexedTable.key("s", 85));
    assertThat(orders.entries(IndexedTable.BY_CUSTOMER)).containsEntry(again, 2);
  }

  /** A mutation in the buffer gets the entries of the indexes by which the mutator writes it. */
  @Test
  void writesInTheBufferGetTheEntriesOfAnIndexThatIsAdded() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    orders.createEntries(BY_ID);
    try (BufferedMutator mutator = connection.getBufferedMutator(orders.name());
        BufferedMutator other = connection.getBufferedMutator(orders.name())) {
      mutator.mutate(orders(1, 20));
      orders.add(BY_ID);
      // One row is refused, and the client looks the indexes up, while others wait.
      mutator.mutate(order(20));
      mutator.flush();
      mutator.mutate(orders(21, 30));
      orders.add(BY_ID);
      other.mutate(orders(30, 40));
      other.flush();
      mutator.mutate(orders(40, 50));
    }
    assertAllHaveEntries(IndexedTable.BY_CUSTOMER, BY_ID);
  }

  @Test
  void writesOfASpreadTableHaveEntries() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      SpreadTable table = tables.open(orders.name());
      table.put(order(1));
      table.put(orders(2, 20));
      table.async().put(order(20)).get();
      table.delete(new Delete(IndexedTable.key("s", 20)));
      expected.remove(IndexedTable.printable(IndexedTable.key("s", 20)));
    }
    assertAllHaveEntries(IndexedTable.BY_CUSTOMER);
    assertThat(orders.entries(IndexedTable.BY_CUSTOMER)).hasSize(20);
  }

  private static void assertIndexRefusal(ThrowingCallable write) {
    assertThatThrownBy(write)
        .satisfies(
            e -> assertThat(EvenkeyFailure.in(e).map(EvenkeyFailure::code)).contains("index"));
  }

  @Test
  void writesThatCouldLoseARowAreRefusedAndOthersAreNot() throws Exception {
    TableIndex covering =
        TableIndex.parse(
            IndexedTable.BY_CUSTOMER.toString().replace("events", "append_only")
                + " covering d:amount");
    orders.add(covering);
    byte[] key = IndexedTable.key("s", 1);
    byte[] amount = Bytes.toBytes("amount");
    try (Table table = connection.getTable(orders.name())) {
      table.put(order(1).addColumn(D, amount, Bytes.toBytes(5L)));
      table.put(new Put(key).addColumn(D, NOTE, NOTE));
      table.increment(new Increment(key).addColumn(D, Bytes.toBytes("count"), 2));
      table.append(new Append(key).addColumn(D, NOTE, NOTE));
      table.mutateRow(
          RowMutations.of(
              List.of(
                  new Put(key).addColumn(D, Bytes.toBytes("other"), NOTE),
                  new Delete(key).addColumns(D, NOTE))));
      assertThat(
              table
                  .checkAndMutate(
                      CheckAndMutate.newBuilder(key)
                          .ifEquals(D, CUSTOMER, Bytes.toBytes("c1"))
                          .build(new Put(key).addColumn(D, NOTE, NOTE)))
                  .isSuccess())
          .isTrue();

      Put some = IndexedTable.order("s", 2, "c");
      assertIndexRefusal(() -> table.put(some));
      assertIndexRefusal(() -> table.put(List.of(some)));
      assertIndexRefusal(() -> table.batch(List.of(some), new Object[1]));
      Put twice = IndexedTable.order("s", 2, "c").addColumn(D, CUSTOMER, 5, NOTE);
      assertIndexRefusal(() -> table.put(twice.addColumn(D, amount, NOTE)));
      assertIndexRefusal(() -> table.increment(new Increment(key).addColumn(D, amount, 1)));
      assertIndexRefusal(() -> table.append(new Append(key).addColumn(D, CUSTOMER, NOTE)));
      assertIndexRefusal(() -> table.mutateRow(RowMutations.of(List.of(some))));
      assertIndexRefusal(
          () ->
              table.checkAndMutate(
                  CheckAndMutate.newBuilder(some.getRow()).ifNotExists(D, CUSTOMER).build(some)));
      Put foreign = new Put(Bytes.toBytes("x")).addColumn(D, CUSTOMER, NOTE);
      assertThatThrownBy(() -> table.put(foreign.addColumn(D, amount, NOTE)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(orders.rows()).hasSize(1);

    orders.createEntries(BY_ID);
    orders.add(BY_ID);
    try (Table table = connection.getTable(orders.name())) {
      // It could make the row.
      assertIndexRefusal(() -> table.append(new Append(key).addColumn(D, NOTE, NOTE)));
    }
  }

  @Test
  void aPutThatHBaseRefusesAtOnceHasNoEntry() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    Configuration small = IndexedTable.dropIn(hbase.configuration());
    small.setInt(ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY, 1_000);
    Put large = IndexedTable.order("s", 1, "c1").addColumn(D, NOTE, new byte[2_000]);
    Put empty = new Put(IndexedTable.key("s", 2));
    try (Connection blocking = ConnectionFactory.createConnection(small);
        Table table = blocking.getTable(orders.name());
        AsyncConnection async = Futures.get(ConnectionFactory.createAsyncConnection(small))) {
      AsyncTable<?> later = async.getTable(orders.name());
      // It is known from now on.
      assertThat(Futures.get(later.get(new Get(IndexedTable.key("s", 1)))).isEmpty()).isTrue();
      for (ThrowingCallable put :
          List.<ThrowingCallable>of(
              () -> table.put(large),
              () -> table.put(List.of(large)),
              () -> later.put(large),
              () -> later.put(List.of(large)))) {
        assertThatThrownBy(put)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("KeyValue size too large");
      }
      assertThatThrownBy(() -> table.put(empty)).hasMessage("No columns to insert");
      assertThatThrownBy(() -> later.put(empty)).hasMessage("No columns to insert");
    }
    assertThat(orders.entries(IndexedTable.BY_CUSTOMER)).isEmpty();
  }

  @Test
  void aRowIsNotWrittenWithoutItsEntry() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    TableName entries =
        TableName.valueOf(IndexedTable.BY_CUSTOMER.tableName(orders.name().getNameAsString()));
    Configuration impatient = IndexedTable.dropIn(hbase.configuration());
    impatient.setInt("hbase.client.retries.number", 2);
    impatient.setLong("evenkey.migration.wait.ms", 500);
    try (Admin admin = hbase.connection().getAdmin();
        Connection quick = ConnectionFactory.createConnection(impatient);
        Table table = quick.getTable(orders.name());
        BufferedMutator mutator = quick.getBufferedMutator(orders.name())) {
      table.put(order(1));
      admin.disableTable(entries);
      assertThatThrownBy(() -> table.put(IndexedTable.order("s", 2, "c")))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> table.put(List.of(IndexedTable.order("s", 3, "c"))))
          .isInstanceOf(IOException.class);
      mutator.mutate(IndexedTable.order("s", 4, "c"));
      assertThatThrownBy(mutator::flush)
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              e -> assertThat(e.getRow(0).getRow()).isEqualTo(IndexedTable.key("s", 4)));
      assertThat(orders.rows()).isEqualTo(expected);
      admin.enableTable(entries);
      table.put(order(2));
    }
    assertAllHaveEntries(IndexedTable.BY_CUSTOMER);
  }

  @Test
  void aTableThatLosesItsLastIndexIsWrittenAsBefore() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    try (Table table = connection.getTable(orders.name())) {
      table.put(order(1));
      orders.set(orders.indexes().without("by_customer"));
      table.append(new Append(IndexedTable.key("s", 1)).addColumn(D, CUSTOMER, NOTE));
      assertThat(Bytes.toString(table.get(new Get(IndexedTable.key("s", 1))).getValue(D, CUSTOMER)))
          .isEqualTo("c1note");
    }
  }
}
