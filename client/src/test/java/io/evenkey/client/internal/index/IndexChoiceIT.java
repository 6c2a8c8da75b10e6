/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.PublishedRows;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a selection is read by, and what its rows have. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexChoiceIT {
  private static final List<TableIndex> INDEXES =
      OrderIndex.of(IndexProtocol.MUTABLE, true).stream().map(OrderIndex::index).toList();

  private SpreadTables tables;
  private SpreadTable table;
  private IndexedTable orders;

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    orders =
        IndexedTable.create(
            shared.connection(), "choice_" + test.getTestMethod().orElseThrow().getName());
    for (TableIndex index : INDEXES) {
      orders.createEntries(index);
      orders.add(index);
    }
    tables = SpreadTables.on(shared.connection());
    table = tables.open(orders.name());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  /** Rows in the order of the table, some of them without columns, and entries without rows. */
  private List<Order> written(int count) throws IOException {
    List<Order> rows = new ArrayList<>();
    List<Put> puts = new ArrayList<>();
    List<Delete> deletes = new ArrayList<>();
    for (long id = 0; id < count; id++) {
      TreeMap<String, String> columns = new TreeMap<>(Map.of("note", "n"));
      if (id % 6 != 0) {
        columns.put("customer", "c" + id * 7 % 10);
      }
      if (id % 4 != 0) {
        columns.put("state", "t" + id * 5 % 3);
      }
      Order order = new Order("s" + id * 3 % 5, id, columns);
      puts.add(order.put());
      if (id > 0 && id % 7 == 0) {
        deletes.add(new Delete(order.put().getRow()));
      } else {
        rows.add(order);
      }
    }
    table.put(puts);
    table.delete(deletes);
    rows.sort(Order.by(IndexedTable.LAYOUT));
    return rows;
  }

  @Test
  void rowsAreTheSameWhateverTheyAreReadBy() throws Exception {
    List<Order> all = written(300);
    Selection ids = table.select().where("id between 5 and 20");
    for (Selection each : List.of(ids, ids.anyOrder(), ids.by(orders.name().getNameAsString()))) {
      try (KeyedRows rows = each.open()) {
        assertThat(rows.fields()).isEqualTo(table.layout().fields());
        assertThat(rows.columns()).isEmpty();
        assertThat(rows.next().values().asMap()).containsOnlyKeys("seller", "id");
      }
    }
    try (KeyedRows rows = table.select().where("customer = 'c1' and state = 't1'").open()) {
      assertThat(rows.next().values().asMap().keySet())
          .containsExactly("seller", "id", "state", "customer");
      assertThat(rows.columns()).hasSize(2);
    }
    try (KeyedRows rows = table.select().by("by_state").open()) {
      assertThat(rows.next().values().asMap().keySet())
          .containsExactly("state", "customer", "id", "seller");
    }
    // Rows without the column are left out, as HBase does it, and the indexed column is not shown.
    byte[] state = Bytes.toBytes("state");
    Selection states = table.select().where("customer = 'c1'").column(IndexedTable.D, state);
    try (KeyedRows rows = states.open()) {
      List<Long> ids1 = new ArrayList<>();
      for (KeyedRow row : rows) {
        assertThat(row.value(IndexedTable.D, state)).isNotNull();
        assertThat(row.result().size()).isEqualTo(1);
        ids1.add(row.getLong("id"));
      }
      assertThat(ids1)
          .containsExactlyInAnyOrderElementsOf(
              all.stream()
                  .filter(o -> "c1".equals(o.customer()) && o.state() != null)
                  .map(Order::id)
                  .toList());
    }
    assertThatThrownBy(
            () -> table.select().where("customer = 'c1'").filter(new FirstKeyOnlyFilter()).open())
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("the filter of the selection");
  }

  /** What the client knows of the index is of before: it learns of it from a refusal. */
  @Test
  void anIndexThatIsRefusedGivesWayToTheTable() throws Exception {
    List<Order> all = written(60);
    List<Order> fives = all.stream().filter(o -> o.id() == 5).toList();
    List<Order> some = all.stream().filter(o -> o.id() >= 5 && o.id() <= 20).toList();
    for (IndexState state : new IndexState[] {IndexState.CLOSING, IndexState.BUILDING}) {
      orders.add(INDEXES.get(0));
      table = tables.open(orders.name());
      Selection five = table.select().where("id = 5");
      Selection any = table.select().where("id between 5 and 20").anyOrder();
      assertThat(SelectionPaths.chosen(five)).isEqualTo("by_id");
      KeyedRows opened = five.open();
      Flow.Publisher<KeyedRow> publisher = any.publisher();
      orders.add(INDEXES.get(0).in(state));
      assertThat(PublishedRows.of(publisher, 3, Order::of))
          .containsExactlyInAnyOrderElementsOf(some);
      assertThat(Order.of(opened.next())).isEqualTo(fives.get(0));
      opened.close();
      assertThat(SelectionPaths.read(five)).isEqualTo(fives);
      assertThat(SelectionPaths.read(any)).containsExactlyInAnyOrderElementsOf(some);
      assertThat(SelectionPaths.chosen(five)).isEqualTo(orders.name().getNameAsString());
      assertThat(five.explain().choice().plans().get(1).verdict())
          .isEqualTo("not read now: state=" + state);
    }
    Selection customer = table.select().where("customer = 'c1'");
    // A read that is open has its first rows by now.
    Flow.Publisher<KeyedRow> notBegun = customer.publisher();
    orders.set(orders.indexes().without("by_customer"));
    assertThatThrownBy(() -> PublishedRows.of(notBegun, 3, Order::of))
        .hasStackTraceContaining("no such index");
    assertThatThrownBy(customer::open)
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("can serve");
  }
}
