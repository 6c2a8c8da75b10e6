/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.FencedException;
import io.evenkey.client.failure.OutcomeUnknownException;
import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A batch of an asynchronous table, for whose answers the caller waits. Stateless. */
final class LaterBatch {
  private static final Logger LOG = LoggerFactory.getLogger(LaterBatch.class);

  private LaterBatch() {}

  /**
   * Makes some actions of a batch.
   *
   * @param results each action's result, or the {@link Throwable} that it failed with; those of the
   *     other actions are left as they are
   * @param open the places of the actions to make
   * @param callback is called for each of them that is made; null for none
   * @throws RetriesExhaustedWithDetailsException if some actions of the whole batch failed
   * @throws FencedException if some were refused for too long
   * @throws OutcomeUnknownException if some may have been made, and cannot be repeated
   */
  static <R> void run(
      LogicalAsyncTable<?> table,
      List<? extends Row> actions,
      Object[] results,
      int[] open,
      Batch.@Nullable Callback<R> callback)
      throws IOException {
    List<Row> some = new ArrayList<>(open.length);
    for (int place : open) {
      some.add(actions.get(place));
    }
    List<CompletableFuture<R>> begun =
        table.batch(some, callback == null ? null : told(table.getRegionLocator(), callback));
    end(begun, actions, results, open);
  }

  /** Waits for some actions of a batch that were begun; see {@link #run}. */
  static void end(
      List<? extends CompletableFuture<?>> begun,
      List<? extends Row> actions,
      Object[] results,
      int[] open)
      throws IOException {
    @Nullable Object[] ends = Futures.ends(begun);
    IOException ofAll = null;
    for (int i = 0; i < open.length; i++) {
      Object end = Failures.ofHBase(ends[i]);
      results[open[i]] = end;
      if (end instanceof FencedException || end instanceof OutcomeUnknownException) {
        ofAll = (IOException) end;
      }
    }
    if (ofAll != null) {
      throw ofAll;
    }
    RetriesExhaustedWithDetailsException failed = Failures.of(actions, Arrays.asList(results));
    if (failed != null) {
      throw failed;
    }
  }

  /** Calls the callback in a thread that it may hold up. */
  private static <R> LogicalAsyncTable.Told<R> told(
      AsyncTableRegionLocator locator, Batch.Callback<R> callback) {
    return (row, result) ->
        Futures.chain(
            locator.getRegionLocation(row),
            location ->
                Futures.call(
                    BlockingCallThreads::executeAtOnce,
                    () -> {
                      try {
                        callback.update(location.getRegion().getRegionName(), row, result);
                      } catch (RuntimeException e) {
                        LOG.warn("callback of a batch failed: table={}", locator.getName(), e);
                      }
                      return true;
                    }));
  }
}
