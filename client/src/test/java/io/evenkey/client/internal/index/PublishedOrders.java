/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.select.KeyedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Asks for some rows at a time, and fails if it is given more. */
final class PublishedOrders implements Flow.Subscriber<KeyedRow> {
  private final int atATime;
  private final CompletableFuture<List<Order>> all = new CompletableFuture<>();
  private final List<Order> read = new ArrayList<>();
  private Flow.Subscription subscription;
  private int open;

  private PublishedOrders(int atATime) {
    this.atATime = atATime;
  }

  /** All that a publisher gives. */
  static List<Order> of(Flow.Publisher<KeyedRow> publisher, int atATime) throws Exception {
    PublishedOrders subscriber = new PublishedOrders(atATime);
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
      all.completeExceptionally(new AssertionError("more than was asked for"));
    }
    read.add(Order.of(row));
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
