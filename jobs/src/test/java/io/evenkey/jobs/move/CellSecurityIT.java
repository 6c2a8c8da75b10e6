package io.evenkey.jobs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
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
    String classes = String.join(",", List.of(coprocessors).stream().map(Class::getName).toList());
    EmbeddedHBase hbase =
        EmbeddedHBase.temporary()
            .servers(1)
            .settings(
                Map.of(
                    "hbase.security.authorization",
                    "true",
                    "hbase.superuser",
                    User.getCurrent().getShortName(),
                    "hbase.coprocessor.master.classes",
                    classes,
                    "hbase.coprocessor.regionserver.classes",
                    AccessController.class.getName(),
                    "hbase.coprocessor.region.classes",
                    classes))
            .start();
    try (Admin admin = hbase.connection().getAdmin()) {
      Awaitility.await().until(() -> admin.isTableAvailable(PermissionStorage.ACL_TABLE_NAME));
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

  private Mover mover(Connection plain, Stage goal, MoveWatch watch) throws IOException {
    return Mover.begin(
        plain,
        SpreadTables.on(plain),
        Registry.open(plain.getConfiguration()),
        MovePlan.of(NAME, TO).by(Move.By.PUTS).to(goal),
        new MoveSettings(
            new org.apache.hadoop.fs.Path(directory.toUri()),
            Duration.ofSeconds(30),
            Duration.ofMillis(20),
            1_000),
        watch);
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

  @Test
  void aRepairKeepsVisibilityLabelsRightsAndTimesToLive() throws Exception {
    try (EmbeddedHBase hbase = start(AccessController.class, VisibilityController.class)) {
      Connection plain = hbase.connection();
      try (Admin admin = plain.getAdmin()) {
        Awaitility.await()
            .until(() -> admin.isTableAvailable(VisibilityConstants.LABELS_TABLE_NAME));
      }
      addLabel(plain);
      try (Table table = plain.getTable(NAME)) {
        table.put(put("before", "x").setCellVisibility(new CellVisibility("secret")));
      }
      MoveWatch watch =
          new MoveWatch() {
            @Override
            public void stage(Move move) {
              if (move.stage() == Stage.FENCING) {
                try (Table source = plain.getTable(NAME)) {
                  RowChange.half(
                      source, put("hidden", "x").setCellVisibility(new CellVisibility("secret")));
                  RowChange.half(
                      source,
                      put("readable", "x").setACL("owner", new Permission(Permission.Action.READ)));
                  RowChange.half(source, put("expiring", "x").setTTL(3_600_000));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            }
          };
      try (Mover mover = mover(plain, Stage.SWITCHED, watch)) {
        mover.run();
        Map<String, String> repaired = cells(plain, mover.move().target(), TO);
        assertThat(repaired)
            .hasSize(4)
            .allSatisfy((cell, tags) -> assertThat(tags).doesNotEndWith(" "))
            .isEqualTo(cells(plain, NAME, FROM));
        as(
            "owner",
            () -> {
              try (Connection owner =
                  ConnectionFactory.createConnection(plain.getConfiguration())) {
                assertThat(cells(owner, mover.move().target(), TO).keySet())
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
                          new Generations(owner)
                              .check(NAME, FROM, Layout.parse("salt(5) + key:bytes")))
                  .isInstanceOf(MoveException.class)
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

  @Test
  void rightsOfCellsAreRefusedToAUserWhoCannotWriteThem() throws Exception {
    try (EmbeddedHBase hbase = start(AccessController.class)) {
      Connection plain = hbase.connection();
      Configuration configuration = new Configuration(plain.getConfiguration());
      Layout next = Layout.parse("salt(5) + key:bytes");
      try (Table table = plain.getTable(NAME)) {
        table.put(put("open", "x"));
        as(
            "owner",
            () -> {
              try (Connection owner = ConnectionFactory.createConnection(configuration)) {
                new Generations(owner).check(NAME, FROM, next);
              }
              return null;
            });
        table.put(put("own", "x").setACL("somebody", new Permission(Permission.Action.READ)));
      }
      as(
          "owner",
          () -> {
            try (Connection owner = ConnectionFactory.createConnection(configuration)) {
              assertThatThrownBy(() -> new Generations(owner).check(NAME, FROM, next))
                  .isInstanceOf(MoveException.class)
                  .hasMessageContainingAll("user=owner", "rights of their own", "hbase.superuser");
            }
            return null;
          });
    }
  }
}
