/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static io.evenkey.jobs.migration.LoadedTable.ROWS;
import static io.evenkey.jobs.migration.LoadedTable.TO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Migrations of a table whose regions have replicas, which clients read. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ReplicasIT extends MigrationFixture {
  private void replicate(Admin admin) throws IOException {
    admin.flush(name);
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
            .setRegionReplication(2)
            .build());
  }

  private Migrator begin(MigrationPlan plan) throws IOException {
    return Migrator.begin(plain, registry, plan, settings(), MigrationListener.NONE);
  }

  /** The modes by which the second replicas of a generation's regions act. */
  private Set<GuardMode> modes(Admin admin, TableName generation) throws IOException {
    Set<GuardMode> modes = new HashSet<>();
    try (Table table = plain.getTable(generation)) {
      for (RegionInfo region : admin.getRegions(generation)) {
        RegionInfo replica = RegionReplicaUtil.getRegionInfoForReplica(region, 1);
        Result answer = table.get(GuardQuestion.to(replica, 0));
        assertThat(GuardQuestion.answer(generation, answer).orElseThrow().region())
            .isEqualTo(replica.getEncodedName());
        modes.add(GuardQuestion.answer(generation, answer).orElseThrow().state().mode());
      }
    }
    return modes;
  }

  private Set<String> rowsOfReplicas() throws IOException {
    Set<String> rows = new HashSet<>();
    Scan scan = new Scan().setConsistency(Consistency.TIMELINE).setReplicaId(1);
    try (Connection client = LoadedTable.client(plain);
        Table table = client.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        assertThat(row.isStale()).isTrue();
        rows.add(Bytes.toStringBinary(row.getRow()));
      }
    }
    return rows;
  }

  @Tag("ci")
  @Test
  void replicasActByTheStateOfTheirGenerationAndHaveItsRows() throws Exception {
    LoadedTable.create(plain, name);
    try (Admin admin = plain.getAdmin()) {
      replicate(admin);
      await().atMost(Duration.ofMinutes(1)).until(() -> rowsOfReplicas().size() == ROWS);
      MigrationPlan plan = MigrationPlan.of(name, TO).by(Migration.By.PUTS).aimFor(Stage.SWITCHED);
      try (Migrator migrator = begin(plan)) {
        TableName generation = migrator.run().generation();
        assertThat(admin.getDescriptor(generation).getRegionReplication()).isEqualTo(2);
        assertThat(modes(admin, name)).containsExactly(GuardMode.CLOSED);
        assertThat(modes(admin, generation)).containsExactly(GuardMode.TRACKED);
        assertThat(rowsOfReplicas()).hasSize(ROWS);
        migrator.aimFor(Stage.ROLLED_BACK);
        migrator.run();
      }
      assertThat(modes(admin, name)).containsExactly(GuardMode.OPEN);
      assertThat(rowsOfReplicas()).hasSize(ROWS);
      try (Migrator migrator = begin(plan.aimFor(Stage.FINISHED))) {
        migrator.run();
      }
      try (Migrator migrator =
          Migrator.rename(plain, registry, name, settings(), MigrationListener.NONE)) {
        assertThat(migrator.run().generation()).isEqualTo(name);
      }
      assertThat(admin.getDescriptor(name).getRegionReplication()).isEqualTo(2);
      assertThat(modes(admin, name)).containsExactly(GuardMode.OPEN);
      assertThat(rowsOfReplicas()).hasSize(ROWS);
    }
  }

  @Test
  void aStepOfTheSaltIsRejected() throws Exception {
    Layout before = Layout.parse("salt(4) + no:uint16");
    tables.create(name, before, before.splits(2), List.of("d"));
    try (Admin admin = plain.getAdmin()) {
      replicate(admin);
    }
    Layout step = Layout.parse("salt(4; 8 from no 30000) + no:uint16");
    assertThatThrownBy(() -> begin(MigrationPlan.of(name, step).aimFor(Stage.FINISHED)).close())
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining(
            "region replicas would answer reads under the old layout: replicas=2");
  }
}
