/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.steps;

import java.util.Arrays;

/**
 * The cluster, the registry, the runs and the clients at one moment. One row at or after the step,
 * of which the value is the number of the last write; its place by the layout before is in region
 * 0, which clients ask for the layout, and by the one after in region 1.
 */
final class State {
  static final int REGIONS = 2;
  static final int RUNS = 2;
  static final int CLIENTS = 2;

  /** Of the descriptor, and the turn that set it. */
  static final int TABLE = 0;

  static final int TABLE_TURN = 1;
  static final int STAGE = 2;
  static final int TURN = 3;
  static final int ACKNOWLEDGED = 4;

  /** The number of times that a region was opened without the guard. */
  static final int GAPS = 5;

  /** Whether a write was done on a server without the guard. */
  static final int UNSEEN = 6;

  /** The way in which a run has made sure that it may open the table: 1 and its number, else 0. */
  static final int SURE = 7;

  private static final int REGION = 8;
  private static final int VALUE = REGION + REGIONS;
  private static final int GUARD = VALUE + REGIONS;
  private static final int RUN = GUARD + REGIONS;

  /** The region is open on a server with the guard, and was while the row is held. */
  static final int GUARDED = 0;

  /** It is open on a server without the guard. */
  static final int UNGUARDED = 1;

  /** It is open with the guard, which has recorded that it was open without. */
  static final int BROKEN = 2;

  /** The next step in the run's way, and which way it goes. */
  static final int R_STEP = 0;

  static final int R_WAY = 1;
  static final int R_TURN = 2;
  private static final int RUN_SIZE = 3;
  private static final int CLIENT = RUN + RUNS * RUN_SIZE;

  /** The layout by which the client acts: 0 before, 1 after. */
  static final int C_LAYOUT = 0;

  /** The number of calls that it has made. */
  static final int C_CALLS = 1;

  /** Whether it was refused, and looks the table up. */
  static final int C_REFUSED = 2;

  /** The region, and 1, that has admitted a write of it that is not done. */
  static final int C_ADMITTED = 3;

  private static final int CLIENT_SIZE = 4;
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

  int region(int region) {
    return bytes[REGION + region];
  }

  void region(int region, int state) {
    bytes[REGION + region] = (byte) state;
  }

  int value(int region) {
    return bytes[VALUE + region];
  }

  void value(int region, int value) {
    bytes[VALUE + region] = (byte) value;
  }

  int guard(int region) {
    return bytes[GUARD + region];
  }

  void guard(int region, int guard) {
    bytes[GUARD + region] = (byte) guard;
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

  boolean hasAdmitted(int region) {
    for (int client = 0; client < CLIENTS; client++) {
      if (client(client, C_ADMITTED) == region + 1) {
        return true;
      }
    }
    return false;
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
