/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.TimeLimit;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class AsyncEntryWriterTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:int64");
  private static final TableIndexes INDEXES =
      TableIndexes.NONE.with(TableIndex.parse("by_a events public as \"a:string\" from a=d:a"));

  private static final Generation GENERATION =
      new Generation(
          TABLE,
          TABLE,
          RowMapping.of(LAYOUT).withIndexes(IndexWrites.of(TABLE, LAYOUT, INDEXES, true)));

  private final List<TimeLimit> opened = new ArrayList<>();
  private final AsyncEntryWriter writer =
      new AsyncEntryWriter(
          (index, limit) -> {
            opened.add(limit);
            return written();
          });

  /** A table that takes every put. */
  private static AsyncTable<?> written() {
    return (AsyncTable<?>)
        Proxy.newProxyInstance(
            AsyncEntryWriterTest.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) -> CompletableFuture.completedFuture(null));
  }

  private void put(TimeLimit limit) throws Exception {
    Put put =
        new Put(LAYOUT.logicalKey(Values.of("id", 1)))
            .addColumn(Bytes.toBytes("d"), Bytes.toBytes("a"), Bytes.toBytes("x"));
    CompletableFuture<Boolean> made =
        writer.before(
            GENERATION,
            limit,
            put,
            (generation, gets) -> List.of(),
            (generation, action) -> CompletableFuture.completedFuture(true));
    assertThat(made.get()).isTrue();
  }

  @Test
  void theTableOfAnIndexIsOpenedOnceForWritesThatHaveTheirWholeTime() throws Exception {
    put(TimeLimit.none(TABLE));
    put(TimeLimit.none(TABLE));
    assertThat(opened).singleElement().satisfies(limit -> assertThat(limit.isWhole()).isTrue());
  }

  @Test
  void whatIsLeftOfTheTimeOfAWriteIsForThatWriteOnly() throws Exception {
    long began = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
    TimeLimit left =
        new TimeLimit(TABLE, began, 60_000, (message, cause) -> new IOException(message));
    put(left);
    put(TimeLimit.none(TABLE));
    put(left);
    assertThat(opened).hasSize(3).startsWith(left).endsWith(left);
    assertThat(opened.get(1).isWhole()).isTrue();
  }
}
