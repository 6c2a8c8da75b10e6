/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.migration.generation.MigrationChecks;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Migrations of cells with rights, visibility labels and times to live, on an HBase with both. */
@Timeout(180)
class CellSecurityIT {
  private static final Layout FROM = Layout.parse("salt(4) + key:bytes");
  private static final Layout TO = Layout.parse("salt(3) + key:bytes");
  private static final TableName NAME = TableName.valueOf("secured");
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir private Path directory;

  private EmbeddedHBase start(Class<?>... coprocessors) throws Exception {
    String classes = String.join(",", Stream.of(coprocessors).map(Class::getName).toList());
    EmbeddedHBase hbase =
        EmbeddedHBase.temporary()
            .servers(1)
            .settings(
                Map.of(
                    "hbase.coprocessor.master.classes", classes,
                    "hbase.coprocessor.region.classes", classes))
            .accessControl(true)
            .start();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.grant(
          new UserPermission(
              "owner", Permission.newBuilder().withActions(Permission.Action.values()).build()),
          false);
    }
    try (SpreadTables tables = SpreadTables.on(hbase.connection())) {
      tables.create(NAME, FROM, FROM.splits(2), List.of("d"));
    }
    return hbase;
  }

  private static Put put(String key, String value) {
    return new Put(FROM.physical(Bytes.toBytes(key))).addColumn(D, Q, Bytes.toBytes(value));
  }

  private Migrator migrator(Connection plain, Stage goal, MigrationListener listener)
      throws IOException {
    return Migrator.begin(
        plain,
        Registry.open(plain.getConfiguration()),
        MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(goal),
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 1_000),
        listener);
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createRemoteUser(user).doAs(action);
  }

  /** Each cell with its tags, by logical key. */
  private static Map<String, String> cells(Connection plain, TableName table, Layout layout)
      throws IOException {
    Map<String, String> cells = new TreeMap<>();
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
        Table open = tagged.getTable(table);
        ResultScanner rows = open.getScanner(new Scan().addFamily(D).readAllVersions())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          cells.put(
              Bytes.toString(layout.logical(row.getRow())) + "/" + cell.getTimestamp(),
              Bytes.toString(CellUtil.cloneValue(cell))
                  + " "
                  + Bytes.toStringBinary(PrivateCellUtil.cloneTags((ExtendedCell) cell)));
        }
      }
    }
    return cells;
  }

  @Tag("long")
  @Test
  void aRepairKeepsVisibilityLabelsRightsAndTimesToLive() throws Exception {
    try (EmbeddedHBase hbase = start(VisibilityController.class)) {
      Connection plain = hbase.connection();
      try (Admin admin = plain.getAdmin()) {
        Awaitility.await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> admin.isTableAvailable(VisibilityConstants.LABELS_TABLE_NAME));
      }
      addLabel(plain);
      try (Table table = plain.getTable(NAME)) {
        table.put(put("before", "x").setCellVisibility(new CellVisibility("secret")));
      }
      Map<String, String> stored = new TreeMap<>();
      MigrationListener listener =
          new MigrationListener() {
            @Override
            public void stage(Migration migration) {
              if (migration.stage() == Stage.FENCING) {
                try (Table source = plain.getTable(NAME)) {
                  source.put(put("hidden", "x").setCellVisibility(new CellVisibility("secret")));
                  source.put(
                      put("readable", "x").setACL("owner", new Permission(Permission.Action.READ)));
                  source.put(put("expiring", "x").setTTL(3_600_000));
                  stored.putAll(cells(plain, NAME, FROM));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            }
          };
      try (Migrator migrator = migrator(plain, Stage.SWITCHED, listener)) {
        migrator.run();
        Map<String, String> repaired = cells(plain, migrator.migration().target(), TO);
        assertThat(repaired)
            .hasSize(4)
            .allSatisfy((cell, tags) -> assertThat(tags).doesNotEndWith(" "))
            .isEqualTo(stored);
        as(
            "owner",
            () -> {
              try (Connection owner =
                  ConnectionFactory.createConnection(plain.getConfiguration())) {
                assertThat(cells(owner, migrator.migration().target(), TO).keySet())
                    .as("seen without the label")
                    .hasSize(2)
                    .noneMatch(cell -> cell.startsWith("hidden") || cell.startsWith("before"));
              }
              return null;
            });
      }
      as(
          "owner",
          () -> {
            try (Connection owner = ConnectionFactory.createConnection(plain.getConfiguration())) {
              assertThatThrownBy(
                      () ->
                          new MigrationChecks(owner)
                              .check(NAME, FROM, Layout.parse("salt(5) + key:bytes")))
                  .isInstanceOf(MigrationException.class)
                  .hasMessageContainingAll("user=owner", "visibility labels", "superuser");
            }
            return null;
          });
    }
  }

  private static void addLabel(Connection plain) throws Exception {
    try {
      VisibilityClient.addLabel(plain, "secret");
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Tag("long")
  @Test
  void rightsOnTheTableAreThoseOnTheNextGeneration() throws Exception {
    try (EmbeddedHBase hbase = start()) {
      Connection plain = hbase.connection();
      Configuration configuration = new Configuration(plain.getConfiguration());
      configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      try (Table table = plain.getTable(NAME)) {
        table.put(put("row", "x"));
      }
      try (Admin admin = plain.getAdmin();
          Migrator migrator = migrator(plain, Stage.READY, MigrationListener.NONE)) {
        migrator.run();
        // Granted while the table is migrated.
        admin.grant(
            new UserPermission(
                "reader", Permission.newBuilder(NAME).withActions(Permission.Action.READ).build()),
            false);
        migrator.aimFor(Stage.FINISHED);
        migrator.run();
      }
      onlyTheReaderReads(configuration);
      // HBase takes the rights on a name away with the table that has it.
      try (Migrator migrator =
          Migrator.rename(
              plain,
              Registry.open(plain.getConfiguration()),
              NAME,
              new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 1_000),
              MigrationListener.NONE)) {
        assertThat(migrator.run().generation()).isEqualTo(NAME);
      }
      onlyTheReaderReads(configuration);
    }
  }

  private static void onlyTheReaderReads(Configuration configuration) throws Exception {
    Get get = new Get(Bytes.toBytes("row"));
    as(
        "reader",
        () -> {
          try (Connection reader = ConnectionFactory.createConnection(configuration);
              Table table = reader.getTable(NAME)) {
            assertThat(table.get(get).isEmpty()).isFalse();
          }
          return null;
        });
    as(
        "outsider",
        () -> {
          try (Connection outsider = ConnectionFactory.createConnection(configuration);
              Table table = outsider.getTable(NAME)) {
            assertThatThrownBy(() -> table.get(get)).isInstanceOf(AccessDeniedException.class);
          }
          return null;
        });
  }

  @Tag("long")
  @Test
  void rightsOfCellsAreRefusedToAUserWhoCannotWriteThem() throws Exception {
    try (EmbeddedHBase hbase = start()) {
      Connection plain = hbase.connection();
      Configuration configuration = new Configuration(plain.getConfiguration());
      Layout next = Layout.parse("salt(5) + key:bytes");
      try (Table table = plain.getTable(NAME)) {
        table.put(put("open", "x"));
        as(
            "owner",
            () -> {
              try (Connection owner = ConnectionFactory.createConnection(configuration)) {
                new MigrationChecks(owner).check(NAME, FROM, next);
              }
              return null;
            });
        table.put(put("own", "x").setACL("another", new Permission(Permission.Action.READ)));
      }
      as(
          "owner",
          () -> {
            try (Connection owner = ConnectionFactory.createConnection(configuration)) {
              assertThatThrownBy(() -> new MigrationChecks(owner).check(NAME, FROM, next))
                  .isInstanceOf(MigrationException.class)
                  .hasMessageContainingAll("user=owner", "rights of their own", "hbase.superuser");
            }
            return null;
          });
    }
  }
}
