/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every kind of change of a row, made by HBase's own client at each stage of a migration at which
 * it may write. Each is carried over, there and back.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class RowChangesIT extends MigrationFixture {
  private static final Layout FROM = Layout.parse("salt(4) + key:bytes");
  private static final Layout TO = Layout.parse("salt(3) + key:bytes");
  private static final byte[] D = Bytes.toBytes("d");

  @BeforeEach
  void create() throws IOException {
    tables.create(name, FROM, FROM.splits(2), List.of("d"));
    try (Admin admin = plain.getAdmin();
        Table table = plain.getTable(name)) {
      admin.modifyColumnFamily(
          name, ColumnFamilyDescriptorBuilder.newBuilder(D).setMaxVersions(5).build());
      for (RowChange change : RowChange.values()) {
        table.put(RowChange.before(stored(change)));
      }
    }
  }

  private static byte[] key(RowChange change) {
    return Bytes.toBytes(label(change));
  }

  // Short, so that messages show it whole.
  private static String label(RowChange change) {
    return "row-" + (char) ('a' + List.of(RowChange.values()).indexOf(change));
  }

  private static byte[] stored(RowChange change) {
    return FROM.physical(key(change));
  }

  /** A change in the source alone. */
  @FunctionalInterface
  private interface Change {
    void make(RowChange change, Table source, byte[] row) throws IOException;
  }

  private void makeAll(Change how) throws IOException {
    try (Table source = plain.getTable(name)) {
      for (RowChange change : RowChange.values()) {
        how.make(change, source, stored(change));
      }
    }
  }

  private Migrator migrator(Stage goal, MigrationListener listener) throws IOException {
    return Migrator.begin(
        plain,
        registry,
        MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(goal),
        settings(),
        listener);
  }

  private static MigrationListener at(Stage stage, Runnable action) {
    return new MigrationListener() {
      private boolean done;

      @Override
      public void stage(Migration migration) {
        if (migration.stage() == stage && !done) {
          done = true;
          action.run();
        }
      }
    };
  }

  /** All versions of all cells that readers see, with tags, by logical key. */
  private Map<String, String> cells(TableName generation, Layout layout) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
        Table table = tagged.getTable(generation);
        ResultScanner rows = table.getScanner(new Scan().addFamily(D).readAllVersions())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          cells.put(
              Bytes.toString(layout.logical(row.getRow()))
                  + "/"
                  + Bytes.toString(CellUtil.cloneQualifier(cell))
                  + "/"
                  + cell.getTimestamp(),
              Bytes.toStringBinary(CellUtil.cloneValue(cell))
                  + Bytes.toStringBinary(PrivateCellUtil.cloneTags((ExtendedCell) cell)));
        }
      }
    }
    return cells;
  }

  @Tag("long")
  @Test
  void everyChangeByOtherClientsBeforeTheSwitchIsCarriedOver() throws Exception {
    Map<String, String> expected;
    try (Migrator migrator = migrator(Stage.READY, MigrationListener.NONE)) {
      migrator.run();
      makeAll(RowChange::make);
      expected = cells(name, FROM);
      migrator.aimFor(Stage.FINISHED);
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      assertThat(cells(migrator.migration().target(), TO)).isEqualTo(expected);
    }
  }

  @Tag("long")
  @Test
  void aDeletionIsFoundAfterACompactionOfTheSource() throws Exception {
    try (Admin admin = plain.getAdmin()) {
      MigrationListener compacting =
          at(
              Stage.FENCING,
              () -> {
                try (Table source = plain.getTable(name)) {
                  source.delete(new Delete(stored(RowChange.DELETE_ROW)));
                  admin.flush(name);
                  admin.majorCompact(name);
                  Awaitility.await()
                      .atMost(Duration.ofMinutes(1))
                      .until(() -> admin.getCompactionState(name) == CompactionState.NONE);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (Migrator migrator = migrator(Stage.FINISHED, compacting)) {
        migrator.run();
        assertThat(cells(migrator.migration().target(), TO).keySet())
            .noneMatch(cell -> cell.startsWith(label(RowChange.DELETE_ROW)))
            .anyMatch(cell -> cell.startsWith(label(RowChange.PUT)));
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"PREPARING", "COPYING", "VERIFYING", "READY", "FENCING"})
  void everyChangeByOtherClientsAtAStageIsCarriedOver(Stage stage) throws Exception {
    Map<String, String> expected = new TreeMap<>();
    MigrationListener listener =
        at(
            stage,
            () -> {
              try {
                makeAll(RowChange::make);
                expected.putAll(cells(name, FROM));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try (Migrator migrator = migrator(Stage.FINISHED, listener)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
      assertThat(expected).isNotEmpty();
      assertThat(cells(migrator.migration().target(), TO)).isEqualTo(expected);
    }
  }

  @Tag("long")
  @Test
  void everyChangeAfterTheSwitchIsCarriedBack() throws Exception {
    try (Connection client = dropIn();
        Table table = client.getTable(name);
        Migrator migrator = migrator(Stage.SWITCHED, MigrationListener.NONE)) {
      migrator.run();
      for (RowChange change : RowChange.values()) {
        change.make(table, key(change));
      }
      Map<String, String> expected = cells(migrator.migration().target(), TO);
      migrator.aimFor(Stage.ROLLED_BACK);
      assertThat(migrator.run().stage()).isEqualTo(Stage.ROLLED_BACK);
      assertThat(cells(name, FROM)).isEqualTo(expected);
    }
  }

  private Connection dropIn() throws IOException {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    return ConnectionFactory.createConnection(configuration);
  }
}
