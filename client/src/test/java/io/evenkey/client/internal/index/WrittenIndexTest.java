/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.protocol.index.IndexEntry;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrittenIndexTest {
  private static final byte[] NOTE = Bytes.toBytes("note");

  /** The entries of a put in one index. */
  private static List<Put> entries(TableIndex index, Put put) throws Exception {
    TableIndexes indexes = TableIndexes.NONE.with(index);
    IndexWrites writes =
        IndexWrites.of(TableName.valueOf("orders"), IndexedTable.LAYOUT, indexes, true);
    return writes.write(put, Result.EMPTY_RESULT).entries().stream().map(EntryPut::put).toList();
  }

  private static Put order() {
    return IndexedTable.order("s", 1, "c");
  }

  /** The row may be synced though its put does not wait for it. */
  @ParameterizedTest
  @CsvSource({
    "SKIP_WAL, SYNC_WAL",
    "ASYNC_WAL, SYNC_WAL",
    "SYNC_WAL, SYNC_WAL",
    "FSYNC_WAL, FSYNC_WAL",
    "USE_DEFAULT, USE_DEFAULT"
  })
  void anEntryIsAsDurableAsItsRow(Durability row, Durability entry) throws Exception {
    assertThat(entries(IndexedTable.BY_CUSTOMER, order().setDurability(row)))
        .extracting(Put::getDurability)
        .containsExactly(entry);
  }

  private static TableIndex index(String text) {
    return TableIndex.parse(
        text
            + " as \"salt(3) + customer:string + seller:string + id:int64\" from customer=d:customer");
  }

  /** Puts of the same values with a time to live, and without. */
  @Test
  void aRowOfAnAppendOnlyIndexDoesNotEndByItself() throws Exception {
    TableIndex index = index("by_customer append_only public");
    TableIndex ofKey =
        TableIndex.parse("by_id append_only public as \"salt(2) + id:int64 + seller:string\"");
    for (TableIndex one : List.of(index, ofKey)) {
      assertThatThrownBy(() -> entries(one, order().setTTL(3_600_000)))
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("put of a row of an index with a time to live of its own")
          .hasMessageContaining("index=" + one.name() + " protocol=append_only ttl_ms=3600000");
    }
    Put note = new Put(order().getRow()).addColumn(IndexedTable.D, NOTE, NOTE);
    assertThat(entries(index, note.setTTL(3_600_000))).isEmpty();
  }

  @Test
  void aRowOfEventsMayEndByItself() throws Exception {
    assertThat(entries(index("by_customer events public"), order().setTTL(5))).hasSize(1);
  }

  /** A client that is paused before it puts the row puts one that ends later. */
  @Test
  void anEntryDoesNotEndByTheTimeToLiveOfItsRow() throws Exception {
    assertThat(entries(IndexedTable.BY_CUSTOMER, order().setTTL(3_600_000)))
        .extracting(Put::getTTL)
        .containsExactly(Long.MAX_VALUE);
  }

  private static long timeOfEntry(long row) throws Exception {
    Put put =
        new Put(order().getRow()).addColumn(IndexedTable.D, Bytes.toBytes("customer"), row, NOTE);
    Put entry = entries(IndexedTable.BY_CUSTOMER, put).get(0);
    return entry.getFamilyCellMap().get(EntryFamily.name()).get(0).getTimestamp();
  }

  @Test
  void anEntryHasTheTimeOfItsRowIfThisIsLater() throws Exception {
    long future = System.currentTimeMillis() + 3_600_000_000L;
    assertThat(timeOfEntry(future)).isEqualTo(future);
    assertThat(timeOfEntry(5)).isEqualTo(HConstants.LATEST_TIMESTAMP);
    assertThat(timeOfEntry(HConstants.LATEST_TIMESTAMP)).isEqualTo(HConstants.LATEST_TIMESTAMP);
  }

  private static final byte[] AMOUNT = Bytes.toBytes("amount");

  private static TableIndex covering(String protocol) {
    return TableIndex.parse(index("by_customer " + protocol + " public") + " covering d:amount");
  }

  private static Put amount() {
    return new Put(order().getRow()).addColumn(IndexedTable.D, AMOUNT, NOTE);
  }

  /** Of such an index readers take covered columns from the rows. */
  @Test
  void aRowOfEventsNeedsNoCoveredColumns() throws Exception {
    TableIndex covering = covering("events");
    Put entry = entries(covering, order()).get(0);
    byte[] value = CellUtil.cloneValue(entry.getFamilyCellMap().get(EntryFamily.name()).get(0));
    assertThat(IndexEntry.parse(value).covered()).containsExactly(Optional.empty());
    assertThat(entries(covering, amount())).isEmpty();
    assertThat(entries(covering, order().addColumn(IndexedTable.D, AMOUNT, NOTE))).hasSize(1);
  }

  private static void assertPartial(TableIndex index, Put put, String column) {
    assertThatThrownBy(() -> entries(index, put))
        .isInstanceOf(IndexRefusedException.class)
        .hasMessageContaining("put of only some of the columns of an index")
        .hasMessageContaining("column=" + column);
  }

  @Test
  void aRowOfEventsNeedsAllIndexedColumns() {
    TableIndex both =
        TableIndex.parse(
            "by_both events public as \"salt(3) + customer:string + state:string + seller:string +"
                + " id:int64\" from customer=d:customer, state=d:state covering d:amount");
    assertPartial(both, order(), "d:state");
    assertPartial(both, order().addColumn(IndexedTable.D, AMOUNT, NOTE), "d:state");
  }

  /** A settled entry without the column would hide what is written there later. */
  @Test
  void aRowOfAnAppendOnlyIndexNeedsCoveredColumnsToo() {
    assertPartial(covering("append_only"), order(), "d:amount");
    assertPartial(covering("append_only"), amount(), "d:customer");
    TableIndex ofKey =
        TableIndex.parse(
            "by_id append_only public as \"salt(2) + id:int64 + seller:string\""
                + " covering d:amount");
    assertPartial(ofKey, order(), "d:amount");
  }
}
