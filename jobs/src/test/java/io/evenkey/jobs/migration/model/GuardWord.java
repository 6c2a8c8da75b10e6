/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/**
 * A state of the guard in 16 bits: the run's turn, the revision, the pass and the mode. A state of
 * a later turn, and of the same turn a later revision, is the greater number.
 */
final class GuardWord {
  private static final int MODE_BITS = 3;
  private static final int PASS_BITS = 3;
  private static final int REVISION_BITS = 6;

  /** A table that has never been migrated. */
  static final int REST = of(0, 0, Mode.OPEN, 0);

  private GuardWord() {}

  static int of(int turn, int revision, Mode mode, int pass) {
    if (revision >= 1 << REVISION_BITS || pass >= 1 << PASS_BITS) {
      throw new IllegalArgumentException("too long: revision=" + revision + " pass=" + pass);
    }
    return ((turn << REVISION_BITS | revision) << PASS_BITS | pass) << MODE_BITS | mode.code();
  }

  static Mode mode(int word) {
    return Mode.of(word & (1 << MODE_BITS) - 1);
  }

  /** Returns this state after the fence that it names has ended. */
  static int unfenced(int word) {
    return of(turn(word), revision(word), Mode.UNFENCED, pass(word));
  }

  static int pass(int word) {
    return word >> MODE_BITS & (1 << PASS_BITS) - 1;
  }

  static int revision(int word) {
    return word >> MODE_BITS + PASS_BITS & (1 << REVISION_BITS) - 1;
  }

  static int turn(int word) {
    return word >> MODE_BITS + PASS_BITS + REVISION_BITS;
  }

  static String text(int word) {
    return mode(word)
        + (mode(word).marks() ? "(" + pass(word) + ")" : "")
        + " turn "
        + turn(word)
        + " revision "
        + revision(word);
  }
}
