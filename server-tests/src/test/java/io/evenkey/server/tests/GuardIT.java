/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.get;
import static io.evenkey.server.tests.GuardedTable.migrating;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.raw;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.server.guard.LayoutGuard;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class GuardIT {
  @Test
  void answersWithTheLayoutAndTheState(Connection connection) throws Exception {
    GuardedTable table = GuardedTable.withLayout(connection);
    GuardAnswer rest = table.ask(new byte[] {1}, 0);
    assertThat(rest.layout()).isEqualTo(GuardedTable.LAYOUT);
    assertThat(rest.state()).isEqualTo(GuardState.REST);
    assertThat(rest.version()).isNotEmpty();
    try (RegionLocator regions = connection.getRegionLocator(table.name())) {
      HRegionLocation only = regions.getAllRegionLocations().get(0);
      assertThat(rest.server()).isEqualTo(only.getServerName().toString());
      assertThat(rest.region()).isEqualTo(only.getRegion().getEncodedName());
    }
    GuardState next = new GuardState(3, GuardMode.TRACKED, 2, 5, "other");
    assertThat(table.set(next)).extracting(GuardAnswer::state).containsOnly(next);
  }

  @Test
  void letsThroughByStampAndRefusesWithoutOne(Connection connection) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(connection);
    guarded.write(stamped(put("a")));
    guarded.write(raw(put("b")));
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(put("c")))))
        .contains(Refusal.UNSTAMPED);
    try (Table table = guarded.open()) {
      assertThat(table.exists(stamped(get("a")))).isTrue();
      assertThat(table.exists(get("c"))).isFalse();
    }
  }

  @Test
  void closesATableToAllButTheMigration(Connection connection) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(connection);
    guarded.set(1, GuardMode.CLOSED);
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(stamped(put("a"))))))
        .contains(Refusal.CLOSED);
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(migrating(put("a"), 6)))))
        .contains(Refusal.TURN);
    guarded.write(migrating(put("a"), 7));
    try (Table table = guarded.open()) {
      assertThat(Refusal.of(catchThrowable(() -> table.get(stamped(get("a"))))))
          .contains(Refusal.CLOSED);
      assertThat(table.exists(migrating(get("a"), 7))).isTrue();
    }
  }

  @Test
  void aTableMayHaveTheGuardAsAnAttributeToo(Connection connection) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(connection);
    guarded.set(1, GuardMode.TRACKED);
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(guarded.name()))
              .setCoprocessor(LayoutGuard.class.getName())
              .build());
      for (int i = 0; i < 50; i++) {
        guarded.write(stamped(put("a")));
        assertThat(Refusal.of(catchThrowable(() -> guarded.write(put("a")))))
            .contains(Refusal.UNSTAMPED);
      }
      assertThat(guarded.stored().stream().filter(cell -> cell.contains("evenkey")))
          .hasSizeBetween(1, 2);
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(guarded.name()))
              .setValue(
                  GuardState.DESCRIPTOR_KEY,
                  new GuardState(2, GuardMode.READ_ONLY, 1, 7, "").toString())
              .build());
    }
    assertThat(guarded.ask(new byte[] {1}, 2).state().mode()).isEqualTo(GuardMode.READ_ONLY);
    guarded.write(migrating(put("b"), 7));
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(stamped(put("c"))))))
        .contains(Refusal.FENCED);
  }
}
