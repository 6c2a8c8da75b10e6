/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.future;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Futures that fail as HBase's do: with the exception itself, where {@code thenApply} would wrap
 * it.
 *
 * <p>All callbacks of the client are set here. HBase and Java only log or keep what a callback
 * throws, so a caller that waits for its result would wait for ever. Here it is the failure of that
 * result, whatever it is: an exception, or an error such as of a class that cannot be linked.
 * Stateless.
 */
public final class Futures {
  private static final Logger LOG = LoggerFactory.getLogger(Futures.class);

  private Futures() {}

  /**
   * Waits for a value of which something else says how long it may take.
   *
   * @throws IOException why there is none; an {@link InterruptedIOException} if the caller is
   *     interrupted, and stays so, which HBase's own way to wait loses
   */
  public static <T> T get(Future<T> future) throws IOException {
    return got(future::get);
  }

  /**
   * Waits for a value.
   *
   * @param atMostMs for how long
   * @param late the exception if there is neither a value nor a failure by then
   * @throws IOException as {@link #get(Future)}
   */
  public static <T> T get(Future<T> future, long atMostMs, Supplier<? extends IOException> late)
      throws IOException {
    return got(
        () -> {
          try {
            return future.get(atMostMs, TimeUnit.MILLISECONDS);
          } catch (TimeoutException e) {
            throw late.get();
          }
        });
  }

  /**
   * Waits until all futures are done.
   *
   * @return for each its value, or the {@link Throwable} that it failed with
   * @throws InterruptedIOException as {@link #get(Future)}
   */
  public static @Nullable Object[] ends(List<? extends Future<?>> futures)
      throws InterruptedIOException {
    @Nullable Object[] ends = new Object[futures.size()];
    for (int i = 0; i < ends.length; i++) {
      try {
        ends[i] = futures.get(i).get();
      } catch (InterruptedException e) {
        throw interrupted(e);
      } catch (ExecutionException e) {
        ends[i] = e.getCause() == null ? e : e.getCause();
      }
    }
    return ends;
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return (InterruptedIOException)
        new InterruptedIOException("interrupted while waiting").initCause(e);
  }

  @FunctionalInterface
  private interface Wait<T> {
    T result() throws IOException, InterruptedException, ExecutionException;
  }

  private static <T> T got(Wait<T> wait) throws IOException {
    try {
      return wait.result();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw FutureUtils.rethrow(e.getCause() == null ? e : e.getCause());
    }
  }

  /** A function that can fail. */
  @FunctionalInterface
  public interface Fallible<T, R> {
    R apply(T value) throws Exception;
  }

  /** The end of a future: its value, or why it has none. */
  @FunctionalInterface
  public interface End<T> {
    void of(T value, @Nullable Throwable error) throws Exception;
  }

  /** Begins another future at the end of one: with its value, or why it has none. */
  @FunctionalInterface
  public interface Next<T, R> {
    CompletableFuture<R> begin(T value, @Nullable Throwable error) throws Exception;
  }

  /** The result of a function of a future's value. */
  public static <T, R> CompletableFuture<R> map(
      CompletableFuture<T> future, Fallible<T, R> function) {
    CompletableFuture<R> result = new CompletableFuture<>();
    whenDone(
        future,
        result,
        (value, error) -> {
          if (error != null) {
            result.completeExceptionally(error);
          } else {
            result.complete(function.apply(value));
          }
        });
    return result;
  }

  /** The value of the future that a function begins with a future's value. */
  public static <T, R> CompletableFuture<R> chain(
      CompletableFuture<T> future, Fallible<T, CompletableFuture<R>> function) {
    return next(
        future,
        (value, error) ->
            error == null ? function.apply(value) : CompletableFuture.failedFuture(error));
  }

  /** The value of the future that begins when another one ends, in whatever way. */
  public static <T, R> CompletableFuture<R> next(
      CompletableFuture<T> future, Next<T, R> following) {
    CompletableFuture<R> result = new CompletableFuture<>();
    whenDone(future, result, (value, error) -> follow(result, following.begin(value, error)));
    return result;
  }

  /**
   * Does something when a future ends.
   *
   * @param result fails with whatever that throws
   */
  public static <T> void whenDone(
      CompletableFuture<T> future, CompletableFuture<?> result, End<T> action) {
    whenDone(future, action, failing(result));
  }

