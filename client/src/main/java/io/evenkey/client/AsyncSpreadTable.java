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
 * One table with calls that return futures: for applications that must not block a thread for each
 * request. The rows of all requests and results are logical keys, as in {@link SpreadTable}.
 *
 * <pre>{@code
 * AsyncSpreadTable events = tables.open(name).async();
 * events.put(put).thenCompose(done -> events.get(new Get(put.getRow()))).thenAccept(this::show);
 * }</pre>
 *
 * <p>Each call returns at once and sends as many requests as the call of the same name in {@link
 * SpreadTable}. Its future completes in a thread of HBase's client, so code that depends on it must
 * not block. A future fails with what the blocking call throws. For rows by conditions, use {@link
 * io.evenkey.client.select.Selection#publisher}.
 *
 * <p>Thread-safe. Do not use it after its {@link SpreadTables} is closed.
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

  /** Reads one row with one request; see {@link SpreadTable#get(Get)}. */
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

  /**
   * Reads several rows; the futures, in the order of {@code gets}, complete and fail independently.
   * The client sends one request to each region server involved. See {@link SpreadTable#get(List)}.
   */
  public List<CompletableFuture<Result>> get(List<Get> gets) {
    return gets.stream().map(this::get).toList();
  }

  /**
   * Writes one row. The future completes when the region server has acknowledged the write. See
   * {@link SpreadTable#put(Put)}.
   */
  public CompletableFuture<Void> put(Put put) {
    return table.put(put);
  }

  /**
   * Writes several rows; the futures, in the order of {@code puts}, complete and fail
   * independently. See {@link SpreadTable#put(List)}.
   */
  public List<CompletableFuture<Void>> put(List<Put> puts) {
    return table.put(puts);
  }

  /** Deletes from one row; see {@link SpreadTable#delete(Delete)}. */
  public CompletableFuture<Void> delete(Delete delete) {
    return table.delete(delete);
  }

  /**
   * Deletes from several rows; the futures, in the order of {@code deletes}, complete and fail
   * independently. See {@link SpreadTable#delete(List)}.
   */
  public List<CompletableFuture<Void>> delete(List<Delete> deletes) {
    return table.delete(deletes);
  }

  /** Adds to counters of one row, atomically; see {@link SpreadTable#increment}. */
  public CompletableFuture<Result> increment(Increment increment) {
    return table.increment(increment);
  }

  /** Appends to values of one row, atomically; see {@link SpreadTable#append}. */
  public CompletableFuture<Result> append(Append append) {
    return table.append(append);
  }

  /**
   * Changes one row if it meets a condition, atomically; see {@link SpreadTable#checkAndMutate}.
   */
  public CompletableFuture<CheckAndMutateResult> checkAndMutate(CheckAndMutate check) {
    return table.checkAndMutate(check);
  }

  /** Applies several changes to one row, atomically; see {@link SpreadTable#mutate}. */
  public CompletableFuture<Result> mutate(RowMutations changes) {
    return table.mutateRow(changes);
  }

  @Override
  public String toString() {
    return name().getNameAsString();
  }
}
