/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** No client writes to a table with indexes that does not know them. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexGuardIT {
  private EmbeddedHBase hbase;
  private IndexedTable orders;

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    hbase = shared;
    orders =
        IndexedTable.create(
            hbase.connection(), "guard_" + test.getTestMethod().orElseThrow().getName());
  }

  private Put stored(Put order, byte[] stamp) throws IOException {
    Put physical = new Put(IndexedTable.LAYOUT.physical(order.getRow()));
    order.getFamilyCellMap().values().forEach(cells -> cells.forEach(cell -> add(physical, cell)));
    if (stamp != null) {
      physical.setAttribute(GuardAttributes.LAYOUT, stamp);
    }
    return physical;
  }

  private static void add(Put put, Cell cell) {
    put.addColumn(
        CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
  }

  @Test
  void serversRefuseWritersOfEarlierIndexes() throws IOException {
    byte[] before = Stamp.of(IndexedTable.LAYOUT);
    try (Table table = hbase.connection().getTable(orders.name())) {
      table.put(stored(IndexedTable.order("s", 1, "c"), before));
      orders.add(IndexedTable.BY_CUSTOMER);
      byte[] first = Stamp.of(IndexedTable.LAYOUT, orders.indexes());
      table.put(stored(IndexedTable.order("s", 2, "c"), first));
      orders.add(IndexedTable.BY_CUSTOMER);
      byte[] second = Stamp.of(IndexedTable.LAYOUT, orders.indexes());
      table.put(stored(IndexedTable.order("s", 3, "c"), second));
      for (byte[] stamp : new byte[][] {before, first}) {
        assertThatThrownBy(() -> table.put(stored(IndexedTable.order("s", 4, "c"), stamp)))
            .hasMessageContaining("or for other indexes")
            .hasMessageContaining(Refusal.LAYOUT.mark());
      }
      Put raw = stored(IndexedTable.order("s", 4, "c"), null);
      raw.setAttribute(GuardAttributes.RAW, new byte[0]);
      assertThatThrownBy(() -> table.put(raw)).hasMessageContaining(Refusal.UNSTAMPED.mark());
      orders.set(orders.indexes().without("by_customer"));
      table.put(stored(IndexedTable.order("s", 5, "c"), before));
    }
  }

  @Test
  void aClientThatIsRefusedLooksTheIndexesUpAndDoesNotWritePastThem() throws IOException {
    try (Connection connection =
            ConnectionFactory.createConnection(IndexedTable.dropIn(hbase.configuration()));
        Table table = connection.getTable(orders.name())) {
      table.put(IndexedTable.order("s", 1, "c"));
      orders.add(IndexedTable.BY_CUSTOMER.in(IndexState.CLOSING));
      assertThat(table.get(new Get(IndexedTable.key("s", 1))).isEmpty()).isFalse();
      orders.set(orders.indexes().without("by_customer"));
      table.put(IndexedTable.order("s", 2, "c"));
      assertThat(table.exists(new Get(IndexedTable.key("s", 2)))).isTrue();
    }
  }

  /** A command was killed when one of the regions had followed it: the first, and another one. */
  @Test
  void clientsHaveAllRegionsFollowAChangeWhoseCommandDied() throws IOException {
    orders.createEntries(IndexedTable.BY_CUSTOMER);
    Configuration impatient = IndexedTable.dropIn(hbase.configuration());
    impatient.setLong("evenkey.migration.wait.ms", 10_000);
    try (Connection connection = ConnectionFactory.createConnection(impatient);
        Table table = connection.getTable(orders.name());
        Admin admin = hbase.connection().getAdmin()) {
      List<Put> puts = new ArrayList<>();
      for (int id = 0; id < 40; id++) {
        puts.add(IndexedTable.order("s", id, "c"));
      }
      table.put(puts);
      for (int followed : new int[] {0, 1}) {
        GuardState next = orders.describe(orders.indexes().with(IndexedTable.BY_CUSTOMER));
        orders.ask(admin.getRegions(orders.name()).get(followed), next);
        table.put(puts);
        table.put(puts);
        assertThat(orders.entries(IndexedTable.BY_CUSTOMER)).hasSize(40);
        for (RegionInfo region : admin.getRegions(orders.name())) {
          orders.ask(region, next);
        }
      }
      List<Get> gets = puts.stream().map(put -> new Get(put.getRow())).toList();
      assertThat(table.get(gets)).noneMatch(Result::isEmpty);
    }
  }

  @Test
  void anIndexHasToFit() throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      TableDescriptor now = admin.getDescriptor(orders.name());
      TableIndexes indexes = TableIndexes.NONE.with(IndexedTable.BY_CUSTOMER);
      TableIndexes other =
          TableIndexes.NONE.with(TableIndex.parse("by_x events joining as \"x:string\""));
      assertThatThrownBy(() -> TableLayout.with(now, other))
          .hasMessageContaining("index does not fit the table")
          .hasMessageContaining("field=x");
      TableDescriptor indexed = TableLayout.with(now, indexes);
      assertThat(TableLayout.indexes(indexed)).isEqualTo(indexes);
      assertThat(indexed.getValue(TableLayout.FORMAT)).isEqualTo("2");
      assertThat(TableLayout.with(indexed, IndexedTable.LAYOUT)).isEqualTo(indexed);
      TableDescriptor clone = TableDescriptorBuilder.copy(TableName.valueOf("clone"), indexed);
      assertThat(TableLayout.indexes(clone)).isEqualTo(TableIndexes.NONE);
    }
  }

  /** A client of servers without the guard reads the indexes of a table from the registry. */
  @Test
  void theRegistryHasTheIndexesToo() throws Exception {
    TableIndexes indexes = TableIndexes.NONE.with(IndexedTable.BY_CUSTOMER);
    try (Registry registry = Registry.open(hbase.configuration())) {
      registry
          .layouts()
          .record(orders.name(), IndexedTable.LAYOUT.toString(), indexes.toString(), false);
      assertThat(registry.layouts().get(orders.name()).orElseThrow().indexes())
          .isEqualTo(indexes.toString());
      registry.layouts().record(orders.name(), IndexedTable.LAYOUT.toString());
      assertThat(registry.layouts().get(orders.name()).orElseThrow().indexes()).isEmpty();
    }
  }

  @Test
  void theMasterLetsIndexesChangeOnlyWithTheState() throws IOException {
    orders.add(IndexedTable.BY_CUSTOMER);
    try (Admin admin = hbase.connection().getAdmin()) {
      TableDescriptor now = admin.getDescriptor(orders.name());
      assertThatThrownBy(
              () ->
                  admin.modifyTable(TableLayout.with(now, orders.indexes().without("by_customer"))))
          .hasMessageContaining("indexes of an existing table cannot be changed by modifying");
      admin.modifyTable(TableDescriptorBuilder.newBuilder(now).setMaxFileSize(1L << 31).build());
      assertThat(orders.indexes().names()).containsExactly("by_customer");
      try (Connection dropIn =
              ConnectionFactory.createConnection(IndexedTable.dropIn(hbase.configuration()));
          Admin keeping = dropIn.getAdmin()) {
        TableDescriptor fromScratch =
            TableDescriptorBuilder.newBuilder(orders.name())
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(IndexedTable.D))
                .build();
        keeping.modifyTable(fromScratch);
        keeping.modifyTable(TableLayout.with(fromScratch, IndexedTable.LAYOUT));
        assertThat(orders.indexes().names()).containsExactly("by_customer");
        assertThat(admin.getDescriptor(orders.name()).getValue(TableLayout.FORMAT)).isEqualTo("2");
      }
      admin.snapshot("of_" + orders.name(), orders.name());
      admin.disableTable(orders.name());
      assertThatThrownBy(() -> admin.restoreSnapshot("of_" + orders.name()))
          .hasStackTraceContaining("table with indexes cannot be restored");
      admin.enableTable(orders.name());
    }
  }
}
