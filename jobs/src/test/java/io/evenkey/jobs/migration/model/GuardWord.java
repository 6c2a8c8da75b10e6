/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import io.evenkey.protocol.guard.GuardMode;
import java.util.Locale;

/**
 * A state of the guard in 16 bits: the turn, the revision in it, the pass and the mode. A state of
 * a later turn, and of the same turn a later revision, is the greater number.
 */
final class GuardWord {
  private static final GuardMode[] MODES = GuardMode.values();
  private static final int MODE_BITS = 3;
  private static final int PASS_BITS = 4;
  private static final int REVISION_BITS = 3;
  private static final int TURN_BITS = 6;

  /** Instead of the mode: {@link GuardMode#FENCED}, of which the time is over. */
  private static final int ENDED = (1 << MODE_BITS) - 1;

  /** A table that has never been migrated. */
  static final int REST = of(0, 0, GuardMode.OPEN, 0);

  private GuardWord() {}

  @SuppressWarnings("EnumOrdinal") // never kept
  static int of(int turn, int revision, GuardMode mode, int pass) {
    return of(turn, revision, mode.ordinal(), pass);
  }

  private static int of(int turn, int revision, int mode, int pass) {
    if (turn >= 1 << TURN_BITS || revision >= 1 << REVISION_BITS || pass >= 1 << PASS_BITS) {
      throw new IllegalArgumentException(
          "too long: turn=" + turn + " revision=" + revision + " pass=" + pass);
    }
    return ((turn << REVISION_BITS | revision) << PASS_BITS | pass) << MODE_BITS | mode;
  }

  private static int code(int word) {
    return word & (1 << MODE_BITS) - 1;
  }

  /** The mode by which a region acts: a fence that has ended leaves it tracked. */
  static GuardMode mode(int word) {
    return isEnded(word) ? GuardMode.TRACKED : MODES[code(word)];
  }

  static boolean isEnded(int word) {
    return code(word) == ENDED;
  }

  /** Returns this state after the fence that it names has ended. */
  static int ended(int word) {
    return of(turn(word), revision(word), ENDED, pass(word));
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

  /** Whether rows that are written get a mark. */
  static boolean marks(int word) {
    return mode(word) == GuardMode.TRACKED;
  }

  static String text(int word) {
    return (isEnded(word) ? "tracked, its fence ended" : name(mode(word)))
        + (marks(word) ? "(" + pass(word) + ")" : "")
        + " turn "
        + turn(word)
        + " revision "
        + revision(word);
  }

  private static String name(GuardMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }
}
