/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * For how long the states of some things have been read without a change. Not thread-safe.
 *
 * @param <K> what a state is of
 * @param <S> a state; equal states are the same
 */
final class Unchanged<K, S> {
  private final Map<K, Seen<S>> seen = new HashMap<>();

  /** A state as it was last read, and when it was first read so. */
  private record Seen<S>(S state, long sinceNanos) {}

  /**
   * Takes note of a state.
   *
   * @param nowNanos {@link System#nanoTime}
   * @return seconds since it was first read so
   */
  double seconds(K key, S state, long nowNanos) {
    Seen<S> now =
        seen.compute(
            key,
            (same, before) ->
                before != null && before.state.equals(state)
                    ? before
                    : new Seen<>(state, nowNanos));
    return TimeUnit.NANOSECONDS.toSeconds(nowNanos - now.sinceNanos);
  }

  /** Forgets all others. */
  void retain(Set<K> keys) {
    seen.keySet().retainAll(keys);
  }
}
