/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Values;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A row that cannot be written because of an index fails by itself; those beside it are written.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class RefusedRowsIT {
  private static final byte[] D = IndexedTable.D;
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final TableIndex BY_AMOUNT =
      TableIndex.parse(
          "by_amount events public as \"salt(2) + amount:int64 + seller:string + id:int64\" from"
              + " amount=d:amount:long");
  private static final TableIndex COVERING =
      TableIndex.parse(
          IndexedTable.BY_CUSTOMER.toString().replace("events", "append_only")
              + " covering d:amount");
  private static final TableIndex MUTABLE =
      TableIndex.parse(
          "by_both mutable joining as \"salt(3) + customer:string + amount:int64 + seller:string +"
              + " id:int64\" from customer=d:customer, amount=d:amount:long");

  private static final TableIndex ONE_COLUMN =
      TableIndex.parse(
          "by_one mutable public as \"salt(3) + customer:string + seller:string + id:int64\" from"
              + " customer=d:customer");

  private IndexedTable orders;
  private Connection connection;
  private final Map<Long, Throwable> reported = new TreeMap<>();

  @BeforeEach
  void create(EmbeddedHBase hbase, TestInfo test) throws IOException {
    orders =
        IndexedTable.create(
            hbase.connection(), "refused_" + test.getTestMethod().orElseThrow().getName());
    for (TableIndex index : List.of(BY_AMOUNT, COVERING, MUTABLE, ONE_COLUMN)) {
      orders.createEntries(index);
    }
    connection = ConnectionFactory.createConnection(IndexedTable.dropIn(hbase.configuration()));
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  private static byte[] key(long id) {
    return IndexedTable.key("s", id);
  }

  private static Put order(long id) {
    return IndexedTable.order("s", id, "c" + id);
  }

  private static Put order(long id, long amount) {
    return order(id).addColumn(D, AMOUNT, Bytes.toBytes(amount));
  }

  /** A put of a value that is no number of 8 bytes. */
  private static Put unfit(long id) {
    return order(id).addColumn(D, AMOUNT, Bytes.toBytes("abc"));
  }

  private static String name(long id) {
    return IndexedTable.printable(key(id));
  }

  private static List<String> names(long... ids) {
    List<String> names = new ArrayList<>();
    for (long id : ids) {
      names.add(name(id));
    }
    return names;
  }

  private BufferedMutator mutator() throws IOException {
    return connection.getBufferedMutator(params());
  }

  private BufferedMutatorParams params() {
    return new BufferedMutatorParams(orders.name()).listener((failed, mutator) -> report(failed));
  }

  private void report(RetriesExhaustedWithDetailsException failed) {
    for (int i = 0; i < failed.getNumExceptions(); i++) {
      Values key = IndexedTable.LAYOUT.decodeLogical(failed.getRow(i).getRow());
      reported.put(key.getLong("id"), failed.getCause(i));
    }
  }

  @Test
  void ofRowsThatAreWrittenAgainForANewIndexOnlyTheUnfitOneFails() throws Exception {
    try (BufferedMutator mutator = mutator()) {
      mutator.mutate(List.of(order(1, 1), unfit(2), order(3, 3)));
      orders.add(BY_AMOUNT);
      mutator.flush();
      assertThat(reported).containsOnlyKeys(2L);
      assertThat(reported.get(2L)).isInstanceOf(LayoutException.class);
      mutator.flush();
    }
    assertThat(orders.rows()).containsExactlyElementsOf(names(1, 3));
    assertThat(orders.entries(BY_AMOUNT)).containsOnlyKeys(names(1, 3));
  }

  @Test
  void ofRowsThatAreWrittenAgainForANewIndexOnlyTheRefusedOneFails() throws Exception {
    try (BufferedMutator mutator = mutator()) {
      mutator.mutate(List.of(order(1, 1), order(2), order(3, 3), order(4, 4)));
      orders.add(COVERING);
      mutator.flush();
      assertThat(reported).containsOnlyKeys(2L);
      assertThat(reported.get(2L))
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("put of only some of the columns");
    }
    assertThat(orders.rows()).containsExactlyElementsOf(names(1, 3, 4));
    assertThat(orders.entries(COVERING)).containsOnlyKeys(names(1, 3, 4));
  }

  @Test
  void withoutAListenerTheFlushThrowsAndTheOthersAreWritten() throws Exception {
    try (BufferedMutator mutator = connection.getBufferedMutator(orders.name())) {
      mutator.mutate(List.of(order(1, 1), unfit(2), order(3), order(4, 4)));
      orders.add(COVERING);
      orders.add(BY_AMOUNT);
      assertThatThrownBy(mutator::flush)
          .isInstanceOfSatisfying(RetriesExhaustedWithDetailsException.class, this::report);
      mutator.flush();
    }
    assertThat(reported).containsKey(2L);
    assertThat(orders.rows()).containsExactlyElementsOf(names(1, 4));
    assertThat(orders.entries(BY_AMOUNT)).containsOnlyKeys(names(1, 4));
    assertThat(orders.entries(COVERING)).containsOnlyKeys(names(1, 4));
  }

  /** The client learns of the other index by the first wave, while the second one waits. */
  @Test
  void ofRowsThatWaitWhileAnIndexIsAddedOnlyTheUnfitOneFails() throws Exception {
    orders.add(ONE_COLUMN);
    try (BufferedMutator mutator = mutator()) {
      mutator.mutate(List.of(order(1, 1), order(2, 2), order(3, 3)));
      mutator.mutate(List.of(order(1, 5), unfit(2), order(3, 7)));
      orders.add(BY_AMOUNT);
      mutator.flush();
      assertThat(reported).containsOnlyKeys(2L);
      assertThat(reported.get(2L)).isInstanceOf(LayoutException.class);
    }
    assertThat(orders.rows()).containsExactlyElementsOf(names(1, 2, 3));
    assertThat(orders.entries(BY_AMOUNT))
        .containsExactlyInAnyOrderEntriesOf(Map.of(name(1), 2, name(2), 1, name(3), 2));
  }

  @Test
  void ofRowsWhoseOtherColumnsAreReadOnlyTheUnfitOneFails() throws Exception {
    try (Table table = connection.getTable(orders.name())) {
      table.put(List.of(order(1, 1), unfit(2), order(3, 3)));
    }
    orders.add(MUTABLE);
    try (BufferedMutator mutator = mutator()) {
      mutator.mutate(List.of(order(1), order(2), order(3), order(4, 4)));
      mutator.flush();
      assertThat(reported).containsOnlyKeys(2L);
      assertThat(reported.get(2L)).isInstanceOf(LayoutException.class);
    }
    assertThat(orders.entries(MUTABLE)).containsOnlyKeys(names(1, 3, 4));
  }

  @Test
  void ofABatchWhoseRowsAreReadOnlyTheUnfitOneFails() throws Exception {
    try (Table table = connection.getTable(orders.name())) {
      table.put(List.of(order(1, 1), unfit(2), order(3, 3)));
      orders.add(MUTABLE);
      List<Row> actions = List.of(order(1), order(2), order(3), order(4, 4), new Get(key(1)));
      Object[] results = new Object[actions.size()];
      assertThatThrownBy(() -> table.batch(actions, results))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              e -> {
                assertThat(e.getNumExceptions()).isOne();
                assertThat(e.getRow(0)).isSameAs(actions.get(1));
                assertThat(e.getCause(0)).isInstanceOf(LayoutException.class);
              });
      assertThat(results[1]).isInstanceOf(LayoutException.class);
      assertThat(List.of(results[0], results[2], results[3], results[4]))
          .hasOnlyElementsOfType(Result.class);
    }
    assertThat(orders.entries(MUTABLE)).containsOnlyKeys(names(1, 3, 4));
  }

  /** Of five rows the second one has a value that the index cannot hold. */
  private void assertOnlyTheSecondFails(List<? extends CompletableFuture<?>> results) {
    for (int i = 0; i < results.size(); i++) {
      CompletableFuture<?> result = results.get(i);
      if (i == 1) {
        assertThatThrownBy(() -> Futures.get(result)).isInstanceOf(LayoutException.class);
      } else {
        assertThatCode(() -> Futures.get(result)).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void ofAsynchronousWritesWhoseRowsAreReadOnlyTheUnfitOneFails() throws Exception {
    try (Table table = connection.getTable(orders.name())) {
      table.put(List.of(order(1, 1), unfit(2), order(3, 3)));
    }
    orders.add(MUTABLE);
    List<Put> puts = List.of(order(1), order(2), order(3), order(4, 4), order(5));
    try (AsyncConnection async =
            Futures.get(ConnectionFactory.createAsyncConnection(connection.getConfiguration()));
        AsyncBufferedMutator mutator = async.getBufferedMutator(orders.name())) {
      AsyncTable<?> table = async.getTable(orders.name());
      assertOnlyTheSecondFails(table.put(puts));
      assertOnlyTheSecondFails(table.batch(puts));
      assertThatThrownBy(() -> Futures.get(table.putAll(puts))).isInstanceOf(LayoutException.class);
      List<CompletableFuture<Void>> buffered = mutator.mutate(puts);
      mutator.flush();
      assertOnlyTheSecondFails(buffered);
    }
    assertThat(orders.entries(MUTABLE)).containsOnlyKeys(names(1, 3, 4));
  }

  @Test
  void ofAsynchronousWritesOnlyThePutOfAnUnfitValueFails() throws Exception {
    orders.add(BY_AMOUNT);
    try (AsyncConnection async =
        Futures.get(ConnectionFactory.createAsyncConnection(connection.getConfiguration()))) {
      AsyncTable<?> table = async.getTable(orders.name());
      assertOnlyTheSecondFails(table.put(List.of(order(1, 1), unfit(2), order(3, 3))));
      assertThatThrownBy(() -> Futures.get(table.put(unfit(2))))
          .isInstanceOf(LayoutException.class);
    }
    assertThat(orders.entries(BY_AMOUNT)).containsOnlyKeys(names(1, 3));
  }

  /** HBase's client does not find the region of a row of nearly the longest length. */
  @Test
  void anEntryWhoseRegionCannotBeFoundIsRejectedAtOnce() throws Exception {
    orders.add(IndexedTable.BY_CUSTOMER);
    int longest = customerOfTheLongestEntry();
    Put tooLong = IndexedTable.order("s", 3, "x".repeat(longest + 1));
    // It would find the regions of the index before.
    Configuration unchecked = new Configuration(connection.getConfiguration());
    unchecked.set(EvenkeyConnection.CHECK, "off");
    try (Connection own = ConnectionFactory.createConnection(unchecked);
        BufferedMutator mutator = own.getBufferedMutator(params());
        Table table = own.getTable(orders.name())) {
      mutator.mutate(List.of(order(1), IndexedTable.order("s", 2, "x".repeat(longest)), order(4)));
      mutator.flush();
      assertThatThrownBy(() -> mutator.mutate(tooLong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("row of an index too long")
          .hasMessageContaining("index=by_customer bytes=" + (longestEntry() + 1) + " prefix=1");
      assertThatThrownBy(() -> table.put(tooLong)).hasMessageContaining("index too long");
    }
    assertThat(reported).isEmpty();
    assertThat(orders.rows()).containsExactlyElementsOf(names(1, 2, 4));
    assertThat(orders.entries(IndexedTable.BY_CUSTOMER)).containsOnlyKeys(names(1, 2, 4));
  }

  private int longestEntry() {
    String name = IndexedTable.BY_CUSTOMER.tableName(orders.name().getNameAsString());
    return Short.MAX_VALUE
        - RegionInfo.createRegionName(TableName.valueOf(name), new byte[0], HConstants.NINES, false)
            .length;
  }

  private int customerOfTheLongestEntry() {
    int rest =
        IndexKey.of(IndexedTable.LAYOUT, IndexedTable.BY_CUSTOMER)
            .entry(key(2), column -> CUSTOMER)
            .orElseThrow()
            .length;
    return longestEntry() - 1 - rest + CUSTOMER.length;
  }

  /** What a listener hands in while it is called is not the application's call of later on. */
  @Test
  void aRowThatTheListenerHandsInFailsByItself() throws Exception {
    BufferedMutatorParams params =
        new BufferedMutatorParams(orders.name())
            .listener(
                (failed, mutator) -> {
                  boolean first = reported.isEmpty();
                  report(failed);
                  if (first) {
                    handIn(mutator, List.of(unfit(5), order(6, 6)));
                  }
                });
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(List.of(unfit(1), order(2, 2)));
      orders.add(BY_AMOUNT);
      mutator.flush();
      mutator.mutate(order(3, 3));
      assertThat(reported).containsOnlyKeys(1L, 5L);
    }
    assertThat(orders.rows()).containsExactlyElementsOf(names(2, 3, 6));
    assertThat(orders.entries(BY_AMOUNT)).containsOnlyKeys(names(2, 3, 6));
  }

  private static void handIn(BufferedMutator mutator, List<Put> puts) {
    try {
      mutator.mutate(puts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aListenerThatThrowsLosesNoRow() throws Exception {
    orders.add(ONE_COLUMN);
    BufferedMutatorParams params =
        new BufferedMutatorParams(orders.name())
            .listener(
                (failed, mutator) -> {
                  throw new IllegalStateException("thrown by the listener");
                });
    try (BufferedMutator mutator = connection.getBufferedMutator(params)) {
      mutator.mutate(List.of(order(1, 1), order(2, 2)));
      mutator.mutate(List.of(unfit(1), order(2, 3), order(4, 4)));
      mutator.mutate(order(2, 5));
      orders.add(BY_AMOUNT);
      assertThatThrownBy(mutator::flush).hasMessage("thrown by the listener");
      mutator.flush();
    }
    assertThat(orders.rows()).containsExactlyElementsOf(names(1, 2, 4));
    assertThat(orders.entries(BY_AMOUNT))
        .containsExactlyInAnyOrderEntriesOf(Map.of(name(1), 1, name(2), 3, name(4), 1));
  }
}
