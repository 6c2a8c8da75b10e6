/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Migrations whose region servers, master and ZooKeeper are killed where each stage begins: clients
 * find what was acknowledged to them is there, and a migrator that gave up goes on.
 */
@Tag("ci")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ServerFaultsIT {
  private static final int SERVERS = 3;
  private static final int MOST_LIVES = 40;

  private static EmbeddedHBase hbase;

  @TempDir private Path directory;

  private enum Fault {
    REGION_SERVER,
    MASTER,
    ZOOKEEPER
  }

  @BeforeAll
  static void start() throws IOException {
    hbase = EmbeddedHBase.temporary().servers(SERVERS).start();
  }

  @AfterAll
  static void stop() throws IOException {
    hbase.close();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aMigrationKeepsAllWritesThroughServerFaults(Fault fault) throws Exception {
    TableName name = TableName.valueOf("moved_past_" + fault);
    Connection plain = hbase.connection();
    Layout layout = Layout.parse("salt(3) + key:bytes");
    try (SpreadTables tables = SpreadTables.on(plain);
        Admin admin = plain.getAdmin()) {
      tables.create(name, layout, layout.splits(3), List.of("d"));
      admin.modifyColumnFamily(name, Traffic.FAMILY);
    }
    Set<Stage> faults = EnumSet.noneOf(Stage.class);
    List<String> gaveUp = new ArrayList<>();
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      traffic.start(2);
      AtomicReference<CompletableFuture<Void>> last =
          new AtomicReference<>(CompletableFuture.completedFuture(null));
      MigrationListener listener =
          migration -> {
            if (faults.add(migration.stage())) {
              // One at a time: a cluster of which nothing is left moves no table.
              last.get().join();
              last.set(inflict(fault, name));
            }
          };
      Migration migration = null;
      for (int life = 0; migration == null && life < MOST_LIVES; life++) {
        try {
          migration = live(plain, name, fault, listener);
        } catch (IOException e) {
          gaveUp.add(e.toString());
        }
      }
      last.get().join();
      System.out.println(fault + " at " + faults + "; gave up: " + gaveUp);
      assertThat(migration).as("a migration that ends, after " + gaveUp).isNotNull();
      assertThat(migration.stage()).isEqualTo(Stage.FINISHED);
      assertThat(faults.size()).isGreaterThan(8);
      traffic.isWell();
      traffic.check();
    }
  }

  private Migration live(Connection plain, TableName name, Fault fault, MigrationListener listener)
      throws IOException {
    MigrationSettings settings =
        new MigrationSettings(
            new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()), 10_000);
    try (Registry registry = Registry.open(plain.getConfiguration());
        Migrator migrator =
            registry.migrations().get(name).isPresent()
                ? Migrator.resume(plain, registry, name, settings, listener)
                : Migrator.begin(
                    plain,
                    registry,
                    MigrationPlan.of(name, Layout.parse("salt(4) + key:bytes"))
                        .by(fault == Fault.MASTER ? Migration.By.PUTS : Migration.By.FILES)
                        .aimFor(Stage.FINISHED),
                    settings,
                    listener)) {
      migrator.aimFor(Stage.FINISHED);
      return migrator.run();
    }
  }

  /** Begun where the stage begins, and going on while the migrator does. */
  private static CompletableFuture<Void> inflict(Fault fault, TableName table) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            switch (fault) {
              case REGION_SERVER -> {
                hbase.kill(serverOf(table));
                hbase.startServer();
              }
              case MASTER -> hbase.restartMaster();
              case ZOOKEEPER -> hbase.restartZooKeeper();
            }
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static ServerName serverOf(TableName table) throws IOException {
    List<ServerName> servers = hbase.servers();
    try (RegionLocator regions = hbase.connection().getRegionLocator(table)) {
      return regions.getAllRegionLocations().stream()
          .map(location -> location.getServerName())
          .filter(servers::contains)
          .findFirst()
          .orElse(servers.get(0));
    }
  }
}
