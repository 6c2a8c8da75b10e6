/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.WatchedRowReads;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The batches in which a read through an index reads the rows of entries. */
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexBatchesIT {
  private static final byte[] NOTE = Bytes.toBytes("note");

  private SpreadTables tables;
  private SpreadTable table;

  @BeforeEach
  void create(EmbeddedHBase hbase, TestInfo test) throws IOException {
    IndexedTable orders =
        IndexedTable.create(
            hbase.connection(), "batches_" + test.getTestMethod().orElseThrow().getName());
    orders.createEntries(IndexedTable.BY_CUSTOMER);
    orders.add(IndexedTable.BY_CUSTOMER);
    tables = SpreadTables.on(hbase.connection());
    table = tables.open(orders.name());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private void write(int rows, int bytes) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int id = 0; id < rows; id++) {
      Put put = IndexedTable.order("s", id, "c");
      puts.add(put.addColumn(IndexedTable.D, NOTE, new byte[bytes]));
      if (puts.size() * (long) bytes > 8 << 20) {
        table.put(puts);
        puts.clear();
      }
    }
    table.put(puts);
  }

  private WatchedRowReads watched() {
    return WatchedRowReads.of(tables, UnaryOperator.identity());
  }

  private Selection by(WatchedRowReads watched) throws IOException {
    return table.select().withIndexes(watched).by("by_customer");
  }

  private static int count(KeyedRows rows) throws IOException {
    int count = 0;
    while (rows.next() != null) {
      count++;
    }
    return count;
  }

  @Test
  void batchesOfLargeRowsHaveFewOfThem() throws Exception {
    write(100, 700_000);
    WatchedRowReads blocking = watched();
    try (KeyedRows rows = by(blocking).open()) {
      rows.next();
      await("the sizes of the first rows are known")
          .untilAsserted(() -> assertThat(blocking.batches()).containsExactly(64, 2, 2, 2));
      assertThat(count(rows)).isEqualTo(99);
    }
    WatchedRowReads reactive = watched();
    assertThat(Published.rows(by(reactive).publisher())).hasSize(100);
    assertThat(reactive.batches()).first().isEqualTo(64);
    assertThat(reactive.batches().subList(1, reactive.batches().size())).allMatch(n -> n <= 2);
  }

  @Test
  void batchesOfSmallRowsAreLargeAndReadAhead() throws Exception {
    write(1_500, 10);
    WatchedRowReads all = watched();
    try (KeyedRows rows = by(all).open()) {
      rows.next();
      await().untilAsserted(() -> assertThat(all.batches()).containsExactly(64, 256, 256, 256));
      assertThat(count(rows)).isEqualTo(1_499);
    }
    WatchedRowReads limited = watched();
    try (KeyedRows rows = by(limited).limit(100).open()) {
      assertThat(count(rows)).isEqualTo(100);
    }
    assertThat(limited.batches()).containsExactly(116);
  }

  @Test
  void anAnswerThatCannotBeUsedEndsTheRead() throws Exception {
    write(10, 10);
    WatchedRowReads broken = WatchedRowReads.of(tables, rows -> new Result[rows.length]);
    assertThatThrownBy(() -> Published.rows(by(broken).publisher()))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(NullPointerException.class);
    try (KeyedRows rows = by(broken).open()) {
      assertThatThrownBy(rows::next).isInstanceOf(NullPointerException.class);
    }
  }
}
