/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.keys;

import java.util.Set;

/**
 * Rows of the target by the keys A and B, which are one row of the source; a client that puts and
 * deletes them; and passes of the way back, each of which repairs the row once for A and once for B
 * if both have marks, at the same time. A pass that finds both rows ends the way back.
 */
final class WayBack implements World {
  private static final int WRITES = 4;
  private static final String[] NAMES = {"A", "B"};

  /** The values by A, and by B; 0 if there is no row. */
  private static final int TARGET = 0;

  /** The value in the source. */
  private static final int SOURCE = 2;

  /** The number of writes. */
  private static final int COUNT = 3;

  /** The keys that are known: a bit each. */
  private static final int KEYS = 4;

  private static final int NEW_MARKS = 5;
  private static final int OLD_MARKS = 6;

  /** 0 before the fence, 1 after it, 2 at the end, 3 if two rows are in the way. */
  private static final int STAGE = 7;

  /** 0 between two passes. */
  private static final int PASS = 8;

  /** The last deletions by A, by B, and in the source, where they are copied. */
  private static final int DELETIONS = 9;

  private static final int SOURCE_DELETION = 11;

  private static final int REPAIR = 12;
  private static final int STEP = 0;
  private static final int READ_KEYS = 1;
  private static final int READ = 2;
  private static final int READ_DELETION = 3;
  private static final int REPAIR_SIZE = 4;
  private static final int SIZE = REPAIR + 2 * REPAIR_SIZE;

  private static final int IDLE = 0;
  private static final int LOOK_UP = 1;
  private static final int READING = 2;
  private static final int WRITING = 3;

  private final Set<Rule> rules;

  WayBack(Set<Rule> rules) {
    this.rules = rules;
  }

  private boolean has(Rule rule) {
    return rules.contains(rule);
  }

  /** Just switched: both have the row by A. */
  @Override
  public byte[] start() {
    byte[] start = new byte[SIZE];
    start[TARGET] = 1;
    start[SOURCE] = 1;
    start[COUNT] = 1;
    start[KEYS] = 1;
    return start;
  }

  @Override
  public boolean isEnd(byte[] state) {
    return state[STAGE] == 2;
  }

  @Override
  public String wrong(byte[] state) {
    int wanted = state[TARGET] == 0 ? state[TARGET + 1] : state[TARGET];
    int found = state[SOURCE] > state[SOURCE_DELETION] ? state[SOURCE] : 0;
    return state[STAGE] == 2 && found != wanted
        ? "the source has " + found + " in place of " + wanted
        : "";
  }

  @Override
  public void next(byte[] state, Next next) {
    if (state[STAGE] == 0 && state[COUNT] < WRITES) {
      for (int key = 0; key < 2; key++) {
        byte[] put = state.clone();
        put[COUNT]++;
        put[TARGET + key] = put[COUNT];
        put[NEW_MARKS] |= (byte) (1 << key);
        next.accept(put, "the client puts the row by " + NAMES[key]);
        byte[] deleted = put.clone();
        deleted[TARGET + key] = 0;
        if (!has(Rule.COPY_NO_DELETIONS)) {
          deleted[DELETIONS + key] = deleted[COUNT];
        }
        next.accept(deleted, "the client deletes the row by " + NAMES[key]);
      }
    }
    if (state[STAGE] >= 2) {
      return;
    }
    if (state[PASS] == 0) {
      byte[] begun = state.clone();
      beginPass(begun);
      next.accept(begun, "a pass begins");
      if (state[STAGE] == 0) {
        byte[] fenced = state.clone();
        fenced[STAGE] = 1;
        next.accept(fenced, "writes pause");
      }
      return;
    }
    boolean busy = false;
    for (int repair = 0; repair < 2; repair++) {
      int at = REPAIR + repair * REPAIR_SIZE;
      if (state[at + STEP] != IDLE) {
        busy = true;
        byte[] done = state.clone();
        step(done, at, repair);
        next.accept(done, "the repair of " + NAMES[repair] + " goes on");
      }
    }
    if (!busy) {
      byte[] ended = state.clone();
      ended[PASS] = 0;
      ended[OLD_MARKS] = 0;
      if (state[STAGE] == 1 && state[NEW_MARKS] == 0) {
        ended[STAGE] = 2;
      }
      next.accept(ended, "the pass ends");
    }
  }

  private void beginPass(byte[] state) {
    state[PASS] = 1;
    state[OLD_MARKS] = state[NEW_MARKS];
    state[NEW_MARKS] = 0;
    if (has(Rule.NOTE_BEFORE_REPAIRING) && has(Rule.KEEP_KEYS_OF_CLIENTS)) {
      state[KEYS] |= state[OLD_MARKS];
    }
    for (int repair = 0; repair < 2; repair++) {
      if ((state[OLD_MARKS] & 1 << repair) != 0) {
        state[REPAIR + repair * REPAIR_SIZE + STEP] = LOOK_UP;
      }
    }
  }

  private void step(byte[] state, int at, int key) {
    switch (state[at + STEP]) {
      case LOOK_UP -> {
        if (has(Rule.KEEP_KEYS_OF_CLIENTS)) {
          state[KEYS] |= (byte) (1 << key);
        }
        state[at + READ_KEYS] = (byte) (state[KEYS] | 1 << key);
        if (has(Rule.NOTE_BEFORE_REPAIRING)) {
          state[at + READ_KEYS] |= state[OLD_MARKS];
        }
        state[at + STEP] = READING;
      }
      case READING -> {
        byte seen = 0;
        byte deletion = 0;
        for (int other = 0; other < 2; other++) {
          byte value = state[TARGET + other];
          if ((state[at + READ_KEYS] & 1 << other) != 0) {
            deletion = (byte) Math.max(deletion, state[DELETIONS + other]);
            if (value != 0) {
              if (seen != 0) {
                state[STAGE] = 3;
              }
              seen = value;
            }
          }
        }
        state[at + READ] = seen;
        state[at + READ_DELETION] = seen == 0 ? deletion : 0;
        state[at + STEP] = WRITING;
      }
      default -> {
        state[SOURCE] = state[at + READ];
        state[SOURCE_DELETION] = (byte) Math.max(state[SOURCE_DELETION], state[at + READ_DELETION]);
        state[at + READ] = 0;
        state[at + READ_DELETION] = 0;
        state[at + READ_KEYS] = 0;
        state[at + STEP] = IDLE;
      }
    }
  }
}
