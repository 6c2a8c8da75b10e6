/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The history of a state in words: each step and its changes. */
final class Trace {
  /** The reading of a row, by its number. */
  static final String[] READS = {"reads row 1", "reads row 2"};

  private final World world;
  private final List<String> lines = new ArrayList<>();

  Trace(World world) {
    this.world = world;
  }

  void add(State from, State to, String actor, String what, long request) {
    Map<String, String> before = facts(from);
    List<String> changes = new ArrayList<>();
    facts(to)
        .forEach(
            (name, value) -> {
              if (!value.equals(before.get(name))) {
                changes.add(name + " = " + value);
              }
            });
    String step = what.isEmpty() || request == 0 ? what : what + ": ";
    lines.add(
        "%3d. %s %s%s%s"
            .formatted(
                lines.size() + 1,
                actor,
                step,
                Request.text(request),
                changes.isEmpty() ? "" : "   [" + String.join("; ", changes) + "]"));
  }

  void end(String wrong) {
    lines.add("  => " + wrong);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  private String settled(State state, int row, int key) {
    boolean now = world.index().isSettled(state, row, key, state.get(State.DROPPED));
    return now ? "settled" : world.index().isSettled(state, row, key, 0) ? "settled before" : "";
  }

  private Map<String, String> facts(State state) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (int row = 0; row < state.rows(); row++) {
      facts.put(
          "row " + (row + 1),
          "%s, entry %d%s"
              .formatted(
                  Columns.text(state.row(row, State.COLUMNS)),
                  state.row(row, State.NONCE),
                  state.row(row, State.ACKNOWLEDGED) == 0 ? "" : ", acknowledged"));
      for (int key = 0; key < Columns.KEYS; key++) {
        facts.put(
            "entry of row %d at %s".formatted(row + 1, Columns.keyText(key)),
            settled(state, row, key));
      }
      facts.put("epoch of its region", Integer.toString(state.row(row, State.REGION_EPOCH)));
      for (int entry = 1; entry < State.ENTRIES; entry++) {
        facts.put(
            "entry %d of row %d".formatted(entry, row + 1), world.index().text(state, row, entry));
      }
    }
    return facts;
  }
}
