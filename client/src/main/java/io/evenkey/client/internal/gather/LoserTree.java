/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.Arrays;

/**
 * Finds the least of k streams' heads again after one of them has moved on, in ⌈log₂ k⌉ comparisons
 * (Knuth, The Art of Computer Programming 3, 5.4.1: replacement selection by a tree of losers).
 *
 * <p>Each inner node remembers the loser of the match played there; the overall winner stands at
 * node 0. When the winner's stream moves on, only the matches on its way from leaf to root are
 * played again. A heap would need twice the comparisons, since it looks at both children of every
 * node on the way. Equal heads are taken in the order of their streams. Not thread-safe.
 */
final class LoserTree {
  /** Says which of two streams has the head that comes first. */
  @FunctionalInterface
  interface Order {
    /** Negative if the head of stream {@code a} comes first; an exhausted stream comes last. */
    int compare(int a, int b);
  }

  private static final int NONE = -1;

  private final int[] losers;
  private final Order order;

  /** A tree over {@code streams} streams, at least one, all with their first heads in place. */
  LoserTree(int streams, Order order) {
    this.losers = new int[streams];
    this.order = order;
    Arrays.fill(losers, NONE);
    for (int stream = streams - 1; stream >= 0; stream--) {
      play(stream);
    }
  }

  /** The stream whose head comes first. */
  int winner() {
    return losers[0];
  }

  /** To be called when the winner's head has changed: finds the new winner. */
  void replay() {
    play(losers[0]);
  }

  private void play(int stream) {
    int winner = stream;
    for (int node = (stream + losers.length) / 2; node > 0; node /= 2) {
      int loser = losers[node];
      if (loser == NONE) {
        // While the tree is built, the first to arrive waits for its opponent.
        losers[node] = winner;
        return;
      }
      if (beats(loser, winner)) {
        losers[node] = winner;
        winner = loser;
      }
    }
    losers[0] = winner;
  }

  private boolean beats(int a, int b) {
    int difference = order.compare(a, b);
    return difference < 0 || difference == 0 && a < b;
  }
}
