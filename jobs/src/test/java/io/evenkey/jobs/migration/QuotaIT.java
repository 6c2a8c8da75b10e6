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
import io.evenkey.jobs.table.TableQuotas;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Migrations and indexes of a table with quotas, in a namespace with others. */
@Tag("long")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class QuotaIT {
  private static final String REGIONS = "hbase.namespace.quota.maxregions";
  private static final TableName NAME = TableName.valueOf("small", "quota");

  @TempDir private Path directory;

  private Migration migrate(Connection plain, Registry registry, boolean rename)
      throws IOException {
    MigrationSettings settings =
        new MigrationSettings(
            new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()), 10_000);
    MigrationPlan plan = MigrationPlan.of(NAME, TO).by(Migration.By.PUTS).aimFor(Stage.FINISHED);
    try (Migrator migrator =
        rename
            ? Migrator.rename(plain, registry, NAME, settings, MigrationListener.NONE)
            : Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  private static List<String> quotas(Connection plain, TableName table) throws IOException {
    String name = table.getNameAsString();
    return new TableQuotas(plain)
        .of(table).stream().map(QuotaSettings::toString).map(q -> q.replace(name, "T")).toList();
  }

  /** The quotas of the generation in use after a switch, which are changed and taken back. */
  private List<String> changedAfterASwitch(Connection plain, Registry registry, Admin admin)
      throws IOException {
    MigrationSettings settings =
        new MigrationSettings(
            new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()), 10_000);
    MigrationPlan plan =
        MigrationPlan.of(NAME, LoadedTable.FROM).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
    try (Migrator migrator =
        Migrator.begin(plain, registry, plan, settings, MigrationListener.NONE)) {
      TableName generation = migrator.run().generation();
      admin.setQuota(
          QuotaSettingsFactory.throttleTable(
              generation, ThrottleType.WRITE_NUMBER, 50_000, TimeUnit.SECONDS));
      admin.setQuota(QuotaSettingsFactory.unthrottleUser("bob", generation));
      List<String> since = quotas(plain, generation);
      migrator.aimFor(Stage.ROLLED_BACK);
      migrator.run();
      return since;
    }
  }

  @Test
  void quotasGoWithTheTableAndThoseOfTheNamespaceAreChecked() throws Exception {
    try (EmbeddedHBase hbase =
            EmbeddedHBase.in(directory.resolve("quotas"))
                .servers(1)
                .settings(Map.of("hbase.quota.enabled", "true"))
                .start();
        Admin admin = hbase.connection().getAdmin();
        Registry registry = Registry.open(hbase.connection().getConfiguration())) {
      Connection plain = hbase.connection();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> admin.isTableAvailable(QuotaTableUtil.QUOTA_TABLE_NAME));
      admin.createNamespace(
          NamespaceDescriptor.create("small").addConfiguration(REGIONS, "3").build());
      LoadedTable.create(plain, NAME);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(NAME))
              .setCoprocessor("org.apache.hadoop.hbase.constraint.ConstraintProcessor")
              .build());
      admin.setQuota(
          QuotaSettingsFactory.throttleTable(
              NAME, ThrottleType.WRITE_NUMBER, 100_000, TimeUnit.SECONDS));
      admin.setQuota(
          QuotaSettingsFactory.throttleUser(
              "bob", NAME, ThrottleType.REQUEST_SIZE, 1_000_000, TimeUnit.SECONDS));
      admin.setQuota(
          QuotaSettingsFactory.limitTableSpace(
              NAME, 1_000_000_000, SpaceViolationPolicy.NO_INSERTS));
      List<String> quotas = quotas(plain, NAME);
      assertThat(quotas).hasSize(3);

      assertThatThrownBy(() -> migrate(plain, registry, false))
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("quota of the namespace would be exceeded: namespace=small")
          .hasMessageContaining(REGIONS + "=3 now=2 needed=");
      assertThat(admin.listTableNamesByNamespace("small")).containsExactly(NAME);
      admin.modifyNamespace(
          NamespaceDescriptor.create("small").addConfiguration(REGIONS, "30").build());

      TableIndex index =
          TableIndex.parse("by_d events joining as \"salt(2) + d:string\" from d=d:e");
      new IndexAddition(NAME, index, 0, 0).run(plain, registry, IndexListener.NONE);
      assertThat(quotas(plain, TableName.valueOf("small", "quota.by_d")))
          .containsExactlyInAnyOrderElementsOf(quotas);

      TableName generation = migrate(plain, registry, false).generation();
      assertThat(quotas(plain, generation)).containsExactlyInAnyOrderElementsOf(quotas);
      assertThat(admin.getDescriptor(generation).getCoprocessorDescriptors()).isNotEmpty();
      migrate(plain, registry, true);
      assertThat(quotas(plain, NAME)).containsExactlyInAnyOrderElementsOf(quotas);

      List<String> since = changedAfterASwitch(plain, registry, admin);
      assertThat(since).hasSize(2).isNotEqualTo(quotas);
      assertThat(quotas(plain, NAME)).containsExactlyInAnyOrderElementsOf(since);
    }
  }
}
