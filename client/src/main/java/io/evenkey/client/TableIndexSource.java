/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.catalog.Catalog;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.GatherServers;
import io.evenkey.client.internal.gather.GatheredGets;
import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.table.CallSettings;
import io.evenkey.client.internal.table.LogicalAsyncTable;
import io.evenkey.client.internal.table.ScannedTable;
import io.evenkey.client.select.IndexSource;
import io.evenkey.client.select.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableSpans;

/**
 * The entries and rows of reads through the indexes of tables that are used through one connection.
 * Thread-safe.
 *
 * @param scans HBase's own connection, to which rows are what is stored
 * @param routes to tables, with the timeouts of the reads
 * @param catalog what the connection knows of its tables
 * @param settings of the table that an application has opened
 */
record TableIndexSource(
    Scans scans,
    Function<TableName, Route> routes,
    Catalog catalog,
    long budgetBytes,
    CallSettings settings)
    implements IndexSource {
  /** A connection that is opened when it is first used. */
  @FunctionalInterface
  interface Scans {
    AsyncConnection open() throws IOException;
  }

  private Route route(TableName table) {
    return routes.apply(table);
  }

  private ScannedTable scanned(TableName physical) throws IOException {
    AsyncConnection plain = scans.open();
    return ScannedTable.of(plain, physical, TableSpans.on(plain), settings);
  }

  private AsyncTable<AdvancedScanResultConsumer> table(Generation generation) throws IOException {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder =
        scans.open().getTableBuilder(generation.physical());
    settings.to(builder);
    return builder.build();
  }

  /** Looks a table up without holding the caller's thread. */
  CompletableFuture<Generation> find(TableName table) {
    return route(table).find();
  }

  /** All rows of a table that may have indexes. */
  Selection rows(TableName table) throws IOException {
    Route route = route(table);
    return Selection.of(route, route.now().rows(), this::scanned, budgetBytes).withIndexes(this);
  }

  @Override
  public void forget(TableName table) {
    catalog.forget(table);
  }

  @Override
  public Selection entries(IndexReads index) throws IOException {
    Route route = route(index.entries());
    return Selection.of(route, route.now().rows(), this::scanned, budgetBytes);
  }

  /**
   * By one request to each region server, where these can gather; else, and for rows that are more
   * than an answer may have, by gets.
   */
  @Override
  public CompletableFuture<Result[]> rows(Generation generation, List<Get> gets)
      throws IOException {
    RowMapping rows = generation.rows();
    AsyncTable<AdvancedScanResultConsumer> table = table(generation);
    GatherServers servers = rows.isRandom() ? null : rows.servers(false);
    if (servers == null || !GatheredGets.arePossible(table.getConfiguration(), gets, servers)) {
      return Futures.map(single(generation).getAll(gets), found -> found.toArray(new Result[0]));
    }
    List<Get> physical = new ArrayList<>(gets.size());
    for (Get get : gets) {
      physical.add(rows.physical(get));
    }
    return Futures.map(
        GatheredGets.all(table, physical, rows.layout().spread().width(), servers),
        found -> Arrays.stream(found).map(rows.results()::logical).toArray(Result[]::new));
  }

  // Of this generation only: that of the route may be another one by now, with other indexes.
  private AsyncTable<AdvancedScanResultConsumer> single(Generation generation) throws IOException {
    AsyncConnection plain = scans.open();
    return LogicalAsyncTable.of(
        plain,
        Route.fixed(generation),
        (index, limit) -> plain.getTable(index),
        null,
        budgetBytes,
        settings);
  }

  @Override
  public CompletableFuture<?> confirm(Generation generation, Get get) throws IOException {
    return table(generation).get(generation.rows().stamped(get));
  }
}
