/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdminClient;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint;
import org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Migrations and indexes of a table in a group of region servers. */
@Tag("long")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ServerGroupIT {
  private static final TableName NAME = TableName.valueOf("grouped");
  private static final String GROUP = "fast";

  @TempDir private Path directory;

  private Migrator migrator(Connection plain, Registry registry, boolean rename)
      throws IOException {
    MigrationSettings settings =
        new MigrationSettings(
            new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()), 10_000);
    MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
    return rename
        ? Migrator.rename(plain, registry, NAME, settings, MigrationListener.NONE)
        : Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE);
  }

  private TableName migrate(Connection plain, Registry registry, boolean rename)
      throws IOException {
    try (Migrator migrator = migrator(plain, registry, rename)) {
      return migrator.run().generation();
    }
  }

  private static void isInGroup(RSGroupAdminClient groups, TableName table) throws IOException {
    assertThat(groups.getRSGroupInfoOfTable(table).getName()).as("%s", table).isEqualTo(GROUP);
  }

  @Test
  void nextGenerationsAndIndexesAreMadeInTheGroupOfTheTable() throws Exception {
    try (EmbeddedHBase hbase =
            EmbeddedHBase.in(directory.resolve("groups"))
                .servers(3)
                .settings(
                    Map.of(
                        "hbase.coprocessor.master.classes",
                        RSGroupAdminEndpoint.class.getName(),
                        "hbase.master.loadbalancer.class",
                        RSGroupBasedLoadBalancer.class.getName()))
                .start();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      RSGroupAdminClient groups = new RSGroupAdminClient(plain);
      await()
          .atMost(Duration.ofMinutes(1))
          .ignoreExceptions()
          .until(
              () -> {
                groups.addRSGroup(GROUP);
                return true;
              });
      ServerName member = hbase.servers().get(0);
      groups.moveServers(Set.of(member.getAddress()), GROUP);
      LoadedTable.create(plain, NAME);
      groups.moveTables(Set.of(NAME), GROUP);

      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(NAME))
              .setRegionReplication(2)
              .build());
      assertThatThrownBy(() -> migrator(plain, registry, false).close())
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("group of region servers is too small")
          .hasMessageContaining("group=fast in_service=1 needed=2")
          .hasMessageContaining("move_servers_rsgroup");
      assertThat(admin.tableExists(Migration.next(NAME, NAME))).isFalse();
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(NAME))
              .setRegionReplication(1)
              .build());

      TableIndex index =
          TableIndex.parse("by_d events joining as \"salt(2) + d:string\" from d=d:e");
      new IndexAddition(NAME, index, 0, 0).run(plain, registry, IndexListener.NONE);
      isInGroup(groups, TableName.valueOf("grouped.by_d"));
      isInGroup(groups, migrate(plain, registry, false));
      isInGroup(groups, migrate(plain, registry, true));
      assertThat(admin.getRegions(member)).anyMatch(region -> region.getTable().equals(NAME));
    }
  }
}
