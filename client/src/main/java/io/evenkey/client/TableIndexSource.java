/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.select.IndexSource;
import io.evenkey.client.select.Selection;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/** The entries and rows of reads through the indexes of tables that are opened together. */
record TableIndexSource(SpreadTables tables) implements IndexSource {
  private static final byte[] ANY_ROW = {0};

  @Override
  public Selection entries(TableName index) throws IOException {
    return tables.known(index).select();
  }

  @Override
  public CompletableFuture<Result[]> rows(Generation generation, List<Get> gets)
      throws IOException {
    // Of this generation only: that of the route may be another one by now, with other indexes.
    return Futures.map(
        tables.async(Route.fixed(generation)).getAll(gets), rows -> rows.toArray(new Result[0]));
  }

  @Override
  public CompletableFuture<?> confirm(Generation generation) throws IOException {
    Get get = generation.rows().stamped(new Get(ANY_ROW).setCheckExistenceOnly(true));
    return tables.scans().getTable(generation.physical()).get(get);
  }
}
