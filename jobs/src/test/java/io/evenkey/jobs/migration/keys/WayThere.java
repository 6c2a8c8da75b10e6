/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.keys;

import java.util.Set;

/**
 * One row of the source, whose key in the target is A or B by one of its columns; a client that
 * changes the column and deletes the row; two runs of the migration, of which the first may die or
 * pause anywhere; and requests that arrive late.
 */
final class WayThere implements World {
  static final int COPYING = 0;
  static final int PASSING = 1;
  static final int FENCED = 2;
  static final int CLOSING = 3;
  static final int SWITCHED = 4;

  private static final int WRITES = 3;
  private static final int TURNS = 7;
  private static final String[] NAMES = {"nothing", "A", "B"};

  /** The key that the row is to have: 0 if it is deleted. */
  private static final int KEY = 0;

  /** The number of the client's last write. */
  private static final int VALUE = 1;

  /** The value that the target has by A, and by B; 0 if it has none. */
  private static final int TARGET = 2;

  /** The next keys that are known: a bit each. */
  private static final int KEYS = 4;

  /** Whether the row has a mark of the present pass, and of one that is to be compared. */
  private static final int NEW_MARK = 5;

  private static final int OLD_MARK = 6;
  private static final int STAGE = 7;
  private static final int TURN = 8;

  /** The turn that the target acts by. */
  private static final int TARGET_TURN = 9;

  private static final int RUN = 10;
  private static final int ACTION = 0;
  private static final int OWN_TURN = 1;
  private static final int READ_KEY = 2;
  private static final int READ_VALUE = 3;
  private static final int READ_KEYS = 4;

  /** A late write: key, value and turn. */
  private static final int LATE = 5;

  private static final int RUN_SIZE = 8;

  /** Whether the fence has ended by itself. */
  private static final int ENDED = RUN + 2 * RUN_SIZE;

  private static final int SIZE = ENDED + 1;

  /** What a run does next. */
  private enum Action {
    BEGIN,
    READ,
    ADD_KEY,
    WRITE,
    ADD_KEY_LATE,
    STORE_COPIED,
    NEXT_PASS,
    LOOK_UP_KEYS,
    READ_AGAIN,
    ADD_KEY_AGAIN,
    WRITE_A,
    WRITE_B,
    ADD_KEY_AGAIN_LATE,
    END_PASS,
    SWITCH,
    OVER
  }

  private static final Action[] ACTIONS = Action.values();

  private final Set<Rule> rules;

  WayThere(Set<Rule> rules) {
    this.rules = rules;
  }

  private boolean has(Rule rule) {
    return rules.contains(rule);
  }

  @Override
  public byte[] start() {
    byte[] start = new byte[SIZE];
    start[KEY] = 1;
    start[VALUE] = 1;
    start[TURN] = 1;
    start[TARGET_TURN] = 1;
    start[RUN + ACTION] = code(Action.READ);
    start[RUN + OWN_TURN] = 1;
    start[RUN + RUN_SIZE + ACTION] = code(Action.BEGIN);
    return start;
  }

  private static byte code(Action action) {
    for (byte i = 0; i < ACTIONS.length; i++) {
      if (ACTIONS[i] == action) {
        return i;
      }
    }
    throw new IllegalStateException();
  }

  @Override
  public boolean isEnd(byte[] state) {
    return state[STAGE] == SWITCHED;
  }

  @Override
  public String wrong(byte[] state) {
    if (state[STAGE] != SWITCHED) {
      return "";
    }
    for (int key = 1; key <= 2; key++) {
      int wanted = state[KEY] == key ? state[VALUE] : 0;
      if (state[TARGET + key - 1] != wanted) {
        return "the target has "
            + state[TARGET + key - 1]
            + " by "
            + NAMES[key]
            + " in place of "
            + wanted;
      }
    }
    return "";
  }