  /**
   * Does something when a future ends.
   *
   * @param failed is given whatever that throws
   */
  public static <T> void whenDone(
      CompletableFuture<T> future, End<T> action, Consumer<Throwable> failed) {
    FutureUtils.addListener(
        future,
        (value, error) -> {
          try {
            action.of(value, error);
          } catch (Throwable e) {
            failed.accept(e);
          }
        });
  }

  private static Consumer<Throwable> failing(CompletableFuture<?> result) {
    return failure -> {
      if (!result.completeExceptionally(failure)) {
        LOG.warn("failure of an operation that was answered already", failure);
      }
    };
  }

  /** The future that a call begins; a failed one if it throws. */
  public static <R> CompletableFuture<R> begin(Callable<CompletableFuture<R>> call) {
    try {
      return call.call();
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Completes one future as another one does. */
  public static <R> void follow(CompletableFuture<R> result, CompletableFuture<R> begun) {
    whenDone(
        begun,
        result,
        (value, error) -> {
          if (error != null) {
            result.completeExceptionally(error);
          } else {
            result.complete(value);
          }
        });
  }

  /** Of a list of futures, a future list; it fails as the first of them that fails. */
  public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
    return map(
        CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)),
        done -> futures.stream().map(CompletableFuture::join).toList());
  }

  /** Of a future list, a list of futures. */
  public static <R> List<CompletableFuture<R>> each(
      int size, CompletableFuture<List<CompletableFuture<R>>> begun) {
    List<CompletableFuture<R>> results = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int at = i;
      results.add(chain(begun, list -> list.get(at)));
    }
    return results;
  }

  /** The future, completed in a thread of a pool. */
  public static <T> CompletableFuture<T> in(Executor pool, CompletableFuture<T> future) {
    return FutureUtils.wrapFuture(future, pool);
  }

  /** The result of a call that waits, made in a thread of a pool. */
  public static <R> CompletableFuture<R> call(Executor pool, Callable<R> call) {
    CompletableFuture<R> result = new CompletableFuture<>();
    execute(
        pool,
        () -> {
          try {
            result.complete(call.call());
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        },
        failing(result));
    return result;
  }

  /**
   * Does something in a thread of a pool.
   *
   * @param failed is given whatever that throws, or the pool if it has no room
   */
  public static void execute(Executor pool, Runnable task, Consumer<Throwable> failed) {
    try {
      pool.execute(
          () -> {
            try {
              task.run();
            } catch (Throwable e) {
              failed.accept(e);
            }
          });
    } catch (Throwable e) {
      failed.accept(e);
    }
  }

  /**
   * Does something after a while, in a thread of Java's common pool, which it must not hold up.
   *
   * @param failed is given whatever that throws
   */
  public static void after(long ms, Runnable task, Consumer<Throwable> failed) {
    after(new CompletableFuture<>(), ms, task, failed);
  }

  /**
   * Does something after a while, unless a future is complete before.
   *
   * @param over completed by the time that has passed, if nothing else has; nothing that is
   *     cancelled leaves Java's timer before its time has come, but what is complete does
   */
  public static void after(
      CompletableFuture<Boolean> over, long ms, Runnable task, Consumer<Throwable> failed) {
    FutureUtils.addListener(
        over.completeOnTimeout(Boolean.TRUE, ms, TimeUnit.MILLISECONDS),
        (due, error) -> {
          if (Boolean.TRUE.equals(due)) {
            execute(ForkJoinPool.commonPool(), task, failed);
          }
        });
  }

  /**
   * Fails a result that is not complete in time.
   *
   * @param late makes the exception
   */
  public static void bound(
      CompletableFuture<?> result, long atMostMs, Supplier<? extends Throwable> late) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    after(
        over,
        atMostMs,
        () -> result.completeExceptionally(late.get()),
        result::completeExceptionally);
    whenDone(result, over, (value, error) -> over.complete(Boolean.FALSE));
  }

  /** Passes on why a future fails. */
  public static void onFailure(CompletableFuture<?> future, Consumer<Throwable> action) {
    whenDone(
        future,
        (value, error) -> {
          if (error != null) {
            action.accept(error);
          }
        },
        failure -> LOG.warn("failure was not passed on", failure));
  }
}
