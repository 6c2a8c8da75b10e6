/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Row;

/**
 * The parts of {@link RowWaves}, each begun when all actions of the one before are answered. An
 * action is not made if an earlier one of its row failed: it would overtake that one.
 */
final class AsyncWaves<A extends Row, R> {
  private final List<A> actions;
  private final List<List<Integer>> waves;
  private final Function<List<A>, List<CompletableFuture<R>>> call;
  private final List<CompletableFuture<R>> results = new ArrayList<>();
  private final Map<ByteBuffer, Throwable> failed = new HashMap<>();

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
    List<Integer> places = waves.get(wave).stream().filter(this::isReady).toList();
    List<CompletableFuture<R>> begun = call.apply(places.stream().map(actions::get).toList());
    for (int i = 0; i < begun.size(); i++) {
      Futures.follow(results.get(places.get(i)), begun.get(i));
    }
    Futures.whenDone(
        CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new)),
        (all, error) -> {
          if (error != null) {
            note(places, begun);
          }
          begin(wave + 1);
        },
        failure -> results.forEach(result -> result.completeExceptionally(failure)));
  }

  private void note(List<Integer> places, List<CompletableFuture<R>> answers) {
    for (int i = 0; i < answers.size(); i++) {
      ByteBuffer row = ByteBuffer.wrap(actions.get(places.get(i)).getRow());
      Futures.onFailure(answers.get(i), failure -> failed.put(row, failure));
    }
  }

  private boolean isReady(int place) {
    Throwable failure = failed.get(ByteBuffer.wrap(actions.get(place).getRow()));
    if (failure != null) {
      results.get(place).completeExceptionally(failure);
    }
    return failure == null;
  }
}
