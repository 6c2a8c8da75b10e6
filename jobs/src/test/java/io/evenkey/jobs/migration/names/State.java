/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

/**
 * The cluster, the registry, the runs and the clients at one moment. One row; its value is the
 * number of the last write, 0 before the first one. A name is a number, 0 is the table's own.
 */
final class State {
  static final int NAMES = 14;
  static final int RUNS = 2;
  static final int CLIENTS = 2;

  /** Of tables. */
  static final int ABSENT = 0;

  static final int ENABLED = 1;
  static final int DISABLED = 2;

  private static final int TABLES = 0;
  private static final int VALUES = TABLES + NAMES;
  private static final int SNAPSHOTS = VALUES + NAMES;

  /** Of the registry; {@link #BACK} is whether the goal is to roll back. */
  static final int STAGE = SNAPSHOTS + NAMES;

  static final int BACK = STAGE + 1;
  static final int SOURCE = BACK + 1;
  static final int TARGET = SOURCE + 1;
  static final int TURN = TARGET + 1;

  /** The run that has stored last: no other one has seen that version. */
  static final int OWNER = TURN + 1;

  /** The value in the snapshot from before the switch, and 1; 0 if there is none. */
  static final int BEFORE = OWNER + 1;

  static final int ACKNOWLEDGED = BEFORE + 1;
  static final int WRONG = ACKNOWLEDGED + 1;
  private static final int RUN = WRONG + 1;

  /** What the run does, see {@link Plan}, and the next action in it. */
  static final int R_PROGRAM = 0;

  static final int R_ACTION = 1;
  static final int R_STAGE = 2;
  static final int R_BACK = 3;
  static final int R_SOURCE = 4;
  static final int R_TARGET = 5;
  static final int R_TURN = 6;

  /** The value in the snapshot from which changes count, and 1; 0 if there is none yet. */
  static final int R_COMPARED = 7;

  /** The last name that it has made. */
  static final int R_MADE = 8;

  /** The target of a repair that is not answered yet. */
  static final int R_SENT_TO = 9;

  /** Its value and 1; 0 if there is none. */
  static final int R_SENT = 10;

  /** The target of a copy of a repair that is under way and may arrive at any time. */
  static final int R_COPY_TO = 11;

  /** Its value and 1; 0 if there is none. */
  static final int R_COPY = 12;

  /** The name that it has left last. */
  static final int R_LEFT = 13;

  /** Whether it waits for the answer to a repair. */
  static final int R_WAITS = 14;

  private static final int RUN_SIZE = 15;
  private static final int CLIENT = RUN + RUNS * RUN_SIZE;

  /** The name that the client uses. */
  static final int C_NAME = 0;

  /** The number of calls that it has made. */
  static final int C_NEXT = 1;

  /** Whether it was refused, and has to look the table up. */
  static final int C_REFUSED = 2;

  private static final int CLIENT_SIZE = 3;
  private static final int SIZE = CLIENT + CLIENTS * CLIENT_SIZE;

  private final byte[] bytes;

  State() {
    this(new byte[SIZE]);
  }

  private State(byte[] bytes) {
    this.bytes = bytes;
  }

  State copy() {
    return new State(bytes.clone());
  }

  int get(int field) {
    return bytes[field];
  }

  void set(int field, int value) {
    bytes[field] = (byte) value;
  }

  int table(int name) {
    return bytes[TABLES + name];
  }

  void table(int name, int is) {
    bytes[TABLES + name] = (byte) is;
  }

  int value(int name) {
    return bytes[VALUES + name];
  }

  void value(int name, int value) {
    bytes[VALUES + name] = (byte) value;
  }

  boolean hasSnapshot(int name) {
    return bytes[SNAPSHOTS + name] != 0;
  }

  int snapshot(int name) {
    return bytes[SNAPSHOTS + name] - 1;
  }

  void takeSnapshot(int name) {
    bytes[SNAPSHOTS + name] = (byte) (value(name) + 1);
  }

  int run(int run, int field) {
    return bytes[RUN + run * RUN_SIZE + field];
  }

  void run(int run, int field, int value) {
    bytes[RUN + run * RUN_SIZE + field] = (byte) value;
  }

  int client(int client, int field) {
    return bytes[CLIENT + client * CLIENT_SIZE + field];
  }

  void client(int client, int field, int value) {
    bytes[CLIENT + client * CLIENT_SIZE + field] = (byte) value;
  }

  /** Not 0, and of no two states that differ the same, but by a chance that is very small. */
  long hash() {
    long hash = SIZE;
    for (byte value : bytes) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    hash ^= hash >>> 27;
    return hash == 0 ? 1 : hash;
  }

  /** What does not matter any more is as it was: the run has stopped. */
  void stop(int run) {
    for (int field = 0; field < RUN_SIZE; field++) {
      if (field != R_SENT_TO && field != R_SENT && field != R_COPY_TO && field != R_COPY) {
        run(run, field, 0);
      }
    }
    run(run, R_PROGRAM, Plan.OVER);
  }
}
