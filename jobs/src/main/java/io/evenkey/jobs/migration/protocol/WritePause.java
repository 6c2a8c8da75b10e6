/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.protocol;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.GuardControl.Acknowledged;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.row.GenerationSide;
import io.evenkey.jobs.migration.row.RepairOutcome;
import io.evenkey.layout.guard.GuardMode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;

/**
 * The pause of writes in which clients go over from the primary generation to the secondary. Reads
 * do not pause, and miss no acknowledged write: a generation is readable only while it has them all
 * and the other one takes none. So each of these states is in all regions before the next one is
 * set, and a command that dies between any two leaves them so:
 *
 * <pre>
 * primary     secondary
 * tracked     closed
 * fenced      closed       the last pass; the fence ends by itself if the command dies
 * read_only   closed       once more, if the fence may have ended before
 * read_only   read_only
 * closed      read_only
 * closed      as the caller opens it
 * </pre>
 *
 * <p>If anything fails, writes go on in the primary. Not thread-safe.
 */
final class WritePause {
  /** A fence that was set so long ago has not ended by itself. */
  private static final Duration HELD = GuardMode.FENCE.minusSeconds(2);

  private final MigrationRecord record;
  private final GuardControl guard;
  private final RepairPasses passes;
  private final MigrationListener listener;

  /** When this run has begun to pause writes; 0 while they do not. */
  private long begunNanos;

  WritePause(
      MigrationRecord record, GuardControl guard, RepairPasses passes, MigrationListener listener) {
    this.record = record;
    this.guard = guard;
    this.passes = passes;
    this.listener = listener;
  }

  /**
   * Pauses writes, and makes the last pass.
   *
   * @param expected for how long writes will pause
   * @param retreat the stage to store if this fails
   */
  void fence(GenerationSide primary, GenerationSide secondary, Duration expected, Stage retreat)
      throws IOException {
    try {
      record.store(record.migration().nextTurn());
      // It takes repairs of this turn from now on.
      set(secondary.table(), GuardMode.CLOSED, primary.table());
      listener.pausing(expected);
      begunNanos = System.nanoTime();
      RepairOutcome last =
          passes.last(
              primary, secondary, set(primary.table(), GuardMode.FENCED, secondary.table()));
      // A fence that may have ended lets rows differ again: there is another pass after closing.
      record.count(isFenceHeld() ? last : last.underWriters());
    } catch (IOException | RuntimeException e) {
      retreat(primary, secondary, retreat, e);
      throw e;
    }
  }

  /**
   * Has clients read the secondary only, and waits until its clocks are past the primary's.
   *
   * @param retreat the stage to store if this fails
   */
  void close(GenerationSide primary, GenerationSide secondary, Stage retreat) throws IOException {
    try {
      // Unlike the fence, this does not end: not even if this run dies with some regions closed.
      Acknowledged frozen = set(primary.table(), GuardMode.READ_ONLY, secondary.table());
      passes.checkMarked(primary, frozen);
      if (!isFenceHeld()) {
        // The fence of this run, or of the one before, may have ended, and clients have written.
        record.count(passes.last(primary, secondary, frozen));
      }
      Acknowledged next = set(secondary.table(), GuardMode.READ_ONLY, primary.table());
      Acknowledged left = set(primary.table(), GuardMode.CLOSED, secondary.table());
      passes.checkMarked(primary, left);
      long behind = left.latestAheadMs() - next.earliestAheadMs();
      if (behind > 0) {
        pause(Math.min(behind, RepairPasses.CLOCKS_MS));
      }
    } catch (IOException | RuntimeException e) {
      retreat(primary, secondary, retreat, e);
      throw e;
    }
  }

  // To be asked when all regions have taken the fence, or are read-only: no region has read its
  // fence before this run set it.
  private boolean isFenceHeld() {
    return begunNanos != 0 && System.nanoTime() - begunNanos < HELD.toNanos();
  }

  /** Takes note that clients can write again. */
  void end() {
    if (begunNanos != 0) {
      listener.paused(Duration.ofNanos(System.nanoTime() - begunNanos));
      begunNanos = 0;
    }
  }

  // Writes must not pause until an operator has found out what is wrong.
  private void retreat(
      GenerationSide primary, GenerationSide secondary, Stage stage, Exception why) {
    try {
      set(secondary.table(), GuardMode.CLOSED, primary.table());
      set(primary.table(), GuardMode.TRACKED, secondary.table());
      end();
      record.store(record.migration().enter(stage));
    } catch (IOException | RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  private Acknowledged set(TableName generation, GuardMode mode, TableName other)
      throws IOException {
    return guard.set(generation, record.turn(), mode, other);
  }

  private static void pause(long ms) throws IOException {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while migrating a table");
    }
  }
}
