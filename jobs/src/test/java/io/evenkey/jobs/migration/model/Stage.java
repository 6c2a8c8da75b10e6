/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/** The stage of a migration in the registry, and the act of a run of the migrator. */
enum Stage {
  /** This run has not begun, or has stopped. */
  NONE,
  /** A run that takes over puts its turn into all regions. */
  TAKEOVER,
  /** Resumes a stage in which clients are to use the source again. */
  TAKEOVER_BACK,
  CREATING,
  COPYING,
  PASSES,
  FENCING,
  CLOSING,
  SWITCHING,
  SWITCHED,
  FINISHING,
  FINISHED,
  ABANDONING,
  ABANDONED,
  BACK_PASSES,
  BACK_FENCING,
  BACK_SWITCHING,
  BACK,
  /** A run that fails while clients go over has them go on in the source; is not recorded. */
  RETREATING,
  /** Retreats on the way back, in the target. */
  BACK_RETREATING;

  private static final Stage[] ALL = values();

  /** The number of it in a {@link State}. */
  @SuppressWarnings("EnumOrdinal") // never kept
  int code() {
    return ordinal();
  }

  static Stage of(int code) {
    return ALL[code];
  }

  boolean isEnd() {
    return this == FINISHED || this == ABANDONED || this == BACK;
  }

  /**
   * The mode and pass in which a run that takes over finds a generation, or puts it.
   *
   * @param done the number of passes that are done
   */
  int word(int generation, int turn, int revision, int done) {
    boolean source = generation == State.S;
    return switch (this) {
      case CREATING, ABANDONING ->
          GuardWord.of(turn, revision, source ? Mode.OPEN : Mode.CLOSED, 0);
      case COPYING, PASSES, FENCING -> used(source, turn, revision, done);
      case CLOSING ->
          source
              ? GuardWord.of(turn, revision, Mode.READ_ONLY, done + 1)
              : GuardWord.of(turn, revision, Mode.CLOSED, 0);
      case SWITCHED, FINISHING, BACK_PASSES, BACK_FENCING -> used(!source, turn, revision, done);
      default -> GuardWord.of(turn, revision, Mode.CLOSED, 0);
    };
  }

  private static int used(boolean used, int turn, int revision, int done) {
    return used
        ? GuardWord.of(turn, revision, Mode.TRACKED, done + 1)
        : GuardWord.of(turn, revision, Mode.CLOSED, 0);
  }

  /** Whether the source is what clients use, and may be opened again without more ado. */
  boolean canBeAbandoned() {
    return this == COPYING || this == PASSES || this == FENCING || this == CLOSING;
  }

  /** The stage in which a run that fails has clients go on; {@link #NONE} if it only stops. */
  Stage retreat() {
    return switch (this) {
      case FENCING, CLOSING -> RETREATING;
      case BACK_FENCING -> BACK_RETREATING;
      default -> NONE;
    };
  }
}
