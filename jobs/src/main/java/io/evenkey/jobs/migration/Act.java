/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.protocol.guard.GuardMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of what a run of a migration does at a stage, see {@link Transitions}. Immutable. */
public sealed interface Act {
  /** The two generations of a migration. */
  enum Generation {
    SOURCE,
    TARGET;

    /** Returns the other one of the two. */
    public Generation other() {
      return this == SOURCE ? TARGET : SOURCE;
    }
  }

  /** The number in the marks of rows that are written after a change of the guard's state. */
  enum Marks {
    SAME_PASS,
    NEXT_PASS
  }

  /**
   * Changes the state of a generation, and waits until all regions act by it and have ended the
   * writes that they admitted before.
   *
   * @param mode null if it stays as it is
   */
  record Change(Generation generation, @Nullable GuardMode mode, Marks marks) implements Act {}

  /** The layouts of a table that gets a step in place. */
  enum Layouts {
    BEFORE,
    BEFORE_AND_AFTER,
    AFTER_AND_BEFORE,
    AFTER;

    /** Whether the layout with the step is the table's own. */
    public boolean isAfter() {
      return this == AFTER || this == AFTER_AND_BEFORE;
    }
  }

  /**
   * Changes the state and the layouts of the table that gets a step in place, as {@link Change}
   * does.
   *
   * @param layouts the table's own layout, and the other one that the guard knows
   */
  record ChangeStep(GuardMode mode, Layouts layouts) implements Act {}

  /** Repeats acts until a pass takes so short that it can be made while writes pause. */
  record Passes(List<Act> acts) implements Act {}

  /** All that changes no state of the guard. */
  enum Work implements Act {
    /** Takes the next turn in the registry: changes of states carry it from now on. */
    TAKE_TURN,
    /** Counts marks from now on; of those before it is not known which rows they are in. */
    COUNT_MARKS,
    /** Copies all rows, or those that a step moves, into the target; makes it if it is a clone. */
    COPY_ROWS,
    /** Compares all rows and repairs those that differ, but in a clone. */
    COMPARE_ROWS,
    /** Repairs the rows that have marks of the passes before. */
    REPAIR_MARKED,
    /** Records that these marks are done with. */
    RECORD_PASS,
    /** Flushes the source, and gives the target the rights, quotas and replicas of the source. */
    PREPARE_SWITCH,
    /** Flushes the target. */
    PREPARE_RETURN,
    /** Gives the source the rights and quotas that were granted or set since the switch. */
    RETURN_RIGHTS,
    /** Repairs the rows with marks of all passes, while writes pause. */
    REPAIR_LAST,
    /** Repairs them once more, if the fence may have ended before all regions were read-only. */
    REPAIR_UNLESS_FENCE_HELD,
    /** Waits until the clocks of the servers that take writes next have passed the others'. */
    WAIT_FOR_CLOCKS,
    /**
     * Of a replicated table: checks that the migration on the other cluster has come as far as this
     * one needs.
     */
    CHECK_CLUSTERS,
    /**
     * On a replication peer: checks that all rows of the generation that the source cluster has
     * left are here. No row arrives while it does.
     */
    CHECK_ARRIVED,
    /** Has the target go by its own name, if that is the table's. */
    TAKE_OWN_NAME,

    /** Makes the regions of the buckets that a step adds. */
    MAKE_REGIONS,
    /** Looks for rows at or after the step; if there are any, the migration goes back. */
    FIND_ROWS,
    /**
     * Looks for rows at or after the step where the layout from now on does not, if a region was
     * open without the guard since they are held.
     */
    FIND_MISPLACED,
    /** Has the replication peers take the step, and waits until they have. */
    TAKE_ON_PEERS,
    /** Records the layout with the step. */
    RECORD_LAYOUT,

    /** Has compactions of the source keep tombstones. */
    KEEP_TOMBSTONES,
    /** Gives the target another name: requests that are sent to it late find no table. */
    RENAME_TARGET,
    /** Has the source go on as a clone of its own, after a run that died between generations. */
    CONTINUE_AS_CLONE,
    /** Compares all rows, or those in files that are new, until few are left. */
    COMPARE_FILES,
    /** Gives the target the rights of the source. */
    COPY_RIGHTS,
    /** Takes the snapshot that tells a rollback which files are new. */
    TAKE_SNAPSHOT,
    /**
     * Drops the source's name, compares the rows written last, and records the generation in use.
     */
    CHANGE_NAMES
  }
}
