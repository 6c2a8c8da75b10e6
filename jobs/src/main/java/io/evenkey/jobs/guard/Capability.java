/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.KeyHistory;
import java.util.EnumSet;
import java.util.Set;

/** A capability that not every version of the guard has. */
public enum Capability {
  /** Holds the rows of a step of the salt. */
  STEPS("cannot hold the rows of a step"),
  /** Keeps indexes. */
  INDEXES("does not know of indexes"),
  /** Tells clients that the row key was changed. */
  KEY_CHANGES("does not know of changed row keys");

  private final String lack;

  Capability(String lack) {
    this.lack = lack;
  }

  /** What a guard without this capability does not do. */
  String lack() {
    return lack;
  }

  /** Returns the capabilities of the guard that has answered. */
  static Set<Capability> of(GuardAnswer answer) {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    if (answer.takesSteps()) {
      all.add(STEPS);
    }
    if (answer.indexes().isPresent()) {
      all.add(INDEXES);
    }
    if (answer.keys() != KeyHistory.UNKNOWN) {
      all.add(KEY_CHANGES);
    }
    return all;
  }
}
