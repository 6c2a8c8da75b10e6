/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.UnsupportedFilterException;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class MetersIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] ROW = Bytes.toBytes("row");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void listen() {
    Metrics.addRegistry(registry);
  }

  @AfterEach
  void stop() {
    Metrics.removeRegistry(registry);
  }

  private double operations(String table, String operation) {
    return registry
        .get("evenkey.operations")
        .tag("table", table)
        .tag("operation", operation)
        .functionCounter()
        .count();
  }

  @Test
  void clientsCountWhatTheyDo(Connection plain) throws Exception {
    TableName name = TableName.valueOf("meters");
    Layout layout = Layout.parse("salt(4) + key:bytes");
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(name, layout, layout.splits(2), List.of("d"));
    }
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    double returnedBefore = returned();
    try (Connection dropIn = ConnectionFactory.createConnection(configuration);
        Table table = dropIn.getTable(name)) {
      for (int i = 0; i < 1_000; i++) {
        table.put(new Put(Bytes.toBytes("k" + i)).addColumn(FAMILY, FAMILY, FAMILY));
      }
      table.get(List.of(new Get(Bytes.toBytes("k1")), new Get(Bytes.toBytes("k2"))));
      table.delete(new Delete(Bytes.toBytes("k1")));
      try (ResultScanner rows = table.getScanner(new Scan().setLimit(10))) {
        assertThat(rows.next(20)).hasSize(10);
      }
      Scan refused = new Scan().setFilter(new OwnFilter());
      assertThatThrownBy(() -> table.getScanner(refused))
          .isInstanceOf(UnsupportedFilterException.class);
    }

    assertThat(operations("meters", "put")).isEqualTo(1_000);
    assertThat(operations("meters", "get")).isEqualTo(2);
    assertThat(operations("meters", "delete")).isEqualTo(1);
    assertThat(operations("meters", "append")).isZero();
    assertThat(registry.get("evenkey.writes.skew").tag("table", "meters").gauge().value())
        .isCloseTo(1, within(0.2));
    assertThat(registry.get("evenkey.scan.fanout").summary().max()).isEqualTo(4);
    assertThat(returned() - returnedBefore).isEqualTo(10);
    assertThat(registry.get("evenkey.scan.rows.fetched").functionCounter().count())
        .isGreaterThanOrEqualTo(returned());
    assertThat(registry.get("evenkey.refused").tag("operation", "filter").counter().count())
        .isPositive();
  }

  private double writes(String table) {
    return registry.get("evenkey.writes").tag("table", table).functionCounter().count();
  }

  private static Put put(int qualifier) {
    return new Put(ROW).addColumn(FAMILY, Bytes.toBytes(qualifier), FAMILY);
  }

  private static RowMutations three() throws IOException {
    return RowMutations.of(List.of(put(1), put(2), put(3)));
  }

  private static CheckAndMutate.Builder absent() {
    return CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, FAMILY);
  }

  private static Configuration dropIn(Connection plain) {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  /** An operation, and the number of writes as which it counts. */
  private record Done(String what, int writes, Callable<?> work) {}

  private void assertCounted(String table, List<Done> all) throws Exception {
    for (Done each : all) {
      double before = writes(table);
      each.work.call();
      assertThat(writes(table) - before).as(each.what).isEqualTo(each.writes);
    }
  }

  private static TableName table(Connection plain, String name) throws Exception {
    TableName table = TableName.valueOf(name);
    Layout layout = Layout.parse("salt(4) + key:bytes");
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(table, layout, layout.splits(2), List.of("d"));
    }
    return table;
  }

  private static void buffered(Connection connection, TableName name) throws IOException {
    try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
      mutator.mutate(put(1));
      mutator.mutate(List.of(put(2), new Delete(ROW)));
    }
  }

  @Test
  @SuppressWarnings("deprecation") // what HBase still has in the interface
  void everyMutationIsOneWriteInEachForm(Connection plain) throws Exception {
    TableName name = table(plain, "written");
    try (Connection connection = ConnectionFactory.createConnection(dropIn(plain));
        Table table = connection.getTable(name)) {
      table.put(put(0));
      assertCounted(
          "written",
          List.of(
              new Done("get", 0, () -> table.get(new Get(ROW))),
              new Done("puts", 2, () -> done(() -> table.put(List.of(put(1), put(2))))),
              new Done("delete", 1, () -> done(() -> table.delete(new Delete(ROW)))),
              new Done(
                  "deletes",
                  2,
                  () ->
                      done(
                          () ->
                              table.delete(
                                  new ArrayList<>(List.of(new Delete(ROW), new Delete(ROW)))))),
              new Done(
                  "increment",
                  1,
                  () -> table.increment(new Increment(ROW).addColumn(FAMILY, ROW, 1))),
              new Done(
                  "incrementColumnValue", 1, () -> table.incrementColumnValue(ROW, FAMILY, ROW, 1)),
              new Done(
                  "append", 1, () -> table.append(new Append(ROW).addColumn(FAMILY, ROW, ROW))),
              new Done("mutateRow", 3, () -> table.mutateRow(three())),
              new Done("checked put", 1, () -> table.checkAndMutate(absent().build(put(1)))),
              new Done("checked mutations", 3, () -> table.checkAndMutate(absent().build(three()))),
              new Done(
                  "checks",
                  4,
                  () ->
                      table.checkAndMutate(
                          List.of(absent().build(put(1)), absent().build(three())))),
              new Done(
                  "builder",
                  1,
                  () ->
                      table
                          .checkAndMutate(ROW, FAMILY)
                          .qualifier(ROW)
                          .ifNotExists()
                          .thenPut(put(1))),
              new Done(
                  "batch",
                  5,
                  () ->
                      done(
                          () ->
                              table.batch(
                                  List.of(put(1), new Delete(ROW), three(), new Get(ROW)),
                                  new Object[4]))),
              new Done("buffered", 3, () -> done(() -> buffered(connection, name)))));
    }
  }

  @Test
  void everyAsynchronousMutationIsOneWriteInEachForm(Connection plain) throws Exception {
    TableName name = table(plain, "written_async");
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(dropIn(plain)).get()) {
      AsyncTable<?> table = connection.getTable(name);
      table.put(put(0)).get();
      assertCounted(
          "written_async",
          List.of(
              new Done("get", 0, () -> table.get(new Get(ROW)).get()),
              new Done("puts", 2, () -> table.putAll(List.of(put(1), put(2))).get()),
              new Done("delete", 1, () -> table.delete(new Delete(ROW)).get()),
              new Done(
                  "increment",
                  1,
                  () -> table.increment(new Increment(ROW).addColumn(FAMILY, ROW, 1)).get()),
              new Done(
                  "append",
                  1,
                  () -> table.append(new Append(ROW).addColumn(FAMILY, ROW, ROW)).get()),
              new Done("mutateRow", 3, () -> table.mutateRow(three()).get()),
              new Done("checked put", 1, () -> table.checkAndMutate(absent().build(put(1))).get()),
              new Done(
                  "checked mutations",
                  3,
                  () -> table.checkAndMutate(absent().build(three())).get()),
              new Done(
                  "batch",
                  5,
                  () ->
                      table
                          .batchAll(List.of(put(1), new Delete(ROW), three(), new Get(ROW)))
                          .get()),
              new Done(
                  "buffered",
                  2,
                  () -> {
                    try (AsyncBufferedMutator mutator = connection.getBufferedMutator(name)) {
                      List<CompletableFuture<Void>> all =
                          mutator.mutate(List.of(put(1), new Delete(ROW)));
                      mutator.flush();
                      return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
                          .get();
                    }
                  })));
    }
  }

  /** Work without a result. */
  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private static boolean done(Work work) throws Exception {
    work.run();
    return true;
  }

  /** One that HBase does not know. */
  private static final class OwnFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  private double returned() {
    ScanMeters.returned(0);
    return registry.get("evenkey.scan.rows.returned").functionCounter().count();
  }
}
