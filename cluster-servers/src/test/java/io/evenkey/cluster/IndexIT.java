/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Indexes of rows that change: added by commands that are killed, under clients and region servers
 * that are killed too, each a process of its own.
 */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class IndexIT {
  private static final String INDEX = "by_customer";

  private static final Comparator<Order> ITS_ORDER =
      Comparator.comparing(Order::customer)
          .thenComparing(Comparator.comparing(Order::id).reversed());

  /** No writer has them: readers see each of them once, also while servers die. */
  private static final int QUIET = OrderWriter.WRITERS - 1;

  @RegisterExtension
  private static final ClusterExtension CLUSTER =
      ClusterExtension.in("index", ClusterOptions.defaults());

  private final SeparateCluster cluster;
  private final Connection plain;
  private SpreadTables tables;
  private Registry registry;

  @TempDir private Path directory;

  IndexIT(SeparateCluster cluster, Connection plain) {
    this.cluster = cluster;
    this.plain = plain;
  }

  @BeforeEach
  void open() throws IOException {
    tables = SpreadTables.on(plain);
    registry = Registry.open(cluster.configuration());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    registry.close();
  }

  private String[] command(TableName table, String verb, String... more) {
    List<String> all = new ArrayList<>(List.of("index", verb, table.getNameAsString(), INDEX));
    all.addAll(List.of(more));
    all.addAll(List.of("--conf", cluster.configurationDirectory().toString()));
    return all.toArray(String[]::new);
  }

  private RunningCommand adding(TableName table, String... more) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "salt(4) + customer:string + id:int64 desc",
                "--mutable",
                "--from",
                "customer=d:customer",
                "--covering",
                "d:amount"));
    all.addAll(List.of(more));
    return RunningCommand.begin(command(table, "add", all.toArray(String[]::new)));
  }

  /** Waits until a command that fills the index has recorded more rows than are filled now. */
  private void awaitFilling(TableName table, RunningCommand command) throws IOException {
    long before = filled(table);
    // Beside another cluster on two cores, a job on YARN takes two.
    await()
        .atMost(Duration.ofMinutes(5))
        .until(() -> filled(table) > before || !command.process().isAlive());
  }

  private long filled(TableName table) throws IOException {
    return registry.indexes().get(table, INDEX).map(work -> work.filling().rows()).orElse(0L);
  }

  private List<Order> byCustomer(TableName table) throws IOException {
    return Orders.read(tables.open(table).select().by(INDEX));
  }

  private JsonNode verified(TableName table) throws Exception {
    return Evenkey.run(command(table, "verify", "--json")).done().json();
  }

  private void drop(TableName table) throws Exception {
    Evenkey.run(command(table, "drop")).done();
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.tableExists(TableName.valueOf(table + "." + INDEX))).isFalse();
    }
  }

  @Test
  void anIndexOfRowsThatChangeOutlivesItsCommandsItsServersAndItsWriters() throws Exception {
    int loaded = 16_000;
    TableName table = Orders.load(plain, "orders", 6, loaded);
    try (OrderWriters writers = new OrderWriters(cluster, table, loaded, directory)) {
      writers.start(0, OrderKey.BY_ID);
      writers.start(1, OrderKey.BY_ID);
      for (int kill = 0; kill < 2; kill++) {
        try (RunningCommand add = adding(table, "--pace", "1500")) {
          awaitFilling(table, add);
          add.kill();
        }
      }
      writers.kill(0);
      writers.start(2, OrderKey.BY_ID);
      Member first = Member.regionServer(2);
      try (RunningCommand add = adding(table, "--pace", "1500")) {
        awaitFilling(table, add);
        cluster.kill(first);
        assertThat(filled(table)).as("rows filled, of %d", loaded).isLessThan(loaded);
        assertThat(add.end().done().out()).contains("each with its entry");
      }
      cluster.restart(first);

      Member second = Member.regionServer(3);
      cluster.kill(second);
      assertThat(byCustomer(table).stream().filter(IndexIT::isQuiet).toList())
          .isEqualTo(quiet(loaded));
      cluster.restart(second);
      writers.awaitMore(1);
      writers.awaitMore(2);
      assertThat(verified(table).get("missing").asInt()).isZero();

      writers.stop(1);
      writers.stop(2);
      List<Order> orders = Orders.read(tables.open(table).select());
      Orders.check(orders, writers, OrderKey.BY_ID.order());
      Orders.check(byCustomer(table), writers, ITS_ORDER);
      assertThat(
              Evenkey.run(command(table, "sweep", "--json")).done().json().get("removed").asInt())
          .isPositive();
      JsonNode swept = verified(table);
      assertThat(swept.get("missing").asInt()).isZero();
      assertThat(swept.get("stale").asInt()).isZero();
      assertThat(swept.get("rows").asInt()).isEqualTo(orders.size());
      assertThat(swept.get("entries").asInt()).isEqualTo(orders.size());
      Orders.check(byCustomer(table), writers, ITS_ORDER);
      drop(table);
      Orders.check(Orders.read(tables.open(table).select()), writers, OrderKey.BY_ID.order());
    }
  }

  private static boolean isQuiet(Order order) {
    return order.id() % OrderWriter.WRITERS == QUIET;
  }

  private static List<Order> quiet(int loaded) {
    return LongStream.range(0, loaded)
        .mapToObj(Order::loaded)
        .filter(IndexIT::isQuiet)
        .sorted(ITS_ORDER)
        .toList();
  }

  @Test
  void jobsOnYarnWriteTheEntriesOfEarlierRows() throws Exception {
    int loaded = 6_000;
    TableName table = Orders.load(plain, "orders_by_files", 2, loaded);
    String[] byFiles = {"--by", "files", "--work", "/indexes", "--regions", "1"};
    try (OrderWriters writers = new OrderWriters(cluster, table, loaded, directory)) {
      writers.start(0, OrderKey.BY_ID);
      try (RunningCommand add = adding(table, byFiles)) {
        awaitFilling(table, add);
        add.kill();
      }
      try (RunningCommand add = adding(table, byFiles)) {
        add.end().done();
      }
      assertThat(FinishedJobs.of(cluster)).contains("evenkey index " + table + "." + INDEX);
      writers.awaitMore(0);
      writers.stop(0);
      Orders.check(byCustomer(table), writers, ITS_ORDER);
      assertThat(verified(table).get("missing").asInt()).isZero();
      drop(table);
    }
  }
}
