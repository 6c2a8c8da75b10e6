/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import io.evenkey.client.internal.registry.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks at all states, the nearest first, until something is wrong. Of a state that was seen only a
 * hash of 64 bits is kept. Not thread-safe; used once.
 */
final class Search {
  private final World world;
  private final Deque<State> open = new ArrayDeque<>();
  private final Set<String> programs = new TreeSet<>();
  private final EnumSet<Stage> stages = EnumSet.noneOf(Stage.class);
  private long[] seen = new long[1 << 16];
  private long[] before = new long[1 << 16];
  private int count;
  private String wrong = "";
  private long last;

  Search(World world) {
    this.world = world;
  }

  Search run() {
    add(World.start(), 0);
    while (!open.isEmpty() && wrong.isEmpty()) {
      State state = open.remove();
      stages.add(World.stage(state));
      for (int run = 0; run < State.RUNS; run++) {
        if (state.run(run, State.R_PROGRAM) > Plan.OVER) {
          programs.add(Plan.name(state.run(run, State.R_PROGRAM)));
        }
      }
      long from = state.hash();
      world.next(state, (next, what) -> add(next, from));
    }
    return this;
  }

  private void add(State state, long from) {
    long hash = state.hash();
    if (!wrong.isEmpty() || !insert(hash, from)) {
      return;
    }
    wrong = World.wrong(state);
    last = hash;
    open.add(state);
  }

  private boolean insert(long hash, long from) {
    if (count > seen.length * 3L / 5) {
      grow();
    }
    int at = place(seen, hash);
    if (seen[at] != 0) {
      return false;
    }
    seen[at] = hash;
    before[at] = from;
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
    long[] largerBefore = new long[larger.length];
    for (int i = 0; i < seen.length; i++) {
      if (seen[i] != 0) {
        int at = place(larger, seen[i]);
        larger[at] = seen[i];
        largerBefore[at] = before[i];
      }
    }
    seen = larger;
    before = largerBefore;
  }

  int states() {
    return count;
  }

  /** What runs have done. */
  Set<String> programs() {
    return programs;
  }

  /** The stages that the registry had. */
  Set<Stage> stages() {
    return stages;
  }

  /** The shortest way to the error; empty if there is none. */
  List<String> trace() {
    if (wrong.isEmpty()) {
      return List.of();
    }
    List<Long> hashes = new ArrayList<>();
    for (long hash = last; hash != 0; hash = before[place(seen, hash)]) {
      hashes.add(hash);
    }
    Collections.reverse(hashes);
    List<String> trace = new ArrayList<>();
    State[] at = {World.start()};
    for (long hash : hashes.subList(1, hashes.size())) {
      State from = at[0];
      world.next(
          from,
          (next, what) -> {
            if (at[0] == from && next.hash() == hash) {
              trace.add(what);
              at[0] = next;
            }
          });
    }
    trace.add(wrong);
    return trace;
  }
}
