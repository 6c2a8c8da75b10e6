/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.report.heat.counters.TableReading.Kind;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class TablesInUseTest {
  private static final TableDescriptor FIRST = table("orders", "n:int64", null);
  private static final TableDescriptor SECOND = table("orders.g2", "salt(4) + n:int64", "orders");

  @Test
  void theGenerationInUseIsTheOneThatIsNotClosed() {
    Set<String> open = Set.of("orders", "orders.g2");
    assertThat(TablesInUse.of(List.of(FIRST, closed(SECOND)), open))
        .containsOnlyKeys("orders")
        .containsValue(new TableReading("orders", "n:int64", Kind.TABLE));
    assertThat(TablesInUse.of(List.of(closed(FIRST), SECOND), open))
        .containsOnlyKeys("orders")
        .containsValue(new TableReading("orders.g2", "salt(4) + n:int64", Kind.TABLE));
  }

  // Without the guard the next generation is not closed, and the earlier one is disabled later.
  @Test
  void withoutTheGuardItIsTheOldestWhoseRegionsAreOpen() {
    List<TableDescriptor> both = List.of(SECOND, FIRST);
    assertThat(TablesInUse.of(both, Set.of("orders", "orders.g2")).get("orders"))
        .isEqualTo(new TableReading("orders", "n:int64", Kind.TABLE));
    assertThat(TablesInUse.of(both, Set.of("orders.g2")).get("orders"))
        .isEqualTo(new TableReading("orders.g2", "salt(4) + n:int64", Kind.TABLE));
  }

  @Test
  void evenkeysOwnTablesAreTold() {
    Set<String> open = Set.of("orders.g2", "evenkey:heat", "orders.g2.keys");
    List<TableDescriptor> all =
        List.of(
            SECOND, table("evenkey:heat", "k:string", null), table("orders.g2.keys", null, null));
    assertThat(TablesInUse.of(all, open))
        .extractingFromEntries(one -> one.getKey() + " " + one.getValue().kind())
        .containsExactlyInAnyOrder("orders TABLE", "evenkey:heat OWN", "orders.g2.keys OWN");
  }

  // Without a right on a table, HBase leaves its descriptor out, but not its regions.
  @Test
  void aTableWhoseDescriptorTheUserMayNotReadIsShownUnderItsOwnName() {
    assertThat(TablesInUse.of(List.of(FIRST), Set.of("orders", "other", "evenkey:heat")))
        .containsEntry("orders", new TableReading("orders", "n:int64", Kind.TABLE))
        .containsEntry("other", new TableReading("other", null, Kind.TABLE))
        .containsEntry("evenkey:heat", new TableReading("evenkey:heat", null, Kind.OWN))
        .hasSize(3);
  }

  private static TableDescriptor table(String name, String layout, String of) {
    TableDescriptor bare = TableDescriptorBuilder.newBuilder(TableName.valueOf(name)).build();
    TableDescriptor table = layout == null ? bare : TableLayout.with(bare, Layout.parse(layout));
    return of == null
        ? table
        : TableDescriptorBuilder.newBuilder(table).setValue(TableLayout.TABLE, of).build();
  }

  private static TableDescriptor closed(TableDescriptor table) {
    return TableGuard.with(table, new GuardState(1, GuardMode.CLOSED, 0, 1, "orders"));
  }
}
