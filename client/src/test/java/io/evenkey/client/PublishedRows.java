/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.select.KeyedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Asks for some rows at a time, and fails if it is given more.
 *
 * @param <T> what is kept of a row
 */
public final class PublishedRows<T> implements Flow.Subscriber<KeyedRow> {
  private final int atATime;
  private final Function<KeyedRow, T> kept;
  private final CompletableFuture<List<T>> all = new CompletableFuture<>();
  private final List<T> read = new ArrayList<>();
  private Flow.Subscription subscription;
  private int open;

  private PublishedRows(int atATime, Function<KeyedRow, T> kept) {
    this.atATime = atATime;
    this.kept = kept;
  }

  /** All that a publisher gives. */
  public static <T> List<T> of(
      Flow.Publisher<KeyedRow> publisher, int atATime, Function<KeyedRow, T> kept)
      throws Exception {
    PublishedRows<T> subscriber = new PublishedRows<>(atATime, kept);
    publisher.subscribe(subscriber);
    return subscriber.all.get(30, TimeUnit.SECONDS);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    more();
  }

  private void more() {
    open = atATime;
    subscription.request(atATime);
  }

  @Override
  public void onNext(KeyedRow row) {
    if (open-- <= 0) {
      // Thrown here, it would be the publisher that catches it.
      all.completeExceptionally(new AssertionError("more than was asked for"));
    }
    read.add(kept.apply(row));
    if (open == 0) {
      ForkJoinPool.commonPool().execute(this::more);
    }
  }

  @Override
  public void onError(Throwable error) {
    all.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    all.complete(read);
  }
}
