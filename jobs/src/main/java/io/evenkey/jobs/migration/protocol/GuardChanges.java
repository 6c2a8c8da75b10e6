/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardControl.Acknowledged;
import io.evenkey.jobs.guard.StateChange;
import io.evenkey.jobs.migration.Act;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Changes the states of both generations of a migration, and remembers what their regions answered
 * last. Not thread-safe.
 */
final class GuardChanges {
  /** A fence that was set so long ago has not ended by itself. */
  private static final Duration HELD = GuardMode.FENCE.minusSeconds(2);

  private final MigrationRecord record;
  private final GuardControl guard;
  private final MigrationListener listener;
  private final Map<Act.Generation, Acknowledged> answers = new EnumMap<>(Act.Generation.class);

  private Duration expectedPause = Duration.ZERO;
  private long lastNanos;

  /** When this run has begun to pause writes; 0 while they do not. */
  private long pausedNanos;

  GuardChanges(MigrationRecord record, GuardControl guard, MigrationListener listener) {
    this.record = record;
    this.guard = guard;
    this.listener = listener;
  }

  /** The name of a generation now. */
  TableName table(Act.Generation generation) {
    Migration now = record.migration();
    return generation == Act.Generation.SOURCE ? now.source() : now.target();
  }

  /** Makes a change by the turn of this run; returns when all regions act by it. */
  void apply(Act.Change change) throws IOException {
    Act.Generation generation = change.generation();
    GuardMode mode = change.mode();
    if (mode == GuardMode.FENCED) {
      listener.pausing(expectedPause);
      pausedNanos = System.nanoTime();
    }
    long begun = System.nanoTime();
    StateChange state = state(mode, table(generation.other()));
    answers.put(
        generation,
        guard.apply(
            table(generation),
            record.turn(),
            change.marks() == Act.Marks.NEXT_PASS ? state.andNextPass() : state));
    lastNanos = System.nanoTime() - begun;
    if (mode != null && mode.writes() && pausedNanos != 0) {
      listener.paused(Duration.ofNanos(System.nanoTime() - pausedNanos));
      pausedNanos = 0;
    }
  }

  private static StateChange state(@Nullable GuardMode mode, TableName other) {
    if (mode == null) {
      return StateChange.turn();
    }
    return mode == GuardMode.OPEN ? StateChange.open() : StateChange.mode(mode, other);
  }

  /** The answers of all regions of a generation to the last change. */
  Acknowledged answers(Act.Generation generation) {
    return Objects.requireNonNull(answers.get(generation), "not changed yet");
  }

  /** The time that the last change has taken. */
  Duration lastTook() {
    return Duration.ofNanos(lastNanos);
  }

  /** Takes note of the time for which writes will pause. */
  void expectPause(Duration pause) {
    expectedPause = pause;
  }

  /**
   * Whether the fence that this run has set has ended in no region. To be asked when all regions
   * have taken it, or are read-only: no region has read its fence before this run set it.
   */
  boolean isFenceHeld() {
    return pausedNanos != 0 && System.nanoTime() - pausedNanos < HELD.toNanos();
  }
}
