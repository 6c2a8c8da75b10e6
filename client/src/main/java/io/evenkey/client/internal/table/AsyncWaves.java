/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Row;

/** The parts of {@link RowWaves}, each begun when all actions of the one before are answered. */
final class AsyncWaves<A extends Row, R> {
  private final List<A> actions;
  private final List<List<Integer>> waves;
  private final Function<List<A>, List<CompletableFuture<R>>> call;
  private final List<CompletableFuture<R>> results = new ArrayList<>();

  private AsyncWaves(List<A> actions, Function<List<A>, List<CompletableFuture<R>>> call) {
    this.actions = actions;
    this.waves = RowWaves.of(actions);
    this.call = call;
    actions.forEach(action -> results.add(new CompletableFuture<>()));
  }

  /** Makes actions; the results in their order. */
  static <A extends Row, R> List<CompletableFuture<R>> run(
      List<A> actions, Function<List<A>, List<CompletableFuture<R>>> call) {
    AsyncWaves<A, R> waves = new AsyncWaves<>(actions, call);
    waves.begin(0);
    return waves.results;
  }

  private void begin(int wave) {
    if (wave == waves.size()) {
      return;
    }
    List<Integer> places = waves.get(wave);
    List<CompletableFuture<R>> begun = call.apply(places.stream().map(actions::get).toList());
    for (int i = 0; i < begun.size(); i++) {
      Futures.follow(results.get(places.get(i)), begun.get(i));
    }
    Futures.whenDone(
        CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new)),
        (all, error) -> begin(wave + 1),
        failure -> results.forEach(result -> result.completeExceptionally(failure)));
  }
}
