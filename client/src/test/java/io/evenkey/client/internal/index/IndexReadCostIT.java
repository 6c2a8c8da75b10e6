/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.Selection;
import io.evenkey.client.traffic.RequestCounts;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The requests of reads through an index, counted as they are sent. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexReadCostIT {
  private RequestCounts requests;
  private Connection counted;
  private SpreadTables tables;
  private SpreadTable table;

  @BeforeEach
  void create(EmbeddedHBase hbase, TestInfo test) throws IOException {
    IndexedTable orders =
        IndexedTable.create(
            hbase.connection(), "cost_" + test.getTestMethod().orElseThrow().getName());
    orders.createEntries(IndexedTable.BY_CUSTOMER);
    orders.add(IndexedTable.BY_CUSTOMER);
    Configuration configuration = new Configuration(hbase.configuration());
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
  }
}
