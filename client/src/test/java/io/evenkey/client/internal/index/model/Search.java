/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Looks at all states that can be reached, the nearest first. Of a state that was seen only a hash
 * of 64 bits is kept: of 30 million states, the odds are 1 to 40,000 that two have the same and
 * that so one is left out. Not thread-safe; used once.
 */
final class Search {
  /**
   * The result of a search.
   *
   * @param states the number of different states
   * @param ends the number of those in which every actor is dead or done
   * @param violation the steps to a violation; empty if there is none
   */
  record Result(long states, long ends, List<String> violation) {}

  private final World world;
  private final boolean traced;
  private final Deque<byte[]> open = new ArrayDeque<>();
  private long[] seen = new long[1 << 16];
  private long[] before;
  private int count;
  private long ends;
  private String wrong = "";
  private long wrongHash;
  // Of the state whose steps are taken.
  private long from;

  private Search(World world, boolean traced) {
    this.world = world;
    this.traced = traced;
    before = new long[traced ? seen.length : 0];
  }

  /** Searches all states; if something goes wrong, ends with the shortest way to it. */
  static Result of(Scenario scenario, Set<Rule> rules, boolean acknowledgedOnly) {
    World world = new World(scenario, rules, acknowledgedOnly);
    Search search = new Search(world, false);
    search.run();
    if (search.wrong.isEmpty()) {
      return new Result(search.count, search.ends, List.of());
    }
    // The ways to states are kept only where they are wanted.
    Search again = new Search(world, true);
    again.run();
    return new Result(again.count, again.ends, again.trace());
  }

  private void run() {
    State start = world.start();
    add(start);
    while (!open.isEmpty() && wrong.isEmpty()) {
      State state = start.of(open.remove());
      from = state.hash();
      world.next(state, (next, actor, what, request) -> add(next));
      if (world.isOver(state)) {
        ends++;
      }
    }
  }

  private void add(State state) {
    long hash = state.hash();
    if (!wrong.isEmpty() || !insert(hash)) {
      return;
    }
    String found = world.wrong(state);
    if (!found.isEmpty()) {
      wrong = found;
      wrongHash = hash;
    }
    open.add(state.bytes);
  }

  private boolean insert(long hash) {
    if (count > seen.length * 3L / 5) {
      grow();
    }
    int at = place(seen, hash);
    if (seen[at] == hash) {
      return false;
    }
    seen[at] = hash;
    if (traced) {
      before[at] = from;
    }
    count++;
    return true;
  }

  private static int place(long[] table, long hash) {
    int at = (int) (hash >>> 20) & table.length - 1;
    while (table[at] != 0 && table[at] != hash) {
      at = at + 1 & table.length - 1;
    }
    return at;
  }

  private void grow() {
    long[] larger = new long[seen.length * 2];
    long[] largerBefore = new long[traced ? larger.length : 0];
    for (int i = 0; i < seen.length; i++) {
      if (seen[i] != 0) {
        int at = place(larger, seen[i]);
        larger[at] = seen[i];
        if (traced) {
          largerBefore[at] = before[i];
        }
      }
    }
    seen = larger;
    before = largerBefore;
  }

  private List<String> trace() {
    List<Long> hashes = new ArrayList<>();
    for (long hash = wrongHash; hash != 0; hash = before[place(seen, hash)]) {
      hashes.add(hash);
    }
    Collections.reverse(hashes);
    Trace trace = new Trace(world);
    State[] state = {world.start()};
    for (int i = 1; i < hashes.size(); i++) {
      long wanted = hashes.get(i);
      State last = state[0];
      world.next(
          last,
          (next, actor, what, request) -> {
            if (state[0] == last && next.hash() == wanted) {
              trace.add(last, next, actor, what, request);
              state[0] = next;
            }
          });
    }
    trace.end(wrong);
    return trace.lines();
  }
}
