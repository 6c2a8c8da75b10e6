/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.names;

import java.util.Arrays;

/**
 * The cluster, the registry, the runs and the clients at one moment. One row; its value is the
 * number of the last write, 0 before the first one. A name is a number, 0 is the table's own.
 */
final class State {
  static final int NAMES = 12;
  static final int RUNS = 2;
  static final int CLIENTS = 2;

  /** Of tables. */
  static final int ABSENT = 0;

  static final int ENABLED = 1;
  static final int DISABLED = 2;

  private static final int TABLES = 0;
  private static final int VALUES = TABLES + NAMES;
  private static final int SNAPSHOTS = VALUES + NAMES;

  static final int STAGE = SNAPSHOTS + NAMES;
  static final int SOURCE = STAGE + 1;
  static final int TARGET = SOURCE + 1;
  static final int TURN = TARGET + 1;
  static final int ACKNOWLEDGED = TURN + 1;
  static final int WRONG = ACKNOWLEDGED + 1;
  private static final int RUN = WRONG + 1;

  static final int R_STEP = 0;
  static final int R_STAGE = 1;
  static final int R_SOURCE = 2;
  static final int R_TARGET = 3;
  static final int R_TURN = 4;

  /** The value in the snapshot from which changes count. */
  static final int R_COMPARED = 5;

  /** The last name that it has made. */
  static final int R_MADE = 6;

  /** The target of a repair that is not answered yet. */
  static final int R_SENT_TO = 7;

  /** Its value and 1; 0 if there is none. */
  static final int R_SENT = 8;

  /** The target of a copy of a repair that is under way and may arrive at any time. */
  static final int R_COPY_TO = 9;

  /** Its value and 1; 0 if there is none. */
  static final int R_COPY = 10;

  /** The step after the answer. */
  static final int R_AFTER = 11;

  /** The name that it has left last. */
  static final int R_LEFT = 12;

  private static final int RUN_SIZE = 13;
  private static final int CLIENT = RUN + RUNS * RUN_SIZE;

  /** The name that the client uses. */
  static final int C_NAME = 0;

  /** The number of calls that it has made. */
  static final int C_NEXT = 1;

  /** Whether it was refused, and has to look the table up. */
  static final int C_REFUSED = 2;

  private static final int CLIENT_SIZE = 3;
  private static final int SIZE = CLIENT + CLIENTS * CLIENT_SIZE;

  final byte[] bytes;

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

  @Override
  public boolean equals(Object other) {
    return other instanceof State state && Arrays.equals(bytes, state.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
