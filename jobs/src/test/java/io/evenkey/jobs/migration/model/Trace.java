/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import static io.evenkey.jobs.migration.model.State.S;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The history of a state in words: each step and its changes. */
final class Trace {
  private static final String[] NAMES = {"S", "T"};
  private static final String[] ROWS = {"a", "b"};

  private final World world;
  private final List<String> lines = new ArrayList<>();

  Trace(World world) {
    this.world = world;
  }

  void add(State from, State to, String step) {
    Map<String, String> before = facts(from);
    List<String> changes = new ArrayList<>();
    facts(to)
        .forEach(
            (name, value) -> {
              if (!value.equals(before.get(name))) {
                changes.add(name + " = " + value);
              }
            });
    lines.add(
        "%3d. %s%s"
            .formatted(
                lines.size() + 1,
                step,
                changes.isEmpty() ? "" : "   [" + String.join("; ", changes) + "]"));
  }

  void end(String wrong) {
    lines.add("  => " + wrong);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  private Map<String, String> facts(State state) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "stage",
        state.stage()
            + ", turn "
            + state.get(State.TURN)
            + " of run "
            + (state.get(State.RUN) + 1));
    for (int generation = S; generation <= state.get(State.CREATED); generation++) {
      String name = NAMES[generation];
      facts.put("descriptor of " + name, GuardWord.text(state.descriptor(generation)));
      facts.put("regions of " + name, Integer.toString(world.regions(state, generation)));
      for (int row = 0; row < world.scenario().regions(); row++) {
        String at = name + "." + ROWS[row];
        facts.put(at, GuardWord.text(state.region(generation, row)));
        facts.put("row in " + at, cells(world, state, generation, row));
        facts.put("marks in " + at, marks(state.marks(generation, row)));
      }
    }
    return facts;
  }

  private static String marks(int marks) {
    List<String> passes = new ArrayList<>();
    for (int pass = 1; marks >> pass - 1 != 0; pass++) {
      if ((marks >> pass - 1 & 1) != 0) {
        passes.add(Integer.toString(pass));
      }
    }
    return passes.toString();
  }

  /** The cells of a row in a generation. */
  static String cells(World world, State state, int generation, int row) {
    return cells(world, state.cells(generation), state.latest(generation, row), row);
  }

  /** The cells that all writes of a row have made. */
  static String done(World world, State state, int row) {
    return cells(world, state.doneCells(), state.doneLatest(row), row);
  }

  private static String cells(World world, int cells, int latest, int row) {
    List<String> names = new ArrayList<>();
    if ((cells & 1 << row) != 0) {
      names.add("old cell");
    }
    for (int c = 0; c < world.scenario().clients().size(); c++) {
      for (int k = 0; k < world.client(c).calls().size(); k++) {
        for (int attempt = 0; attempt < 2; attempt++) {
          if (world.call(c, k).row() == row && (cells & world.cell(c, k, attempt)) != 0) {
            String name = world.call(c, k).operation() + " " + (c + 1) + "." + (k + 1);
            String again = attempt == 1 ? " again" : "";
            names.add(name + again + (latest == world.put(c, k, attempt) ? " (shown)" : ""));
          }
        }
      }
    }
    return names.toString();
  }
}
