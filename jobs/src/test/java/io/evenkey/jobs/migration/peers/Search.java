/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.layout.bytes.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks at all states of a world, the nearest first, until something is wrong; and then for states
 * from which no end can be reached.
 */
final class Search {
  private final World world;
  private final Map<ByteString, Integer> numbers = new HashMap<>();
  private final List<ByteString> states = new ArrayList<>();
  // By state: the one before it, on the shortest way, and what happened then.
  private final List<Integer> before = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private final Set<Stage> stages = EnumSet.noneOf(Stage.class);
  private int[] from = new int[1 << 20];
  private int[] to = new int[1 << 20];
  private int arrows;
  private int wrong = -1;
  private String error = "";

  Search(World world) {
    this.world = world;
  }

  void run() {
    add(world.first().bytes(), -1, "");
    for (int i = 0; i < states.size() && error.isEmpty(); i++) {
      int number = i;
      State state = State.of(states.get(i));
      stages.add(state.stage(State.B));
      world.next(state, (next, what) -> reach(number, next, what));
    }
    if (error.isEmpty()) {
      findDeadEnd();
    }
  }

  private void reach(int number, State next, String what) {
    if (!error.isEmpty()) {
      return;
    }
    ByteString bytes = next.bytes();
    Integer known = numbers.get(bytes);
    int reached = known == null ? add(bytes, number, what) : known;
    if (arrows == from.length) {
      from = Arrays.copyOf(from, 2 * arrows);
      to = Arrays.copyOf(to, 2 * arrows);
    }
    from[arrows] = number;
    to[arrows++] = reached;
    if (known == null) {
      error = world.wrong(next);
      wrong = reached;
    }
  }

  private int add(ByteString state, int cameFrom, String what) {
    int number = states.size();
    numbers.put(state, number);
    states.add(state);
    before.add(cameFrom);
    happened.add(what);
    return number;
  }

  private void findDeadEnd() {
    int size = states.size();
    int[] first = new int[size + 1];
    for (int i = 0; i < arrows; i++) {
      first[to[i] + 1]++;
    }
    for (int i = 0; i < size; i++) {
      first[i + 1] += first[i];
    }
    int[] sources = new int[arrows];
    int[] filled = first.clone();
    for (int i = 0; i < arrows; i++) {
      sources[filled[to[i]]++] = from[i];
    }
    boolean[] ends = new boolean[size];
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < size; i++) {
      State state = State.of(states.get(i));
      if (World.isEnd(state) && !state.isAlone()) {
        ends[i] = true;
        open.add(i);
      }
    }
    while (!open.isEmpty()) {
      int number = open.remove();
      for (int i = first[number]; i < first[number + 1]; i++) {
        if (!ends[sources[i]]) {
          ends[sources[i]] = true;
          open.add(sources[i]);
        }
      }
    }
    for (int i = 0; i < size && error.isEmpty(); i++) {
      State state = State.of(states.get(i));
      if (!ends[i] && !state.isAlone()) {
        error = "replication waits for ever: " + state;
        wrong = i;
      }
    }
  }

  int states() {
    return states.size();
  }

  /** The stages of the peer's migration. */
  Set<Stage> stages() {
    return stages;
  }

  /** The shortest way to the error; empty if there is none. */
  List<String> trace() {
    if (error.isEmpty()) {
      return List.of();
    }
    List<String> trace = new ArrayList<>();
    for (int at = wrong; at > 0; at = before.get(at)) {
      trace.add(happened.get(at));
    }
    Collections.reverse(trace);
    trace.add(error);
    return trace;
  }
}
