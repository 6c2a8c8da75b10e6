/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import java.util.EnumSet;
import java.util.Set;

/** The rules of the protocol; without any one of these, the search finds an error. */
enum Rule {
  /** The source is disabled before the last snapshot is taken of it. */
  LEAVE_BEFORE_THE_LAST_PASS,
  /** A generation that was left is never enabled: if the pause fails, it goes on as a clone. */
  NEVER_ENABLE,
  /** A run that takes over gives the next generation another name. */
  RENEW_THE_TARGET,
  /** A run that takes over compares all rows. */
  COMPARE_ALL_ROWS,
  /** The snapshot from which changes count is taken before all rows are compared. */
  SNAPSHOT_BEFORE_THE_COMPARISON,
  /** That from which they count on the way back is taken before the switch. */
  SNAPSHOT_BEFORE_THE_SWITCH,
  /** A repair is sent once, and one without an answer ends the run. */
  SEND_ONCE,
  /** The registry is changed only as the run has left it. */
  COMPARE_AND_SET,
  /** The registry says that clients have to wait before the source is disabled. */
  ANNOUNCE_THE_PAUSE;

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
