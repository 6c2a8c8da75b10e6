/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/**
 * A part of a stage.
 *
 * @param kind the kind of the act
 * @param generation whose state is set, or which is repaired
 * @param mode the mode to set
 * @param pass the pass to set: {@link #NEXT}, {@link #PRESENT}, or a number
 */
record Act(Kind kind, int generation, Mode mode, int pass) {
  /** The pass after the one whose rows are repaired now. */
  static final int NEXT = -1;

  /** The pass whose rows are repaired now. */
  static final int PRESENT = -2;

  enum Kind {
    CREATE,
    /** Changes the descriptor, then has all regions take the state. */
    SET,
    /** The same, but only the turn changes. */
    SET_TURN,
    /** Copies all rows into the generation. */
    COPY,
    /** Makes marked rows of the generation like the other's: those of the pass before. */
    REPAIR,
    /** The same, with the marks of all passes that are not done. */
    REPAIR_ALL,
    /** Repairs, unless the fence is held: then there is nothing to repair. */
    REPAIR_UNLESS_HELD,
    STORE_PASS,
    /** Ends the stage. */
    STORE
  }

  static Act of(Kind kind) {
    return new Act(kind, State.S, Mode.OPEN, 0);
  }

  static Act of(Kind kind, int generation) {
    return new Act(kind, generation, Mode.OPEN, 0);
  }

  static Act set(int generation, Mode mode, int pass) {
    return new Act(Kind.SET, generation, mode, pass);
  }

  boolean repairs() {
    return kind == Kind.COPY
        || kind == Kind.REPAIR
        || kind == Kind.REPAIR_ALL
        || kind == Kind.REPAIR_UNLESS_HELD;
  }
}
