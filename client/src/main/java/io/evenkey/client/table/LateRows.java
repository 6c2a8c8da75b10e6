package io.evenkey.client.table;

import io.evenkey.client.row.RowMapping;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The row mapping of a table whose layout may still have to be asked for: a call waits for it
 * without holding a thread, and once it is known, is made at once. Thread-safe, if the source is.
 */
@FunctionalInterface
public interface LateRows {
  /** The mapping; a complete future if it is known. */
  CompletableFuture<RowMapping> rows();

  /** Whether the mapping is known, so that calls are made at once. */
  default boolean areKnown() {
    return isKnown(rows());
  }

  /** Makes a call that depends on the mapping. */
  default <R> CompletableFuture<R> then(Futures.Step<RowMapping, CompletableFuture<R>> call) {
    CompletableFuture<RowMapping> rows = rows();
    return isKnown(rows) ? now(call, rows.join()) : Futures.chain(rows, call);
  }

  /**
   * Makes a call for several actions.
   *
   * @param size how many
   */
  default <R> List<CompletableFuture<R>> each(
      int size, Futures.Step<RowMapping, List<CompletableFuture<R>>> call) {
    return Futures.each(size, then(rows -> CompletableFuture.completedFuture(call.apply(rows))));
  }

  private static boolean isKnown(CompletableFuture<RowMapping> rows) {
    return rows.isDone() && !rows.isCompletedExceptionally();
  }

  // What HBase throws at once, as it does for a mistake in the arguments, is thrown at once here.
  private static <R> CompletableFuture<R> now(
      Futures.Step<RowMapping, CompletableFuture<R>> call, RowMapping rows) {
    try {
      return call.apply(rows);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
