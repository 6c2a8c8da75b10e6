/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import java.util.EnumSet;
import java.util.Set;

/** The rules by which a peer takes a step in place; without any one, the search finds an error. */
enum StepRule {
  /** The peer takes replicated rows before the step by either layout. */
  BEFORE_ACCEPTED,
  /** It rejects those at or after the step until it has taken the step. */
  LATER_REJECTED,
  /** It rejects them by either layout while it takes it. */
  HELD_REJECTED,
  /** It takes the step only if it has no such rows, nor tombstones of them. */
  LOOK,
  /** When it has the step, it drops entries of such rows by the layout before. */
  EARLIER_DROPPED,
  /** But only those of the time before the source took the step. */
  BY_TURN,
  /** It takes the step only when the source cannot go back any more. */
  SOURCE_FIRST,
  /** The source ends its migration only when the peer has the step. */
  PEER_BEFORE_FINISH;

  static Set<StepRule> all() {
    return EnumSet.allOf(StepRule.class);
  }

  Set<StepRule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
