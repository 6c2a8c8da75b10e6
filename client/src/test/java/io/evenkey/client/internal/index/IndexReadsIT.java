/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static io.evenkey.layout.scatter.Condition.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.ReadCursor;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A read through an index returns what a filter of all rows would, in the index's order. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexReadsIT {
  private static final TableIndex INDEX = IndexedTable.BY_CUSTOMER;

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private EmbeddedHBase hbase;
  private IndexedTable orders;
  private SpreadTables tables;
  private SpreadTable table;

  /** An order, sorted as the index sorts them. */
  private record Order(String customer, String seller, long id) implements Comparable<Order> {
    private static final Comparator<Order> ORDER =
        Comparator.comparing(Order::customer).thenComparing(Order::seller).thenComparing(Order::id);

    static Order of(KeyedRow row) {
      assertThat(row.key()).isEqualTo(IndexedTable.key(row.getString("seller"), row.getLong("id")));
      String stored = Bytes.toString(row.value(IndexedTable.D, Bytes.toBytes("customer")));
      assertThat(stored).isEqualTo(row.getString("customer"));
      return new Order(stored, row.getString("seller"), row.getLong("id"));
    }

    Put put() {
      return IndexedTable.order(seller, id, customer);
    }

    @Override
    public int compareTo(Order other) {
      return ORDER.compare(this, other);
    }
  }

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    hbase = shared;
    orders =
        IndexedTable.create(
            hbase.connection(),
            "reads_" + test.getTestMethod().orElseThrow().getName() + NUMBER.incrementAndGet());
    orders.createEntries(INDEX);
    orders.add(INDEX);
    tables = SpreadTables.on(hbase.connection());
    table = tables.open(orders.name());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private List<Order> written(int count) throws IOException {
    SplittableRandom random = new SplittableRandom(20261125);
    List<Order> all = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      String customer = "c" + random.nextInt(20);
      all.add(new Order(customer, "s" + random.nextInt(5), id));
    }
    table.put(all.stream().map(Order::put).toList());
    Collections.sort(all);
    return all;
  }

  private static List<Order> read(Selection selection) throws IOException {
    try (KeyedRows rows = selection.open()) {
      List<Order> read = new ArrayList<>();
      for (KeyedRow row : rows) {
        read.add(Order.of(row));
      }
      return read;
    }
  }

  private Selection by() throws IOException {
    return table.select().by("by_customer");
  }

  @Test
  void readsByAnIndexKeepOrderLimitDirectionAndCondition() throws IOException {
    List<Order> all = written(730);
    List<Order> down = new ArrayList<>(all);
    Collections.reverse(down);
    assertThat(read(by())).isEqualTo(all);
    assertThat(read(by().reversed())).isEqualTo(down);
    assertThat(read(table.select().by(orders.name() + ".by_customer").limit(250)))
        .isEqualTo(all.subList(0, 250));
    for (int limit : new int[] {1, 20, 729, 730, 1000}) {
      int end = Math.min(limit, all.size());
      assertThat(read(by().limit(limit))).isEqualTo(all.subList(0, end));
      assertThat(read(by().reversed().limit(limit))).isEqualTo(down.subList(0, end));
    }
    List<Order> some = all.stream().filter(o -> o.customer().equals("c7")).toList();
    assertThat(read(by().where("customer = 'c7'"))).isEqualTo(some).isNotEmpty();
    assertThat(read(by().where(field("customer").eq("c7").and(field("id").lessThan(300)))))
        .isEqualTo(some.stream().filter(o -> o.id() < 300).toList());
    assertThat(read(by().where("customer = 'absent'"))).isEmpty();
    try (var stream = by().stream()) {
      assertThat(stream.limit(3).map(Order::of)).isEqualTo(all.subList(0, 3));
    }
  }

  @Test
  void aConditionThatOnlyAnIndexCanServeIsReadByIt() throws IOException {
    List<Order> all = written(200);
    table = tables.open(orders.name());
    List<Order> some = all.stream().filter(o -> o.customer().equals("c1")).toList();
    assertThat(read(table.select().where("customer = 'c1'"))).isEqualTo(some).isNotEmpty();
    assertThat(read(table.select().where(field("customer").eq("c1")))).isEqualTo(some);
    assertThatThrownBy(() -> table.select().where("customers = 'c1'"))
        .isInstanceOf(SyntaxException.class);
  }

  @Test
  void aCursorContinuesBehindTheLastRow() throws IOException {
    List<Order> all = written(333);
    List<Order> read = new ArrayList<>();
    ReadCursor cursor = null;
    for (int page = 0; page < 100; page++) {
      Selection next = cursor == null ? by() : by().after(cursor);
      try (KeyedRows rows = next.limit(50).open()) {
        for (KeyedRow row : rows) {
          read.add(Order.of(row));
        }
        if (rows.cursor() == null) {
          break;
        }
        cursor = rows.cursor();
      }
    }
    assertThat(read).isEqualTo(all);
  }

  @Test
  void aCursorOfAnIndexThatWasReplacedOrDroppedIsRefusedByName() throws Exception {
    written(50);
    ReadCursor cursor;
    try (KeyedRows rows = condition().limit(5).open()) {
      while (rows.next() != null) {
        // The cursor is that of the last one.
      }
      cursor = Objects.requireNonNull(rows.cursor());
    }
    Selection known = condition();
    orders.set(orders.indexes().without("by_customer"));
    assertThatThrownBy(() -> read(known.after(cursor)))
        .hasStackTraceContaining("no such index")
        .hasStackTraceContaining("index=by_customer");
    assertThatThrownBy(() -> Published.rows(known.after(cursor).publisher()))
        .hasStackTraceContaining("no such index")
        .hasStackTraceContaining("index=by_customer");
    orders.add(
        TableIndex.parse(
            "by_customer events public as \"salt(3) + customer:string desc + seller:string"
                + " + id:int64\" from customer=d:customer"));
    table = tables.open(orders.name());
    assertThatThrownBy(() -> condition().after(cursor).open())
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("cursor of another read")
        .hasMessageContaining("read_by=by_customer");
  }

  private Selection condition() {
    return table.select().where("customer >= 'c'");
  }

  /** The names of its index's table, and of the index, have that of the table in them. */
  @Tag("ci")
  @ParameterizedTest
  @ValueSource(strings = {"index_reads:orders", "index_reads:eu.orders", "eu.orders.by_customer"})
  void theTableMayHaveANamespaceAndDots(String name) throws Exception {
    try (Admin admin = hbase.connection().getAdmin()) {
      if (!List.of(admin.listNamespaces()).contains("index_reads")) {
        admin.createNamespace(NamespaceDescriptor.create("index_reads").build());
      }
    }
    orders = IndexedTable.create(hbase.connection(), name);
    orders.createEntries(INDEX);
    orders.add(INDEX);
    table = tables.open(orders.name());
    List<Order> all = written(130);
    assertThat(read(by())).isEqualTo(all);
    assertThat(read(table.select().by(name + ".by_customer").limit(30)))
        .isEqualTo(all.subList(0, 30));
    assertThat(Published.rows(by().publisher())).hasSize(all.size());
    List<Order> some = all.stream().filter(o -> o.customer().equals("c1")).toList();
    Selection chosen = table.select().where("customer = 'c1'");
    assertThat(read(chosen)).isEqualTo(some).isNotEmpty();
    assertThat(chosen.explain().table()).isEqualTo(TableName.valueOf(name + ".by_customer"));
    assertThat(table.select().by(name).explain().choice().chosen().isIndex()).isFalse();
    try (KeyedRows rows = chosen.limit(1).open()) {
      assertThat(rows.next()).isNotNull();
      ReadCursor cursor = ReadCursor.parse(String.valueOf(rows.cursor()));
      assertThat(read(chosen.after(cursor))).isEqualTo(some.subList(1, some.size()));
    }
  }

  @Test
  void entriesWithoutTheirRowsAreNotSeen() throws IOException {
    List<Order> all = written(400);
    List<Order> deleted = all.subList(0, 150);
    table.delete(
        deleted.stream().map(o -> new Delete(IndexedTable.key(o.seller(), o.id()))).toList());
    List<Order> left = new ArrayList<>(all.subList(150, all.size()));
    assertThat(read(by())).isEqualTo(left);
    // A limit is one of rows, not of entries.
    assertThat(read(by().limit(10))).isEqualTo(left.subList(0, 10));
    // A row that is put again has another entry, though events should not do so.
    Order moved = new Order("zz", left.get(0).seller(), left.get(0).id());
    table.put(moved.put());
    left.remove(0);
    left.add(moved);
    assertThat(read(by())).isEqualTo(left);
  }

  @Test
  void anIndexThatIsNotPublicIsRefused() throws IOException {
    written(10);
    for (IndexState state : IndexState.values()) {
      orders.add(INDEX.in(state));
      if (state.isRead()) {
        assertThat(read(by())).hasSize(10);
      } else {
        // The client may learn of it when a server refuses the first request.
        assertThatThrownBy(() -> read(by()))
            .hasStackTraceContaining("index that is not read now")
            .hasStackTraceContaining("state=" + state);
        assertThatThrownBy(this::by).isInstanceOf(IndexRefusedException.class);
      }
    }
    assertThatThrownBy(() -> table.select().by("by_price"))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("no such index");
  }

  @Test
  void aConditionOnFieldsOfAnIndexThatWasAddedSinceIsRead() throws IOException {
    assertThat(read(by())).isEmpty();
    TableIndex later =
        TableIndex.parse(
            "by_buyer events public as \"salt(2) + buyer:string\" from buyer=d:customer");
    orders.createEntries(later);
    orders.add(later);
    Selection ofBuyer = table.select().by("by_buyer").where("buyer = 'c1'");
    long count = written(50).stream().filter(order -> order.customer().equals("c1")).count();
    try (var rows = ofBuyer.stream()) {
      assertThat(rows.count()).isEqualTo(count).isPositive();
    }
  }

  /** Rows are written without entries then: what the client knows of the index is of before. */
  @Test
  void aReadByAnIndexThatWasDroppedFailsAndDoesNotMissRows() throws IOException {
    Selection known = by();
    assertThat(read(known)).isEmpty();
    orders.set(orders.indexes().without("by_customer"));
    try (SpreadTables others = SpreadTables.on(hbase.connection())) {
      others.open(orders.name()).put(IndexedTable.order("s", 1, "c1"));
    }
    assertThatThrownBy(() -> read(known)).hasStackTraceContaining("no such index");
  }

  @Test
  void aReadGoesOnWhenTheIndexesGetAnotherVersion() throws IOException {
    List<Order> all = written(300);
    try (KeyedRows rows = by().open()) {
      List<Order> read = new ArrayList<>();
      for (KeyedRow row : rows) {
        if (read.isEmpty()) {
          orders.add(INDEX);
        }
        read.add(Order.of(row));
      }
      assertThat(read).isEqualTo(all);
    }
  }

  @Test
  void anExplanationNamesTheIndexAndItsRanges() throws IOException {
    written(20);
    var explained = by().where("customer = 'c1'").limit(20).explain();
    assertThat(explained.choice().chosen().name()).isEqualTo("by_customer");
    assertThat(explained.table())
        .isEqualTo(TableName.valueOf(INDEX.tableName(orders.name().getNameAsString())));
    assertThat(explained.ranges()).hasSize(3);
    assertThat(explained.limit()).isEqualTo(26);
    try (Table entries = hbase.connection().getTable(explained.table())) {
      assertThat(entries.getDescriptor().hasColumnFamily(EntryFamily.name())).isTrue();
    }
  }
}
