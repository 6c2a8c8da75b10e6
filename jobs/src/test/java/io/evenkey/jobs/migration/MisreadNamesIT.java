/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.generation.MisreadLinks;
import io.evenkey.jobs.migration.protocol.Migrator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Migrations of tables whose names HBase takes for those of store files. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MisreadNamesIT {
  @TempDir private Path directory;

  @Test
  void aRenamedTableIsSplitAndMerged(Connection plain) throws Exception {
    TableName name = TableName.valueOf("feed2024");
    MigrationSettings settings =
        new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
    LoadedTable.create(plain, name);
    try (Registry registry = Registry.open(plain.getConfiguration());
        Admin admin = plain.getAdmin()) {
      MigrationPlan plan =
          MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(Stage.FINISHED).regions(3);
      try (Migrator migrator =
          Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
        assertThat(migrator.run().generation()).hasToString("feed2024-g2");
      }
      try (Migrator migrator =
          Migrator.rename(plain, registry, name, settings, MigrationListener.NONE)) {
        assertThat(migrator.run().generation()).isEqualTo(name);
      }
      List<RegionInfo> regions = admin.getRegions(name);
      admin
          .splitRegionAsync(
              regions.get(0).getEncodedNameAsBytes(), Bytes.add(new byte[1], LoadedTable.key(5)))
          .get();
      assertThat(rows(plain, name)).isEqualTo(ROWS);
      admin
          .mergeRegionsAsync(
              new byte[][] {
                regions.get(1).getEncodedNameAsBytes(), regions.get(2).getEncodedNameAsBytes()
              },
              false)
          .get();
      assertThat(rows(plain, name)).isEqualTo(ROWS);
    }
  }

  /** What `evenkey regions --repair-links` does where a region was split without the guard. */
  @Tag("long")
  @Test
  void regionsThatNeverOpenedDoSoAfterTheRepair() throws Exception {
    TableName name = TableName.valueOf("feed.g2");
    TableName clone = TableName.valueOf("clone_of_feed");
    try (EmbeddedHBase unguarded = EmbeddedHBase.temporary().servers(1).guard(false).start();
        Admin admin = unguarded.connection().getAdmin()) {
      Connection plain = unguarded.connection();
      LoadedTable.create(plain, name);
      admin.flush(name);
      admin.snapshot("of_feed", name);
      admin.cloneSnapshot("of_feed", clone);
      admin.deleteSnapshot("of_feed");
      admin.disableTable(name);
      admin.deleteTable(name);
      Future<Void> split =
          admin.splitRegionAsync(
              admin.getRegions(clone).get(0).getEncodedNameAsBytes(),
              Bytes.add(new byte[1], LoadedTable.key(5)));
      Configuration conf = unguarded.configuration();
      await().atMost(1, TimeUnit.MINUTES).until(() -> MisreadLinks.isSplit(conf, clone));
      assertThat(split).isNotDone();
      await().atMost(1, TimeUnit.MINUTES).until(() -> MisreadLinks.repair(conf, clone) == 0);
      split.get(1, TimeUnit.MINUTES);
      assertThat(rows(plain, clone)).isEqualTo(ROWS);
    }
  }

  /** HBase links the files of a region whose rows all go to one half. */
  @Tag("long")
  @Test
  void regionsOfAnApplicationsTableOpenAfterTheRepair() throws Exception {
    TableName name = TableName.valueOf("cafe.orders");
    try (EmbeddedHBase unguarded = EmbeddedHBase.temporary().servers(1).guard(false).start();
        Admin admin = unguarded.connection().getAdmin()) {
      Connection plain = unguarded.connection();
      LoadedTable.create(plain, name);
      admin.flush(name);
      // All rows of the last region begin with its bucket.
      RegionInfo last = admin.getRegions(name).get(1);
      admin.splitRegionAsync(last.getEncodedNameAsBytes(), new byte[] {100}).get();
      RegionInfo half = admin.getRegions(name).get(1);
      Future<Void> split =
          admin.splitRegionAsync(
              half.getEncodedNameAsBytes(), Bytes.add(new byte[] {3}, LoadedTable.key(5)));
      Configuration conf = unguarded.configuration();
      await().atMost(1, TimeUnit.MINUTES).until(() -> MisreadLinks.isSplit(conf, name));
      assertThat(split).isNotDone();
      await().atMost(1, TimeUnit.MINUTES).until(() -> MisreadLinks.repair(conf, name) == 0);
      split.get(1, TimeUnit.MINUTES);
      assertThat(rows(plain, name)).isEqualTo(ROWS);
    }
  }

  private static int rows(Connection plain, TableName name) throws IOException {
    int rows = 0;
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.size();
      }
    }
    return rows;
  }
}
