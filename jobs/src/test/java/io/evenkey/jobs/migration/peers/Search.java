/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at all states of a model, the nearest first, until something is wrong; and then for states
 * from which no end can be reached.
 */
final class Search<S> {
  private final Model<S> world;
  private final Map<S, Integer> numbers = new HashMap<>();
  private final List<S> states = new ArrayList<>();
  // By state: the one before it, on the shortest way, and what happened then.
  private final List<Integer> before = new ArrayList<>();
  private final List<String> happened = new ArrayList<>();
  private int[] from = new int[1 << 20];
  private int[] to = new int[1 << 20];
  private int arrows;
  private int wrong = -1;
  private String error = "";

  Search(Model<S> world) {
    this.world = world;
  }

  void run() {
    add(world.first(), -1, "");
    for (int i = 0; i < states.size() && error.isEmpty(); i++) {
      int number = i;
      world.next(states.get(i), (next, what) -> reach(number, next, what));
    }
    if (error.isEmpty()) {
      findDeadEnd();
    }
  }

  private void reach(int number, S next, String what) {
    if (!error.isEmpty()) {
      return;
    }
    Integer known = numbers.get(next);
    int reached = known == null ? add(next, number, what) : known;
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

  private int add(S state, int cameFrom, String what) {
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
      S state = states.get(i);
      if (world.isEnd(state) && !world.isAlone(state)) {
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
      S state = states.get(i);
      if (!ends[i] && !world.isAlone(state)) {
        error = "replication waits for ever: " + state;
        wrong = i;
      }
    }
  }

  int states() {
    return states.size();
  }

  /** All states that were reached. */
  List<S> all() {
    return states;
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
