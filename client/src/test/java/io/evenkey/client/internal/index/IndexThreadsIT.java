/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.index.TableIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An application that writes indexed tables has no more than twice the threads of another. */
@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class IndexThreadsIT {
  private static final int ROUNDS = 40;

  /** So many rounds write to each region of the table and of its indexes. */
  private static final int LOCATING_ROUNDS = 20;

  /** At the most: threads that send to one of them each. */
  private static final int SERVERS = 8;

  private static final TableIndex BY_SELLER =
      TableIndex.parse(
          "by_seller mutable public as \"salt(4) + seller:string + customer:string + id:int64\" from customer=d:customer");

  /** What an application writes in one round. */
  @FunctionalInterface
  private interface Writes {
    void of(List<Put> rows) throws Exception;
  }

  private static List<Put> rows(int round) {
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      rows.add(IndexedTable.order("s" + i, round, "c" + i));
    }
    return rows;
  }

  /**
   * The names of the threads that the writes begin when the regions are located, and how many each
   * has.
   */
  private static Map<String, Long> threads(Writes writes) throws Exception {
    // A region that is located later begins threads of HBase's own.
    write(writes, 0, LOCATING_ROUNDS);
    Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
    write(writes, LOCATING_ROUNDS, LOCATING_ROUNDS + ROUNDS);
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(thread -> thread.getName().replaceAll("[0-9]+", "N").replaceAll("N[0-9a-fxN]*", "N"))
        .filter(
            name ->
                name.contains("pool")
                    || name.startsWith("evenkey")
                    || name.startsWith("RPCClient")
                    || name.startsWith("Async"))
        .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
  }

  private static void write(Writes writes, int from, int to) throws Exception {
    for (int round = from; round < to; round++) {
      writes.of(rows(round));
    }
  }

  private static void areFew(Map<String, Long> without, Map<String, Long> with) {
    assertThat(sum(with))
        .as("without indexes: %s with: %s", without, with)
        .isLessThanOrEqualTo(2 * sum(without) + SERVERS);
  }

  private static long sum(Map<String, Long> threads) {
    return threads.values().stream().mapToLong(count -> count).sum();
  }

  private static Map<String, Long> buffered(Connection plain, TableName name) throws Exception {
    try (Connection connection =
            ConnectionFactory.createConnection(IndexedTable.dropIn(plain.getConfiguration()));
        BufferedMutator buffer = connection.getBufferedMutator(name)) {
      return threads(
          rows -> {
            buffer.mutate(rows);
            buffer.flush();
          });
    }
  }

  private static Map<String, Long> spread(Connection plain, TableName name) throws Exception {
    try (SpreadTables tables = SpreadTables.on(plain);
        SpreadMutator buffer = tables.open(name).mutator()) {
      return threads(
          rows -> {
            for (Put row : rows) {
              buffer.put(row);
            }
            buffer.flush();
          });
    }
  }

  private static Map<String, Long> single(Connection plain, TableName name) throws Exception {
    try (Connection connection =
            ConnectionFactory.createConnection(IndexedTable.dropIn(plain.getConfiguration()));
        Table table = connection.getTable(name)) {
      return threads(
          rows -> {
            for (Put row : rows) {
              table.put(row);
            }
          });
    }
  }

  private static Map<String, Long> listed(Connection plain, TableName name) throws Exception {
    try (Connection connection =
            ConnectionFactory.createConnection(IndexedTable.dropIn(plain.getConfiguration()));
        Table table = connection.getTable(name)) {
      return threads(table::put);
    }
  }

  private static Map<String, Long> later(Connection plain, TableName name) throws Exception {
    try (AsyncConnection connection =
            FutureUtils.get(
                ConnectionFactory.createAsyncConnection(
                    IndexedTable.dropIn(plain.getConfiguration())));
        AsyncBufferedMutator buffer = connection.getBufferedMutator(name)) {
      AsyncTable<?> table = connection.getTable(name);
      return threads(
          rows -> {
            CompletableFuture.allOf(table.put(rows).toArray(CompletableFuture[]::new)).join();
            List<CompletableFuture<Void>> written = buffer.mutate(rows);
            buffer.flush();
            CompletableFuture.allOf(written.toArray(CompletableFuture[]::new)).join();
          });
    }
  }

  @Test
  void anApplicationWithIndexesHasFewMoreThreads(Connection plain) throws Exception {
    IndexedTable without = IndexedTable.create(plain, "threads_without");
    IndexedTable with = IndexedTable.create(plain, "threads_with");
    with.createEntries(IndexedTable.BY_CUSTOMER);
    with.add(IndexedTable.BY_CUSTOMER);
    with.createEntries(BY_SELLER);
    with.add(BY_SELLER);
    areFew(single(plain, without.name()), single(plain, with.name()));
    areFew(buffered(plain, without.name()), buffered(plain, with.name()));
    areFew(listed(plain, without.name()), listed(plain, with.name()));
    areFew(later(plain, without.name()), later(plain, with.name()));
    areFew(spread(plain, without.name()), spread(plain, with.name()));
  }
}
