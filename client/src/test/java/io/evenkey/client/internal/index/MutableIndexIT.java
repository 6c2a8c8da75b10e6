/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.PublishedRows;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
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
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** An index of rows whose indexed columns change, one by one and together. */
@ExtendWith(EmbeddedHBaseExtension.class)
class MutableIndexIT {
  private static final byte[] D = IndexedTable.D;
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] STATE = Bytes.toBytes("state");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] NOTE = Bytes.toBytes("note");
  private static final TableIndex INDEX =
      TableIndex.parse(
          "by_state mutable public as \"salt(3) + state:string + customer:string + seller:string +"
              + " id:int64\" from state=d:state, customer=d:customer covering d:amount");

  private EmbeddedHBase hbase;
  private IndexedTable orders;
  private Connection connection;
  private SpreadTables tables;

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    hbase = shared;
    orders =
        IndexedTable.create(
            hbase.connection(), "mutable_" + test.getTestMethod().orElseThrow().getName());
    orders.createEntries(INDEX);
    connection = ConnectionFactory.createConnection(IndexedTable.dropIn(hbase.configuration()));
    tables = SpreadTables.on(hbase.connection());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    connection.close();
  }

  private static byte[] key(long id) {
    return IndexedTable.key("s", id);
  }

  private static Put put(long id, byte[] column, String value) {
    return new Put(key(id)).addColumn(D, column, Bytes.toBytes(value));
  }

  private static Put order(long id, String customer, String state) {
    return put(id, CUSTOMER, customer).addColumn(D, STATE, Bytes.toBytes(state));
  }

  private static String label(String state, String customer, long id) {
    return state + " " + customer + " " + id;
  }

  /** The rows as the index has to have them, by a scan of the table. */
  private List<String> expected() throws IOException {
    TreeSet<String> rows = new TreeSet<>();
    try (Table table = connection.getTable(orders.name());
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        String customer = Bytes.toString(row.getValue(D, CUSTOMER));
        String state = Bytes.toString(row.getValue(D, STATE));
        if (customer != null && state != null) {
          long id = IndexedTable.LAYOUT.decodeLogical(row.getRow()).getLong("id");
          rows.add(label(state, customer, id));
        }
      }
    }
    return List.copyOf(rows);
  }

  private Selection byState() throws IOException {
    return tables.open(orders.name()).select().by("by_state");
  }

  private List<String> indexed() throws IOException {
    List<String> rows = new ArrayList<>();
    try (KeyedRows read = byState().open()) {
      for (KeyedRow row : read) {
        rows.add(label(row.getString("state"), row.getString("customer"), row.getLong("id")));
      }
    }
    return rows;
  }

  @Test
  void aRowThatMeetsTheConditionNoMoreIsNotReturned() throws Exception {
    orders.add(INDEX.where("state = 'open'"));
    try (Table table = connection.getTable(orders.name())) {
      table.put(List.of(order(1, "c1", "open"), order(2, "c2", "open"), order(3, "c3", "paid")));
      assertThat(indexed()).containsExactly("open c1 1", "open c2 2");
      table.put(List.of(put(1, STATE, "paid"), put(3, STATE, "open"), put(2, CUSTOMER, "c0")));
      assertThat(indexed()).containsExactly("open c0 2", "open c3 3");
    }
    assertThat(orders.entries(INDEX)).hasSize(3);
  }

  @Test
  void severalChangesOfARowInOneBatchKeepTheirOrder() throws Exception {
    orders.add(INDEX);
    List<Put> puts = new ArrayList<>(List.of(order(1, "c", "s"), order(2, "c", "s")));
    for (int i = 0; i < 20; i++) {
      puts.add(put(1, i % 2 == 0 ? STATE : CUSTOMER, "v" + i));
      puts.add(put(2, STATE, "v" + i));
    }
    List<String> last = List.of("v18 v19 1", "v19 c 2");
    try (Table table = connection.getTable(orders.name());
        BufferedMutator mutator = connection.getBufferedMutator(orders.name());
        AsyncConnection async =
            ConnectionFactory.createAsyncConnection(IndexedTable.dropIn(hbase.configuration()))
                .get()) {
      table.put(puts);
      assertThat(indexed()).isEqualTo(last).isEqualTo(expected());
      table.delete(new ArrayList<>(List.of(new Delete(key(1)), new Delete(key(2)))));
      for (Put put : puts) {
        mutator.mutate(put);
      }
      mutator.flush();
      assertThat(indexed()).isEqualTo(last).isEqualTo(expected());
      table.delete(new ArrayList<>(List.of(new Delete(key(1)), new Delete(key(2)))));
      for (CompletableFuture<Void> one : async.getTable(orders.name()).put(puts)) {
        one.get();
      }
      assertThat(indexed()).isEqualTo(last).isEqualTo(expected());
    }
  }

  /** Servers refuse the reads before such a batch, as they refuse its puts. */
  @Test
  void batchesOfPartialPutsAreRepeatedByAnotherVersionOfTheIndexes() throws Exception {
    orders.add(INDEX);
    try (Table table = connection.getTable(orders.name())) {
      List<Put> all = new ArrayList<>();
      for (int id = 1; id <= 6; id++) {
        all.add(order(id, "c" + id, "open"));
      }
      table.put(all);
      // As a sweep does it.
      orders.add(INDEX);
      table.put(List.of(put(1, STATE, "paid"), put(2, CUSTOMER, "c9")));
      assertThat(indexed()).contains("paid c1 1", "open c9 2").isEqualTo(expected());
      orders.add(INDEX);
      List<Put> gathered = new ArrayList<>();
      for (int id = 1; id <= 6; id++) {
        gathered.add(put(id, STATE, "sent"));
      }
      Object[] results = new Object[6];
      table.batch(gathered, results);
      assertThat(results).hasOnlyElementsOfType(Result.class);
      assertThat(indexed()).contains("sent c1 1", "sent c9 2").hasSize(6).isEqualTo(expected());
      orders.set(orders.indexes().without("by_state"));
      table.put(List.of(put(1, STATE, "lost"), put(2, STATE, "lost")));
    }
    assertThat(expected()).contains("lost c1 1", "lost c9 2");
  }

  private static Increment increment(long id) {
    return new Increment(key(id)).addColumn(D, COUNT, 1);
  }

  private long count(long id) throws IOException {
    try (Table table = connection.getTable(orders.name())) {
      byte[] value = table.get(new Get(key(id))).getValue(D, COUNT);
      return value == null ? 0 : Bytes.toLong(value);
    }
  }

  @Test
  void ofABatchWithAnActionThatIsRefusedByNameNothingIsMade() throws Exception {
    orders.add(INDEX);
    try (Table table = connection.getTable(orders.name())) {
      List<Row> actions = List.of(increment(1), put(1, STATE, "x").setTTL(1000), put(2, NOTE, "n"));
      assertIndexRefusal(() -> table.batch(actions, new Object[3]), "time to live of its own");
      assertThat(table.exists(new Get(key(2)))).isFalse();
    }
    assertThat(count(1)).isZero();
  }

  /** The indexes change when the first actions of a batch are made. */
  private void batchWhileAnIndexIsAdded(TableIndex index, List<Row> actions, Object[] results)
      throws Exception {
    AtomicBoolean begun = new AtomicBoolean();
    try (Table table = connection.getTable(orders.name())) {
      table.batchCallback(
          actions,
          results,
          (region, row, result) -> {
            if (!begun.getAndSet(true)) {
              try {
                orders.add(index);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
    }
  }

  @Test
  void ofABatchOnlyWhatWasRefusedIsMadeAgain() throws Exception {
    orders.add(INDEX);
    Object[] results = new Object[3];
    batchWhileAnIndexIsAdded(
        INDEX, List.of(increment(1), put(1, STATE, "open"), put(1, CUSTOMER, "c1")), results);
    assertThat(results).hasOnlyElementsOfType(Result.class);
    assertThat(count(1)).isOne();
    assertThat(indexed()).containsExactly("open c1 1").isEqualTo(expected());
  }

  @Test
  void whatIsRefusedByNameWhenItIsRepeatedFailsByItself() throws Exception {
    orders.add(INDEX);
    TableIndex ofNotes =
        TableIndex.parse("by_note mutable joining as \"salt(2) + note:string\" from note=d:note");
    orders.createEntries(ofNotes);
    List<Row> actions =
        List.of(increment(1), put(1, NOTE, "n").setTTL(9_000), increment(2), put(2, STATE, "x"));
    Object[] results = new Object[4];
    assertThatThrownBy(() -> batchWhileAnIndexIsAdded(ofNotes, actions, results))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> {
              assertThat(e.getNumExceptions()).isOne();
              assertThat(e.getRow(0)).isSameAs(actions.get(1));
              assertThat(e.getCause(0)).hasMessageContaining("time to live of its own");
            });
    assertThat(results[1]).isInstanceOf(IndexRefusedException.class);
    assertThat(List.of(results[0], results[2], results[3])).hasOnlyElementsOfType(Result.class);
    assertThat(List.of(count(1), count(2))).containsExactly(1L, 1L);
  }

  /** One writer of the next test: what is refused changes nothing. */
  private Void write(int writer, int rounds, AsyncConnection async) throws Exception {
    SplittableRandom random = new SplittableRandom(20261125 + writer);
    RandomOperations operations = new RandomOperations(random, true, at -> at + 1L);
    try (WritePath.Clients clients =
        WritePath.Clients.of(connection, async, tables.open(orders.name()))) {
      for (int round = 0; round < rounds; round++) {
        List<Row> actions = operations.next();
        WritePath path = WritePath.random(random, actions);
        for (Object answer : path.make(clients, actions)) {
          if (answer instanceof Throwable failure) {
            WritePath.assertRefused(failure, path + " by writer " + writer);
          }
        }
      }
    }
    return null;
  }

  @Tag("long")
  @Test
  void clientsThatChangeTheSameRowsAtOnceLoseNone() throws Exception {
    orders.add(INDEX);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(IndexedTable.dropIn(hbase.configuration())).get()) {
      for (int part = 0; part < 10; part++) {
        List<Future<Void>> writers =
            IntStream.range(0, 4).mapToObj(w -> pool.submit(() -> write(w, 15, async))).toList();
        for (Future<Void> writer : writers) {
          writer.get();
        }
        List<Order> expected =
            orders.orders().stream()
                .filter(order -> order.customer() != null && order.state() != null)
                .sorted(Order.by(INDEX.layout()))
                .toList();
        assertThat(PublishedRows.of(byState().publisher(), 10, Order::of)).isEqualTo(expected);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aChangeIsLaterThanTheRowThoughTheClockOfTheServerIsBehind() throws Exception {
    long future = System.currentTimeMillis() + 3_600_000;
    try (Table plain = connection.getTable(orders.name())) {
      plain.put(
          new Put(key(1))
              .addColumn(D, CUSTOMER, future, Bytes.toBytes("c1"))
              .addColumn(D, STATE, future, Bytes.toBytes("open")));
    }
    orders.add(INDEX);
    try (Table table = connection.getTable(orders.name())) {
      table.put(put(1, STATE, "paid"));
      assertThat(Bytes.toString(table.get(new Get(key(1))).getValue(D, STATE))).isEqualTo("paid");
      assertThat(indexed()).containsExactly("paid c1 1");
      table.put(order(1, "c2", "sent"));
      assertThat(indexed()).containsExactly("sent c2 1").isEqualTo(expected());
    }
  }

  @Test
  void aRowIsNotMadeToStayLongerThanItsEntry() throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.modifyColumnFamily(
          orders.name(), ColumnFamilyDescriptorBuilder.newBuilder(D).setTimeToLive(3_600).build());
    }
    orders.add(INDEX);
    long now = System.currentTimeMillis();
    try (Table table = connection.getTable(orders.name())) {
      table.put(at(now + 39_600_000, order(1, "c1", "open")));
      table.put(order(1, "c1", "paid"));
      table.put(at(now + 60_000_000, order(2, "c2", "open")));
      for (Put later : List.of(order(2, "c2", "paid"), put(2, STATE, "paid"))) {
        assertThatThrownBy(() -> table.put(later))
            .hasMessageContaining("12 hours ahead of the region server's clock");
      }
      table.put(at(now + 60_000_001, order(2, "c2", "sent")));
    }
    assertThat(indexed()).containsExactly("paid c1 1", "sent c2 2").isEqualTo(expected());
  }

  @Test
  void aTimestampOfAColumnThatIsNotIndexedIsKept() throws Exception {
    orders.add(INDEX);
    try (Table table = connection.getTable(orders.name())) {
      table.put(order(1, "c1", "open").addColumn(D, NOTE, 2000, Bytes.toBytes("new")));
      table.put(put(1, STATE, "paid").addColumn(D, NOTE, 1000, Bytes.toBytes("old")));
      Result row = table.get(new Get(key(1)));
      assertThat(Bytes.toString(row.getValue(D, NOTE))).isEqualTo("new");
      assertThat(row.getColumnLatestCell(D, NOTE).getTimestamp()).isEqualTo(2000);
      assertThat(Bytes.toString(row.getValue(D, STATE))).isEqualTo("paid");
    }
    assertThat(indexed()).containsExactly("paid c1 1");
  }

  private static Put at(long time, Put put) {
    Put timed = new Put(put.getRow(), time);
    put.getFamilyCellMap()
        .values()
        .forEach(
            cells ->
                cells.forEach(
                    cell ->
                        timed.addColumn(
                            D, CellUtil.cloneQualifier(cell), time, CellUtil.cloneValue(cell))));
    return timed;
  }

  private static void assertIndexRefusal(ThrowingCallable write, String rule) {
    assertThatThrownBy(write)
        .satisfies(
            e -> {
              EvenkeyFailure failure = EvenkeyFailure.in(e).orElseThrow();
              assertThat(failure.code()).isEqualTo("index");
              assertThat(((Throwable) failure).getMessage()).contains(rule);
            });
  }

  @Test
  void changesThatCouldLoseARowAreRefused() throws Exception {
    orders.add(INDEX);
    try (Table table = connection.getTable(orders.name())) {
      table.put(order(1, "c", "s"));
      table.put(put(1, NOTE, "n"));
      table.increment(new Increment(key(1)).addColumn(D, Bytes.toBytes("count"), 1));
      assertIndexRefusal(
          () ->
              table.put(
                  new Put(key(1)).addColumn(D, STATE, 5, NOTE).addColumn(D, CUSTOMER, 6, NOTE)),
          "several timestamps");
      assertIndexRefusal(
          () -> table.put(put(1, STATE, "x").setTTL(1000)), "time to live of its own");
      assertIndexRefusal(
          () -> table.delete(new Delete(key(1)).addColumn(D, STATE)), "deletion of one version");
      assertIndexRefusal(
          () -> table.delete(new Delete(key(1)).addFamilyVersion(D, 7)), "deletion of one version");
      assertIndexRefusal(
          () -> table.append(new Append(key(1)).addColumn(D, STATE, NOTE)), "another operation");
      assertIndexRefusal(
          () -> table.increment(new Increment(key(1)).addColumn(D, AMOUNT, 1)),
          "another operation");
      assertIndexRefusal(
          () -> table.mutateRow(RowMutations.of(List.of(put(1, STATE, "x")))), "another operation");
      List<Row> twice = Arrays.asList(put(1, STATE, "x").addColumn(D, STATE, NOTE));
      assertIndexRefusal(() -> table.batch(twice, new Object[1]), "several values");
    }
    assertThat(indexed()).containsExactly("s c 1").isEqualTo(expected());
  }
}