  @Override
  public void next(byte[] state, Next next) {
    boolean isOpen = state[STAGE] < FENCED || state[STAGE] == FENCED && state[ENDED] == 1;
    if (isOpen && state[VALUE] < WRITES) {
      for (byte key = 0; key <= 2; key++) {
        byte[] written = state.clone();
        written[KEY] = key;
        written[VALUE]++;
        written[NEW_MARK] = 1;
        next.accept(written, "the client gives the row the key of " + NAMES[key]);
      }
    }
    if (state[STAGE] == FENCED && state[ENDED] == 0) {
      byte[] ended = state.clone();
      ended[ENDED] = 1;
      next.accept(ended, "the fence ends by itself");
    }
    for (int run = 0; run < 2; run++) {
      int at = RUN + run * RUN_SIZE;
      Action action = ACTIONS[state[at + ACTION]];
      String name = "run " + (run + 1) + ": ";
      if (action != Action.OVER) {
        byte[] done = state.clone();
        action(done, at, action);
        next.accept(done, name + action);
        if (isWrite(action) && state[at + LATE] == 0) {
          byte[] twice = state.clone();
          sendLate(twice, at, action);
          action(twice, at, action);
          next.accept(twice, name + action + ", and a copy of it is under way");
        }
        if (run == 0 && isWrite(action)) {
          byte[] dead = state.clone();
          sendLate(dead, at, action);
          to(dead, at, Action.OVER);
          next.accept(dead, name + "dies, with its write under way");
        }
      }
      if (state[at + LATE] != 0) {
        byte[] arrived = state.clone();
        arrived[at + LATE] = 0;
        write(arrived, state[at + LATE], state[at + LATE + 1], state[at + LATE + 2]);
        next.accept(arrived, "late write of run " + (run + 1) + " arrives");
      }
    }
  }

  private static boolean isWrite(Action action) {
    return action == Action.WRITE || action == Action.WRITE_A || action == Action.WRITE_B;
  }

  private static int keyOf(byte[] state, int at, Action action) {
    return action == Action.WRITE ? state[at + READ_KEY] : action == Action.WRITE_A ? 1 : 2;
  }

  private static int valueOf(byte[] state, int at, int key) {
    return state[at + READ_KEY] == key ? state[at + READ_VALUE] : 0;
  }

  private static void sendLate(byte[] state, int at, Action action) {
    int key = keyOf(state, at, action);
    state[at + LATE] = (byte) key;
    state[at + LATE + 1] = (byte) valueOf(state, at, key);
    state[at + LATE + 2] = state[at + OWN_TURN];
  }

  private boolean write(byte[] state, int key, int value, int turn) {
    if (has(Rule.REFUSE_EARLIER_TURNS) && turn != state[TARGET_TURN]) {
      return false;
    }
    state[TARGET + key - 1] = (byte) value;
    return true;
  }

  private static void to(byte[] state, int at, Action action) {
    state[at + ACTION] = code(action);
  }

  private void action(byte[] state, int at, Action action) {
    switch (action) {
      case BEGIN -> {
        takeTurn(state, at);
        beginPass(state);
        to(
            state,
            at,
            state[STAGE] == SWITCHED
                ? Action.OVER
                : state[STAGE] == COPYING ? Action.READ : Action.LOOK_UP_KEYS);
      }
      case READ -> {
        read(state, at);
        to(
            state,
            at,
            state[at + READ_KEY] == 0
                ? Action.STORE_COPIED
                : has(Rule.KEY_BEFORE_ROW) ? Action.ADD_KEY : Action.WRITE);
      }
      case ADD_KEY -> {
        addKey(state, at);
        to(state, at, Action.WRITE);
      }
      case WRITE -> {
        boolean made = write(state, at, action);
        to(
            state,
            at,
            !made
                ? Action.OVER
                : has(Rule.KEY_BEFORE_ROW) ? Action.STORE_COPIED : Action.ADD_KEY_LATE);
      }
      case ADD_KEY_LATE -> {
        addKey(state, at);
        to(state, at, Action.STORE_COPIED);
      }
      case STORE_COPIED -> store(state, at, PASSING, Action.NEXT_PASS);
      case NEXT_PASS -> nextPass(state, at);
      case LOOK_UP_KEYS -> {
        state[at + READ_KEYS] = state[KEYS];
        to(state, at, state[OLD_MARK] == 0 ? Action.END_PASS : Action.READ_AGAIN);
      }
      case READ_AGAIN -> {
        read(state, at);
        if (state[at + READ_KEY] != 0) {
          state[at + READ_KEYS] |= (byte) (1 << state[at + READ_KEY]);
        }
        to(state, at, has(Rule.KEY_BEFORE_ROW) ? Action.ADD_KEY_AGAIN : Action.WRITE_A);
      }
      case ADD_KEY_AGAIN -> {
        addKey(state, at);
        to(state, at, Action.WRITE_A);
      }
      case WRITE_A -> to(state, at, write(state, at, action) ? Action.WRITE_B : Action.OVER);
      case WRITE_B ->
          to(
              state,
              at,
              !write(state, at, action)
                  ? Action.OVER
                  : has(Rule.KEY_BEFORE_ROW) ? Action.END_PASS : Action.ADD_KEY_AGAIN_LATE);
      case ADD_KEY_AGAIN_LATE -> {
        addKey(state, at);
        to(state, at, Action.END_PASS);
      }
      case END_PASS -> endPass(state, at);
      case SWITCH -> {
        if (state[at + OWN_TURN] == state[TURN]) {
          takeTurn(state, at);
        }
        store(state, at, SWITCHED, Action.OVER);
      }
      default -> throw new IllegalStateException("no action: " + action);
    }
  }

