/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.future;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Futures that fail as HBase's do: with the exception itself, where {@code thenApply} would wrap
 * it. Stateless.
 */
public final class Futures {
  private Futures() {}

  /**
   * Waits for a future's value.
   *
   * @throws IOException why there is none; if the caller is interrupted meanwhile, an {@link
   *     InterruptedIOException}, and the caller stays interrupted, which HBase's own way to wait
   *     loses
   */
  public static <T> T get(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while waiting").initCause(e);
    } catch (ExecutionException e) {
      throw FutureUtils.rethrow(e.getCause() == null ? e : e.getCause());
    }
  }

  /** A step that can fail. */
  @FunctionalInterface
  public interface Step<T, R> {
    R apply(T value) throws Exception;
  }

  /** The result of a step that is applied to a future's value. */
  public static <T, R> CompletableFuture<R> map(CompletableFuture<T> future, Step<T, R> step) {
    return then(future, (value, result) -> result.complete(step.apply(value)));
  }

  /** The value of the future that a step begins with a future's value. */
  public static <T, R> CompletableFuture<R> chain(
      CompletableFuture<T> future, Step<T, CompletableFuture<R>> step) {
    return then(future, (value, result) -> follow(result, step.apply(value)));
  }

  /** Completes a result with a value. */
  @FunctionalInterface
  private interface Completion<T, R> {
    void of(T value, CompletableFuture<R> result) throws Exception;
  }

  private static <T, R> CompletableFuture<R> then(
      CompletableFuture<T> future, Completion<T, R> completion) {
    CompletableFuture<R> result = new CompletableFuture<>();
    FutureUtils.addListener(
        future,
        (value, error) -> {
          if (error != null) {
            result.completeExceptionally(error);
            return;
          }
          try {
            completion.of(value, result);
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /** Completes one future as another one does. */
  public static <R> void follow(CompletableFuture<R> result, CompletableFuture<R> begun) {
    FutureUtils.addListener(
        begun,
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

  /** The same future, completed in a thread of a pool. */
  public static <T> CompletableFuture<T> in(Executor pool, CompletableFuture<T> future) {
    return FutureUtils.wrapFuture(future, pool);
  }

  /** Passes a future's value on. */
  public static <T> void onSuccess(CompletableFuture<T> future, Consumer<T> action) {
    FutureUtils.addListener(
        future,
        (value, error) -> {
          if (error == null) {
            action.accept(value);
          }
        });
  }

  /** Passes on why a future fails. */
  public static void onFailure(CompletableFuture<?> future, Consumer<Throwable> action) {
    FutureUtils.addListener(
        future,
        (value, error) -> {
          if (error != null) {
            action.accept(error);
          }
        });
  }
}
