/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static io.evenkey.layout.scatter.Condition.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.client.traffic.RequestCounts;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The requests of reads through an index, counted as they are sent. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexReadCostIT {
  private IndexedTable orders;
  private RequestCounts requests;
  private Connection counted;
  private SpreadTables tables;
  private SpreadTable table;

  @BeforeEach
  void create(EmbeddedHBase hbase, TestInfo test) throws IOException {
    orders =
        IndexedTable.create(
            hbase.connection(), "cost_" + test.getTestMethod().orElseThrow().getName());
    orders.createEntries(IndexedTable.BY_CUSTOMER);
    orders.add(IndexedTable.BY_CUSTOMER);
    Configuration configuration = new Configuration(hbase.configuration());
    // The comparison in the background reads rows at a moment that no test chooses.
    configuration.set(CheckSettings.WHEN, "off");
    requests = RequestCounts.of(configuration);
    counted = ConnectionFactory.createConnection(configuration);
    tables = SpreadTables.on(counted);
    table = tables.open(orders.name());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    counted.close();
  }

  private int sent() {
    return requests.take().values().stream().mapToInt(Integer::intValue).sum();
  }

  private void put(LongStream ids, String customer) throws IOException {
    List<Put> puts = ids.mapToObj(id -> IndexedTable.order("s", id, customer)).toList();
    table.put(puts);
  }

  private static List<Long> ids(Stream<KeyedRow> rows) {
    return rows.map(row -> row.getLong("id")).toList();
  }

  private static List<Long> read(Selection selection) throws IOException {
    try (Stream<KeyedRow> rows = selection.stream()) {
      return ids(rows);
    }
  }

  /** By scans of 26 entries, these would be 192 scans, and as many reads of rows. */
  @Test
  void aLimitBehindALongRunOfStaleEntriesTakesFewRequests() throws Exception {
    int stale = 5_000;
    put(LongStream.range(0, stale), "a");
    List<Delete> deletes = new ArrayList<>();
    for (int id = 0; id < stale; id++) {
      deletes.add(new Delete(IndexedTable.key("s", id)));
    }
    table.delete(deletes);
    put(LongStream.range(stale, stale + 100), "b");
    List<Long> first = LongStream.range(stale, stale + 20).boxed().toList();
    Selection limited = table.select().by("by_customer").limit(20);
    assertThat(read(limited)).isEqualTo(first);
    requests.take();
    assertThat(read(limited)).isEqualTo(first);
    assertThat(sent()).as("requests of a blocking read").isBetween(2, 200);
    assertThat(ids(Published.rows(limited.publisher()).stream())).isEqualTo(first);
    assertThat(sent()).as("requests of a reactive read").isBetween(2, 200);
    try (KeyedRows rows = limited.measured().open()) {
      assertThat(ids(rows.stream())).isEqualTo(first);
      ScanMetrics all = Objects.requireNonNull(rows.metrics(), "they were asked for");
      assertThat(all.countOfRowsScanned.get()).as("of all scans").isGreaterThanOrEqualTo(stale);
    }
  }

  @Test
  void aConditionOnAnIndexThatTheClientDoesNotKnowYetIsLookedUpOnce() throws Exception {
    put(LongStream.range(0, 10), "c1");
    TableIndex later =
        TableIndex.parse(
            "by_buyer events public as \"salt(2) + buyer:string\" from buyer=d:customer");
    orders.createEntries(later);
    orders.add(later);
    requests.take();
    assertThat(read(table.select().where("buyer = 'c1'"))).isEmpty();
    assertThat(read(table.select().where(field("buyer").eq("c2")))).isEmpty();
    requests.take();
    Selection known = table.select().where("buyer = 'c1'");
    assertThat(sent()).as("what the client knows costs no request").isZero();
    put(LongStream.range(10, 15), "c1");
    assertThat(read(known)).hasSize(5);
    requests.take();
    assertThatThrownBy(() -> table.select().where("bayer = 'c1'"))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining("bayer");
    assertThat(sent()).as("one look at the table").isEqualTo(1);
  }

  @Test
  void aContradictionNeedsNoEntryAndNoRow() throws Exception {
    put(LongStream.range(0, 100), "c1");
    // So that the regions of both tables are known.
    assertThat(read(table.select().by("by_customer"))).hasSize(100);
    assertThat(read(table.select().by("by_customer").where("customer = 'absent'"))).isEmpty();
    for (String contradiction :
        List.of(
            "customer = 'c1' and customer = 'c2'",
            "customer > 'c5' and customer < 'c2'",
            "customer = 'c1' and id > 5 and id < 3")) {
      Selection none = table.select().by("by_customer").where(contradiction);
      for (Selection each : List.of(none, none.limit(20), none.reversed())) {
        requests.take();
        assertThat(read(each)).as(contradiction).isEmpty();
        // That the index is still there has to be known before it may be said to have no entry.
        assertThat(sent()).as(contradiction).isEqualTo(1);
        assertThat(Published.rows(each.publisher())).as(contradiction).isEmpty();
        assertThat(sent()).as(contradiction).isEqualTo(1);
      }
    }
  }
}
