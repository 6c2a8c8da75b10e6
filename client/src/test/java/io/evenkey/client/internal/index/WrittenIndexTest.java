/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.index.TableIndex;
import io.evenkey.layout.index.TableIndexes;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrittenIndexTest {
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
}
