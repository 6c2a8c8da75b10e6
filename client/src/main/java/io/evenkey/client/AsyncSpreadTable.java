/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * The operations of a {@link SpreadTable}, answered later. The rows of all requests and results are
 * logical keys. Futures complete in HBase's threads, in which nothing may wait; they fail with what
 * the same call of {@link SpreadTable} throws. Rows by conditions come from {@link
 * io.evenkey.client.select.Selection#publisher}. Thread-safe; used no longer than the {@link
 * SpreadTables} that it is of.
 *
 * <pre>{@code
 * AsyncSpreadTable events = tables.open(name).async();
 * events.put(put).thenCompose(done -> events.get(new Get(put.getRow()))).thenAccept(this::show);
 * }</pre>
 */
public final class AsyncSpreadTable {
  private final AsyncTable<?> table;
  private final Route route;

  AsyncSpreadTable(AsyncTable<?> table, Route route) {
    this.table = table;
    this.route = route;
  }

  /** The table's name. */
  public TableName name() {
    return route.table();
  }

  /** See {@link SpreadTable#get(Get)}. */
  public CompletableFuture<Result> get(Get get) {
    return Futures.chain(route.find(), generation -> found(generation, get));
  }

  // HBase's table would ask all buckets of a random salt, as a drop-in has to.
  private CompletableFuture<Result> found(Generation generation, Get get) {
    if (generation.rows().isRandom()) {
      try {
        generation.rows().physical(get);
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return table.get(get);
  }

  /** Several reads, each answered by itself. See {@link SpreadTable#get(List)}. */
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return gets.stream().map(this::get).toList();
  }

  /** See {@link SpreadTable#put(Put)}. */
  public CompletableFuture<Void> put(Put put) {
    return table.put(put);
  }

  /** Several writes, each answered by itself. See {@link SpreadTable#put(List)}. */
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return table.put(puts);
  }

  /** See {@link SpreadTable#delete(Delete)}. */
  public CompletableFuture<Void> delete(Delete delete) {
    return table.delete(delete);
  }

  /** Several deletes, each answered by itself. See {@link SpreadTable#delete(List)}. */
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return table.delete(deletes);
  }

  /** See {@link SpreadTable#increment}. */
  public CompletableFuture<Result> increment(Increment increment) {
    return table.increment(increment);
  }

  /** See {@link SpreadTable#append}. */
  public CompletableFuture<Result> append(Append append) {
    return table.append(append);
  }

  /** See {@link SpreadTable#checkAndMutate}. */
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate check) {
    return table.checkAndMutate(check);
  }

  /** See {@link SpreadTable#mutate}. */
  public CompletableFuture<Result> mutate(RowMutations changes) {
    return table.mutateRow(changes);
  }

  @Override
  public String toString() {
    return name().getNameAsString();
  }
}
