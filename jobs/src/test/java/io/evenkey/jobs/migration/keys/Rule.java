/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.keys;

import java.util.EnumSet;
import java.util.Set;

/** The rules by which rows get another key; without any one of these, the search finds an error. */
enum Rule {
  /** A next key is added before the row is written by it. */
  KEY_BEFORE_ROW,
  /** A repair takes the row away by all its other keys. */
  TAKE_AWAY_BY_ALL_KEYS,
  /** The target refuses requests of an earlier turn. */
  REFUSE_EARLIER_TURNS,
  /** Each pass has a turn of its own. */
  A_TURN_FOR_EACH_PASS,
  /** A run that takes over compares rows of a pass that was not recorded as done. */
  RECORD_A_PASS_AFTER_ITS_REPAIRS,
  /** Rows are repaired once more if the fence may have ended, when writes are refused for good. */
  REPAIR_AGAIN_IF_THE_FENCE_ENDED,
  /** On the way back, keys that clients have written are kept for later passes. */
  KEEP_KEYS_OF_CLIENTS,
  /** On the way back, all keys of a pass are noted before the first row is repaired. */
  NOTE_BEFORE_REPAIRING,
  /** On the way back, deletions are not copied. */
  COPY_NO_DELETIONS;

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }

  boolean isOfTheWayBack() {
    return this == KEEP_KEYS_OF_CLIENTS
        || this == NOTE_BEFORE_REPAIRING
        || this == COPY_NO_DELETIONS;
  }
}
