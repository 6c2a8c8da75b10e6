/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands and clients on a cluster whose DataNodes, ZooKeeper and region servers are killed, with
 * each block on two of three DataNodes.
 */
@Tag("full")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class StorageFaultsIT {
  private static final int ROWS = 30_000;
  private static final Member ZOOKEEPER = Member.of(Role.ZOOKEEPER);

  @RegisterExtension
  private static final ClusterExtension CLUSTER =
      ClusterExtension.in(
          "storage",
          ClusterOptions.defaults().withRegionServers(2).withDataNodes(3).withYarn(false));

  private final SeparateCluster cluster;
  private final Connection plain;

  @TempDir private Path directory;

  StorageFaultsIT(SeparateCluster cluster, Connection plain) {
    this.cluster = cluster;
    this.plain = plain;
  }

  @Test
  void noRowIsLostWhenADataNodeIsKilledUnderAWriter() throws IOException {
    TableName table = Rows.create(plain, "killed_data_node");
    Member victim = new Member(Role.DATA_NODE, 2);
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(
          dropIn,
          table,
          0,
          ROWS,
          rows -> {
            if (rows == ROWS / 3) {
              cluster.kill(victim);
            }
          });
      Rows.assertAll(dropIn, table, ROWS);
    } finally {
      cluster.restart(victim);
    }
  }

  @Test
  void operationsGoOnWhileZooKeeperIsAway() throws IOException {
    TableName table = Rows.create(plain, "zookeeper_restarted");
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, table, 0, 2_000, rows -> {});
      cluster.kill(ZOOKEEPER);
      try {
        Rows.write(dropIn, table, 2_000, 4_000, rows -> {});
        Rows.assertAll(dropIn, table, 4_000);
      } finally {
        cluster.restart(ZOOKEEPER);
      }
      Rows.assertAll(dropIn, table, 4_000);
    }
  }

  @Test
  void aMigrationGoesOnAfterZooKeeperWasRestarted() throws Exception {
    String name = "migrated_over_zookeeper";
    TableName table = Rows.create(plain, name, 3);
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, table, 0, ROWS, rows -> {});
      try (RunningCommand migration =
          RunningCommand.begin(
              "migrate",
              name,
              "--yes",
              "--layout",
              "salt(5) + id:digits(8)",
              "--switch",
              "--finish",
              "--quorum",
              cluster.quorum())) {
        awaitMigration(name);
        cluster.kill(ZOOKEEPER);
        cluster.restart(ZOOKEEPER);
        Evenkey first = migration.end();
        if (first.exit() != 0) {
          // It may have given up while ZooKeeper was away; then it says how to go on.
          assertThat(first.err()).contains("--resume").doesNotContain("\tat ");
          Evenkey.run(
                  "migrate", name, "--resume", "--switch", "--finish", "--quorum", cluster.quorum())
              .done();
        }
      }
      Rows.assertAll(dropIn, table, ROWS);
      try (Table open = dropIn.getTable(table)) {
        open.put(Rows.put(ROWS));
      }
      Rows.assertAll(dropIn, table, ROWS + 1);
    }
    assertThat(Evenkey.run("verify", name, "--quorum", cluster.quorum()).done().out())
        .contains("salt(5)");
  }

  private void awaitMigration(String name) {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                Evenkey.run("migrate", name, "--status", "--quorum", cluster.quorum()).exit() == 0);
  }

  @Test
  void anImportOutlivesARegionServer() throws Exception {
    String name = "imported";
    String quorum = cluster.quorum();
    Evenkey.run("plan", name, "--layout", Rows.LAYOUT, "--families", "d", "--quorum", quorum)
        .done();
    Evenkey.run("create", name, "--quorum", quorum).done();
    TableName table = TableName.valueOf(name);
    Member victim = Member.regionServer(1);
    try (RunningCommand load =
        RunningCommand.begin(
            "import", name, "--csv", csv(10 * ROWS).toString(), "--quorum", quorum)) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> hasRows(table) || !load.process().isAlive());
      assertThat(load.process().isAlive()).as("the import, when the server is killed").isTrue();
      assertThat(regionsOn(table, victim)).as("regions of the server").isPositive();
      cluster.kill(victim);
      Evenkey first = load.end();
      if (first.exit() != 0) {
        assertThat(first.err()).contains("--resume").doesNotContain("\tat ");
        Evenkey.run(
                "import",
                name,
                "--csv",
                directory.resolve("records.csv").toString(),
                "--resume",
                "--quorum",
                quorum)
            .done();
      }
    } finally {
      cluster.restart(victim);
    }
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.assertAll(dropIn, table, 10 * ROWS);
    }
  }

  private Path csv(int rows) throws IOException {
    Path csv = directory.resolve("records.csv");
    try (BufferedWriter out = Files.newBufferedWriter(csv)) {
      out.write("id,v\n");
      for (int row = 0; row < rows; row++) {
        out.write(String.format("%08d,value %d%n", row, row));
      }
    }
    return csv;
  }

  private boolean hasRows(TableName name) throws IOException {
    try (Connection dropIn = Rows.dropIn(cluster);
        Table table = dropIn.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().setLimit(1))) {
      return rows.next() != null;
    }
  }

  private long regionsOn(TableName table, Member server) throws IOException {
    try (RegionLocator regions = plain.getRegionLocator(table)) {
      return regions.getAllRegionLocations().stream()
          .filter(region -> region.getPort() == cluster.port(server))
          .count();
    }
  }

  @Test
  void thePortalShowsTheCluster() throws Exception {
    Rows.create(plain, "shown");
    try (PortalProcess portal = PortalProcess.start(cluster)) {
      assertThat(portal.get("api/tables").body()).contains("shown");
      PortalProcess.Answer table = portal.get("api/tables/shown");
      assertThat(table.status()).isEqualTo(200);
      assertThat(table.body()).contains(Rows.LAYOUT);
      // The portal reads the counters of all servers every few seconds.
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(portal.get("metrics").body()).contains("table=\"shown\""));
    }
  }

  @Test
  void adviceOnATableIsValidated() throws Exception {
    TableName table = Rows.create(plain, "advised");
    try (Connection dropIn = Rows.dropIn(cluster)) {
      Rows.write(dropIn, table, 0, 5_000, rows -> {});
    }
    Path queries = Files.writeString(directory.resolve("queries.txt"), "id = ?\nwrites 100\n");
    Evenkey advice =
        Evenkey.run(
                "advise",
                "--table",
                "advised",
                "--sample",
                "1",
                "--queries",
                queries.toString(),
                "--validate",
                "--json",
                "--quorum",
                cluster.quorum())
            .done();
    assertThat(advice.json().get("validation")).isNotEmpty();
  }
}
