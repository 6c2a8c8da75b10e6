/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live tables that get another row key, by commands that are killed, under applications of both
 * keys and region servers that are killed, each a process of its own.
 */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KeyChangeIT {
  private static final String WORK = "/migrations";

  @RegisterExtension
  private static final ClusterExtension CLUSTER =
      ClusterExtension.in("key-change", ClusterOptions.defaults().withYarn(false));

  private final SeparateCluster cluster;
  private final Connection plain;
  private Connection byFields;
  private SpreadTables tables;
  private Registry registry;

  @TempDir private Path directory;

  KeyChangeIT(SeparateCluster cluster, Connection plain) {
    this.cluster = cluster;
    this.plain = plain;
  }

  @BeforeEach
  void open() throws IOException {
    Configuration settings = cluster.configuration();
    settings.set("evenkey.key", "by-fields");
    byFields = ConnectionFactory.createConnection(settings);
    tables = SpreadTables.on(byFields);
    registry = Registry.open(settings);
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    byFields.close();
    registry.close();
  }

  private RunningCommand migrating(TableName table, String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("migrate", table.getNameAsString()));
    all.addAll(List.of(more));
    all.addAll(List.of("--work", WORK, "--conf", cluster.configurationDirectory().toString()));
    return RunningCommand.begin(all.toArray(String[]::new));
  }

  private RunningCommand changing(TableName table, String... more) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--yes",
                "--layout",
                OrderKey.BY_CUSTOMER.layout().toString(),
                "--change-key",
                "--from",
                "customer=d:customer"));
    all.addAll(List.of(more));
    return migrating(table, all.toArray(String[]::new));
  }

  private void migrate(TableName table, String... more) throws Exception {
    try (RunningCommand migration = migrating(table, more)) {
      migration.end().done();
    }
  }

  private Stage stage(TableName table) throws IOException {
    return registry.migrations().get(table).map(now -> now.value().stage()).orElse(null);
  }

  /** The rows of which the migration has noted the next key, before it copies them. */
  private int noted(TableName keys) throws IOException {
    int rows = 0;
    if (exists(keys)) {
      try (Table table = plain.getTable(keys);
          ResultScanner all =
              table.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(5_000))) {
        for (Result row : all) {
          rows += row.isEmpty() ? 0 : 1;
        }
      }
    }
    return rows;
  }

  private static void awaitMoment(RunningCommand command, Callable<Boolean> moment) {
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> moment.call() || !command.process().isAlive());
  }

  /** Each order that was acknowledged is there once, by its key and in the order of the key. */
  private void check(TableName table, OrderWriters writers, OrderKey key) throws IOException {
    Orders.check(Orders.read(tables.open(table).select()), writers, key.order());
  }

  private boolean exists(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(table);
    }
  }

  @Test
  void eachOrderIsThereOnceByItsOtherKeyWhateverWasKilled() throws Exception {
    int loaded = 8_000;
    TableName table = Orders.load(plain, "orders", 3, loaded);
    TableName keys = TableName.valueOf("orders.g2.keys");
    try (OrderWriters writers = new OrderWriters(cluster, table, loaded, directory)) {
      writers.start(0, OrderKey.BY_ID);
      try (RunningCommand migration = changing(table, "--pace", "1000")) {
        awaitMoment(migration, () -> noted(keys) > 0);
        migration.kill();
      }
      assertThat(stage(table)).isEqualTo(Stage.COPYING);
      int noted = noted(keys);
      Member first = Member.regionServer(2);
      try (RunningCommand migration = migrating(table, "--resume", "--switch")) {
        awaitMoment(migration, () -> noted(keys) > noted);
        cluster.kill(first);
        assertThat(stage(table)).isEqualTo(Stage.COPYING);
        migration.end().done();
      }
      writers.awaitRefusal(0);
      check(table, writers, OrderKey.BY_CUSTOMER);
      cluster.restart(first);

      writers.start(1, OrderKey.BY_CUSTOMER);
      Member second = Member.regionServer(3);
      cluster.kill(second);
      migrate(table, "--finish");
      writers.awaitMore(1);
      cluster.restart(second);
      writers.stop(1);
      check(table, writers, OrderKey.BY_CUSTOMER);
      assertThat(exists(keys)).isFalse();
    }
  }

  @Test
  void theWayBackHasTheOrdersOfBothKeysOnce() throws Exception {
    int loaded = 4_000;
    TableName table = Orders.load(plain, "orders_back", 3, loaded);
    try (OrderWriters writers = new OrderWriters(cluster, table, loaded, directory)) {
      writers.start(0, OrderKey.BY_ID);
      try (RunningCommand migration = changing(table, "--switch")) {
        migration.end().done();
      }
      writers.awaitRefusal(0);
      writers.start(1, OrderKey.BY_CUSTOMER);
      Member victim = Member.regionServer(1);
      cluster.kill(victim);
      try (RunningCommand back = migrating(table, "--rollback")) {
        awaitMoment(back, () -> stage(table) == Stage.RETURNING);
        back.kill();
      }
      assertThat(stage(table)).isEqualTo(Stage.RETURNING);
      migrate(table, "--rollback");
      cluster.restart(victim);
      writers.awaitRefusal(1);
      check(table, writers, OrderKey.BY_ID);
      writers.start(2, OrderKey.BY_ID);
      writers.stop(2);
      check(table, writers, OrderKey.BY_ID);
    }
  }
}
