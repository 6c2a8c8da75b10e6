/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.keys;

import io.evenkey.layout.bytes.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at all states of a world, the nearest first, until something is wrong. */
final class Search {
  /** How a state was reached first. */
  private record Way(ByteString from, String what) {}

  private final World world;
  private final Map<ByteString, Way> ways = new HashMap<>();
  private final Deque<ByteString> open = new ArrayDeque<>();
  private ByteString last;
  private String wrong = "";
  private boolean ended;

  Search(World world) {
    this.world = world;
    this.last = ByteString.of(world.start());
  }

  void run() {
    ways.put(last, new Way(last, ""));
    open.add(last);
    while (!open.isEmpty() && wrong.isEmpty()) {
      ByteString state = open.remove();
      ended |= world.isEnd(state.toArray());
      world.next(state.toArray(), (next, what) -> reach(state, next, what));
    }
  }

  private void reach(ByteString from, byte[] next, String what) {
    ByteString state = ByteString.of(next);
    if (wrong.isEmpty() && ways.putIfAbsent(state, new Way(from, what)) == null) {
      wrong = world.wrong(next);
      last = state;
      open.add(state);
    }
  }

  int states() {
    return ways.size();
  }

  boolean ended() {
    return ended;
  }

  /** The shortest way to the error; empty if there is none. */
  List<String> trace() {
    if (wrong.isEmpty()) {
      return List.of();
    }
    List<String> trace = new ArrayList<>();
    for (ByteString at = last; !ways.get(at).what.isEmpty(); at = ways.get(at).from) {
      trace.add(ways.get(at).what);
    }
    Collections.reverse(trace);
    trace.add(wrong);
    return trace;
  }
}
