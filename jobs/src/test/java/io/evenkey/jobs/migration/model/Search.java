/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.protocol.guard.GuardMode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

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
   * @param ends the stages in which a migration was at its end, with nothing left to do
   * @param programs the names of what a run has done
   * @param modes the modes by which a region has acted
   * @param violation the steps to a violation; empty if there is none
   */
  record Result(
      long states,
      Set<Stage> ends,
      Set<String> programs,
      Set<GuardMode> modes,
      List<String> violation) {}

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final World world;
  private final boolean traced;
  private final Deque<byte[]> open = new ArrayDeque<>();
  private final EnumSet<Stage> ends = EnumSet.noneOf(Stage.class);
  private final Set<String> programs = new TreeSet<>();
  private final EnumSet<GuardMode> modes = EnumSet.noneOf(GuardMode.class);
  private long[] seen = new long[1 << 16];
  private long[] before = new long[0];
  private int count;
  private String wrong = "";
  private long wrongHash;
  private long stuckHash;
  // Of the state whose steps are taken.
  private long from;
  private boolean hasNext;

  private Search(World world, boolean traced) {
    this.world = world;
    this.traced = traced;
    if (traced) {
      before = new long[seen.length];
    }
  }

  /** Searches all states; if something goes wrong, ends with the shortest way to it. */
  static Result of(Scenario scenario, Set<Rule> rules) {
    World world = new World(scenario, rules);
    Search search = new Search(world, false);
    search.run();
    if (search.wrong.isEmpty()) {
      return search.result(List.of());
    }
    // The ways to states are kept only where they are wanted.
    Search again = new Search(world, true);
    again.run();
    return again.result(again.trace());
  }

  private Result result(List<String> violation) {
    return new Result(count, ends, programs, modes, violation);
  }

  private void run() {
    State start = world.start();
    add(start);
    while (!open.isEmpty() && wrong.isEmpty()) {
      State state = start.of(open.remove());
      from = hash(state.bytes);
      hasNext = false;
      note(state);
      world.next(
          state,
          (next, step, actor, generation, region) -> {
            hasNext = true;
            add(next);
          });
      if (world.isOver(state)) {
        ends.add(Objects.requireNonNull(state.stage()));
      } else if (!hasNext && stuckHash == 0) {
        stuckHash = from;
      }
    }
    if (wrong.isEmpty() && stuckHash != 0) {
      wrong = "nothing can happen any more, and the migration is not at its end";
      wrongHash = stuckHash;
    }
  }

  private void note(State state) {
    for (int generation = State.S; generation <= state.get(State.CREATED); generation++) {
      for (int region = 0; region < world.scenario().regions(); region++) {
        modes.add(GuardWord.mode(state.region(generation, region)));
      }
    }
    for (int run = 0; run < world.scenario().migrators(); run++) {
      if (state.program(run) > Plan.BEGIN) {
        programs.add(Plan.name(state.program(run)));
      }
    }
  }

  private void add(State state) {
    long hash = hash(state.bytes);
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

  private static long hash(byte[] bytes) {
    long hash = bytes.length;
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    long rest = 0;
    for (; at < bytes.length; at++) {
      rest = rest << Byte.SIZE | bytes[at] & 0xff;
    }
    hash = mix(hash ^ rest);
    return hash == 0 ? 1 : hash;
  }

  // Stafford's thirteenth mixing of 64 bits, and a constant so that 0 is not a fixed point.
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
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
          (next, step, actor, generation, region) -> {
            if (state[0] == last && hash(next.bytes) == wanted) {
              trace.add(last, next, step.text(actor, generation, region));
              state[0] = next;
            }
          });
    }
    trace.end(wrong);
    return trace.lines();
  }
}