  private static void read(byte[] state, int at) {
    state[at + READ_KEY] = state[KEY];
    state[at + READ_VALUE] = state[VALUE];
  }

  private static void addKey(byte[] state, int at) {
    if (state[at + READ_KEY] != 0) {
      state[KEYS] |= (byte) (1 << state[at + READ_KEY]);
    }
  }

  private boolean write(byte[] state, int at, Action action) {
    int key = keyOf(state, at, action);
    int value = valueOf(state, at, key);
    boolean known = action == Action.WRITE || (state[at + READ_KEYS] & 1 << key) != 0;
    boolean wanted = value != 0 || has(Rule.TAKE_AWAY_BY_ALL_KEYS);
    return !known || !wanted || write(state, key, value, state[at + OWN_TURN]);
  }

  private static void takeTurn(byte[] state, int at) {
    state[TURN]++;
    state[at + OWN_TURN] = state[TURN];
    state[TARGET_TURN] = state[TURN];
  }

  private void beginPass(byte[] state) {
    state[OLD_MARK] |= state[NEW_MARK];
    state[NEW_MARK] = 0;
  }

  private void nextPass(byte[] state, int at) {
    if (state[at + OWN_TURN] != state[TURN]) {
      to(state, at, Action.OVER);
      return;
    }
    if (has(Rule.A_TURN_FOR_EACH_PASS)) {
      takeTurn(state, at);
    }
    beginPass(state);
    if (!has(Rule.RECORD_A_PASS_AFTER_ITS_REPAIRS)) {
      // The run alone knows what it has to compare.
      boolean compares = state[OLD_MARK] != 0;
      state[OLD_MARK] = 0;
      state[at + READ_KEYS] = state[KEYS];
      to(state, at, compares ? Action.READ_AGAIN : Action.END_PASS);
      return;
    }
    to(state, at, Action.LOOK_UP_KEYS);
  }

  private void endPass(byte[] state, int at) {
    if (state[at + OWN_TURN] != state[TURN]) {
      to(state, at, Action.OVER);
      return;
    }
    state[OLD_MARK] = 0;
    if (state[STAGE] == FENCED && has(Rule.REPAIR_AGAIN_IF_THE_FENCE_ENDED)) {
      store(state, at, CLOSING, state[ENDED] == 1 ? Action.NEXT_PASS : Action.SWITCH);
    } else if (state[STAGE] >= FENCED) {
      to(state, at, Action.SWITCH);
    } else if (state[TURN] < TURNS - 2) {
      store(state, at, FENCED, Action.NEXT_PASS);
    } else {
      to(state, at, Action.OVER);
    }
  }

  private static void store(byte[] state, int at, int stage, Action after) {
    if (state[at + OWN_TURN] == state[TURN]) {
      state[STAGE] = (byte) stage;
      to(state, at, after);
    } else {
      to(state, at, Action.OVER);
    }
  }
}
