/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.steps;

import java.util.EnumSet;
import java.util.Set;

/** The rules of the protocol; without any one of these, the search finds an error. */
enum Rule {
  /** The guard refuses writes of rows at or after the step while it is taken. */
  HOLD,
  /** The row is looked for when all regions hold it, not before. */
  LOOK_WHILE_HELD,
  /** A region answers when the writes that it admitted before are done. */
  SETTLE,
  /** All regions answer before the next state is set. */
  ASK_ALL_REGIONS,
  /** The guard refuses requests by the layout before when the table has the one after. */
  REFUSE_THE_LAYOUT_BEFORE,
  /** The row is held until all regions accept the layout after only. */
  HOLD_UNTIL_ONE_LAYOUT_IS_LEFT,
  /** On the way back it is held until all regions accept the layout before only. */
  HOLD_ON_THE_WAY_BACK,
  /** The row is looked for again if a region was open without the guard since it is held. */
  LOOK_AGAIN,
  /** On the way back, too. */
  LOOK_AGAIN_ON_THE_WAY_BACK,
  /** A descriptor's state is never replaced by that of an earlier run. */
  TURNS,
  /** That there is no way back is recorded before the row can be written. */
  RECORD_BEFORE_OPENING;

  /** Whether it is for regions that open on a server without the guard. */
  boolean isForGaps() {
    return this == LOOK_AGAIN || this == LOOK_AGAIN_ON_THE_WAY_BACK;
  }

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
