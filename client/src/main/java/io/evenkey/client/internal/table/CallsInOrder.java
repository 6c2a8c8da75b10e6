/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.OneAtATime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asynchronous calls that are made one after the other, in the order in which they were asked for:
 * each when the one before is complete, in whatever way. The stack does not grow with the number of
 * calls that wait. Thread-safe.
 */
final class CallsInOrder {
  private static final Logger LOG = LoggerFactory.getLogger(CallsInOrder.class);

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final OneAtATime making = new OneAtATime(this::make);
  private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

  /** Whether no call waits or is under way. */
  synchronized boolean isIdle() {
    return waiting.isEmpty() && last.isDone();
  }

  /**
   * Makes a call, at once if none waits or is under way.
   *
   * @return completes as the call's own future; exceptionally if the call throws
   */
  <R> CompletableFuture<R> add(Supplier<CompletableFuture<R>> call) {
    CompletableFuture<R> result = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(
          () -> {
            try {
              Futures.follow(result, call.get());
            } catch (Throwable e) {
              result.completeExceptionally(e);
            }
            began(result);
          });
    }
    making.run();
    return result;
  }

  /** As {@link #add}, of a call that has nothing to answer: what it throws is logged. */
  void run(Runnable call) {
    CompletableFuture<Void> made =
        add(
            () -> {
              call.run();
              return CompletableFuture.completedFuture(null);
            });
    Futures.onFailure(made, e -> LOG.warn("call of a buffered mutator failed", e));
  }

  private void began(CompletableFuture<?> call) {
    synchronized (this) {
      last = call;
    }
    if (!call.isDone()) {
      Futures.whenDone(
          call,
          (value, error) -> making.run(),
          failure -> LOG.warn("calls of a buffered mutator failed", failure));
    }
  }

  private void make() {
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    return last.isDone() ? waiting.poll() : null;
  }
}
