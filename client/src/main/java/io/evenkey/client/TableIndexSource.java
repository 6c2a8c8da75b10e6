/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.GatherServers;
import io.evenkey.client.internal.gather.GatheredGets;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.select.IndexSource;
import io.evenkey.client.select.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/** The entries and rows of reads through the indexes of tables that are opened together. */
record TableIndexSource(SpreadTables tables) implements IndexSource {
  private static final byte[] ANY_ROW = {0};

  @Override
  public Selection entries(TableName index) throws IOException {
    return tables.known(index).select();
  }

  /**
   * By one request to each region server, where these can gather; else, and for rows that are more
   * than an answer may have, by gets.
   */
  @Override
  public CompletableFuture<Result[]> rows(Generation generation, List<Get> gets)
      throws IOException {
    RowMapping rows = generation.rows();
    AsyncTable<AdvancedScanResultConsumer> table = tables.scans().getTable(generation.physical());
    GatherServers servers = rows.isFree() ? null : rows.servers(false);
    if (servers == null || !GatheredGets.arePossible(table.getConfiguration(), gets, servers)) {
      // Of this generation only: that of the route may be another one by now, with other indexes.
      return Futures.map(
          tables.async(Route.fixed(generation)).getAll(gets),
          found -> found.toArray(new Result[0]));
    }
    List<Get> physical = new ArrayList<>(gets.size());
    for (Get get : gets) {
      physical.add(rows.physical(get));
    }
    return GatheredGets.all(table, physical, rows.layout().spread().width(), servers)
        .thenApply(found -> Arrays.stream(found).map(rows::logical).toArray(Result[]::new));
  }

  @Override
  public CompletableFuture<?> confirm(Generation generation) throws IOException {
    Get get = generation.rows().stamped(new Get(ANY_ROW).setCheckExistenceOnly(true));
    return tables.scans().getTable(generation.physical()).get(get);
  }
}
