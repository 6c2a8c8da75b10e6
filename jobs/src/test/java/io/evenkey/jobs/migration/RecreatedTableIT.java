/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables that HBase's own Admin drops and creates again after a migration. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RecreatedTableIT extends MigrationFixture {
  private Migration migrate() throws IOException {
    MigrationPlan plan = MigrationPlan.of(name, TO).by(Migration.By.PUTS).to(Stage.FINISHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  private static void drop(Admin admin, TableName table) throws IOException {
    admin.disableTable(table);
    admin.deleteTable(table);
  }

  @Test
  void theRecordOfATableThatWasCreatedAgainIsReplaced() throws Exception {
    LoadedTable.create(plain, name);
    assertThat(registry.layouts().get(name)).isPresent();
    assertThat(LastMigration.of(plain, registry, name)).isEmpty();
    assertThat(registry.layouts().get(name)).isPresent();
    try (Admin admin = plain.getAdmin()) {
      drop(admin, name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LoadedTable.D))
              .build());
    }
    assertThat(LastMigration.of(plain, registry, name)).isEmpty();
    assertThat(registry.layouts().get(name)).isEmpty();
  }

  @Test
  void aTableThatWasCreatedAgainIsMigrated() throws Exception {
    LoadedTable.create(plain, name);
    TableName generation = migrate().generation();
    try (Admin admin = plain.getAdmin()) {
      assertThatThrownBy(() -> admin.snapshot("of_" + name.getNameAsString(), name))
          .hasStackTraceContaining("generation that is not in use: table=" + name)
          .hasStackTraceContaining("take the snapshot of " + generation);
      drop(admin, name);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LoadedTable.D))
              .build());
      assertThatThrownBy(this::migrate)
          .isInstanceOf(TableLayoutException.class)
          .hasMessageContaining("rows are in " + generation)
          .hasMessageContaining("drop " + generation);
      assertThat(admin.tableExists(generation)).isTrue();
      drop(admin, generation);
    }
    try (Table table = plain.getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(LoadedTable.key(i)).addColumn(LoadedTable.D, LoadedTable.D, new byte[1]));
      }
    }
    assertThat(migrate().generation()).isEqualTo(generation);
    int rows = 0;
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.size();
      }
    }
    assertThat(rows).isEqualTo(ROWS);
  }
}
