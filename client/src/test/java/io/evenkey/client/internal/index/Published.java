/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** Takes all that a publisher gives, or its failure. Thread-safe. */
final class Published<T> implements Flow.Subscriber<T> {
  private final CompletableFuture<List<T>> all = new CompletableFuture<>();
  private final List<T> taken = new ArrayList<>();

  private Published() {}

  /**
   * All that a publisher gives.
   *
   * @throws java.util.concurrent.ExecutionException if it fails
   * @throws java.util.concurrent.TimeoutException if it does not end
   */
  static <T> List<T> rows(Flow.Publisher<T> publisher) throws Exception {
    Published<T> subscriber = new Published<>();
    publisher.subscribe(subscriber);
    return subscriber.all.get(30, TimeUnit.SECONDS);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(T item) {
    taken.add(item);
  }

  @Override
  public void onError(Throwable error) {
    all.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    all.complete(taken);
  }
}
