/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules of the protocol. A search with all rules finds nothing that is lost; for each rule, a
 * search without it finds something.
 */
enum Rule {
  /** A new generation is closed from its creation on. */
  CREATED_CLOSED,
  /** Writes are refused before the last pass, and until the other generation is open. */
  FENCE,
  /** The changes that the last pass finds are repaired before the switch. */
  LAST_PASS,
  /** Writes are refused by a state that does not end before the other generation can be read. */
  LASTING,
  /** If the fence may have ended before that state, changes are repaired once more. */
  REPAIRED_AGAIN,
  /** The other generation can be read when it is repaired, not before. */
  READ_WHEN_REPAIRED,
  /** A generation that clients are to write again opens when the other one cannot be read. */
  CLOSED_FIRST_ON_THE_WAY_BACK,
  /** A region that takes another pass waits for writes that passed the check before. */
  DRAIN_PASS,
  /** A region that is fenced waits for writes that passed the check before. */
  DRAIN_FENCE,
  /**
   * A region that takes another turn waits for the migrator's writes that passed the check before.
   */
  DRAIN_TURN,
  /** The migrator goes on when all regions have the state, not only the first. */
  ALL_REGIONS_ANSWER,
  /**
   * The regions are listed after the descriptor has the state, and again after their answers, until
   * all that are there have answered.
   */
  REGIONS_LISTED_LAST,
  /** A region that opens reads the state in the table's descriptor. */
  STATE_AT_OPEN,
  /** The descriptor has the state before the first region is asked to take it. */
  DESCRIPTOR_FIRST,
  /** A closed generation refuses reads. */
  CLOSED_REFUSES_READS,
  /** All regions of one generation are closed before the other one opens. */
  CLOSED_BEFORE_OPEN,
  /** A migrator's write is refused unless it has the turn that the region has. */
  TURN,
  /** The migrator's turn is in all regions of a generation before it repairs that one. */
  TURN_FIRST,
  /**
   * The modes that the next migrator gives the generations with its turn follow from the recorded
   * stage, not from the descriptors, which the migrator before may change after they were read.
   */
  TURN_BY_STAGE,
  /** A turn never comes again, not in a later migration of the table either. */
  TURN_ONCE,
  /** A descriptor's state is never replaced by one of an earlier turn. */
  DESCRIPTOR_ONLY_GROWS,
  /**
   * A region takes a state if that is of a later turn, whatever the revision; and its answer counts
   * only if it then has the very state that the migrator has set.
   */
  ANSWER_IS_EXACT,
  /**
   * A region's answer is given after a write to its log: so a server that has lost the region, and
   * does not know it, cannot give it.
   */
  ANSWER_IS_LOGGED,
  /** The migrator sends a write once; if the answer is lost, it takes the next turn. */
  MOVER_WRITES_ONCE,
  /**
   * The registry says that a switch begins before anything is closed; then it has to be gone
   * through.
   */
  SWITCH_IS_RECORDED,
  /**
   * The registry says that there is no way back before rows are written to the target without
   * marks.
   */
  FINISH_IS_RECORDED,
  /**
   * A pass is recorded when its rows are repaired, so that the next migrator repeats what is open.
   */
  PASS_IS_RECORDED_AFTER,
  /** A region that was open without the guard says that rows of this pass may have no marks. */
  GUARD_IS_RECORDED,
  /** A region that was split from another one has its record. */
  SPLIT_KEEPS_THE_RECORD,
  /** A region that two were merged into counts as one that was open without the guard. */
  MERGED_HAS_NO_RECORD,
  /**
   * On the way back, all rows are compared if the generation in use was open without the guard
   * before its rows were marked.
   */
  GUARDED_BEFORE_MARKS,
  /**
   * On the way back, all rows are compared if the generation that clients had left was open without
   * the guard.
   */
  LEFT_IS_COMPARED,
  /** It is not used again if a region of it was open without the guard since that comparison. */
  LEFT_IS_CHECKED,
  /** Compactions keep tombstones and marks while a migration lasts. */
  TOMBSTONES_KEPT,
  /** The server marks every write, also those of clients that know nothing of Evenkey. */
  EVERY_WRITE_IS_MARKED,
  /** Changes are found by marks, not by the timestamps of cells. */
  FOUND_BY_MARKS,
  /** A request that was made by another layout is refused. */
  STAMP,
  /** An increment is repeated only if all attempts were refused. */
  INCREMENT_ONCE,
  /** The generation that is opened by a switch is tracked, for the way back. */
  TRACKED_AFTER_SWITCH,
  /** The switch waits until the clocks of the one generation's servers have passed the other's. */
  CLOCKS;

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
