/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import io.evenkey.client.internal.registry.Stage;
import io.evenkey.protocol.guard.GuardMode;
import java.util.Arrays;

/**
 * Two clusters and the link between them, as bytes. Each cluster has a run of a migration, and a
 * row in each of two generations.
 */
final class State {
  /** The source cluster, and its peer. */
  static final int A = 0;

  static final int B = 1;

  /** The generations of both. */
  static final int S = 0;

  static final int T = 1;

  /** Queues of the link: those of two region servers of the source. */
  static final int QUEUES = 2;

  /** The largest number of writes. */
  static final int MOST = 3;

  /** Before any turn. */
  static final int NONE = -1;

  private static final Stage[] STAGES = Stage.values();
  private static final GuardMode[] MODES = GuardMode.values();

  // Of a cluster: stage, place of the run, modes, rows.
  private static final int OF_CLUSTER = 6;
  private static final int STAGE = 0;
  private static final int PLACE = 1;
  private static final int MODE = 2;
  private static final int ROW = 4;

  private static final int ALONE = 2 * OF_CLUSTER;
  private static final int TURN = ALONE + 1;
  private static final int KILLS = TURN + 1;
  private static final int GONE = KILLS + 1;
  // By generation of the peer: the turn through which late entries are dropped.
  private static final int THROUGH = GONE + 2;
  private static final int WRITES = THROUGH + 2;
  private static final int RECEIVED = WRITES + 1;
  private static final int HISTORY = RECEIVED + 1;
  private static final int QUEUE = HISTORY + MOST;
  private static final int ENTRIES = 6;
  // By queue: how many of its entries were sent.
  private static final int SENT = QUEUE + QUEUES * ENTRIES;
  private static final int SIZE = SENT + QUEUES;

  private final byte[] bytes;

  private State(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The turn by which the migration begins. */
  static final int FIRST_TURN = 1;

  /**
   * A migration. An entry of another row, of before it, has arrived. One of an earlier table that
   * had the name of the next generation, as that of the last migration before a renaming, has not.
   *
   * @param through the turn through which entries of the next generation are dropped
   */
  State(int through) {
    this(new byte[SIZE]);
    for (int cluster = A; cluster <= B; cluster++) {
      stage(cluster, Stage.READY);
      mode(cluster, S, GuardMode.TRACKED);
      mode(cluster, T, GuardMode.CLOSED);
    }
    through(S, NONE);
    through(T, through);
    write(S, Rows.NOTHING, 0);
    removeNext(0);
    receive(0);
    turn(FIRST_TURN);
    append(0, T, 0);
  }

  State copy() {
    return new State(bytes.clone());
  }

  @SuppressWarnings("EnumOrdinal") // never kept
  void stage(int cluster, Stage stage) {
    bytes[cluster * OF_CLUSTER + STAGE] = (byte) stage.ordinal();
  }

  Stage stage(int cluster) {
    return STAGES[bytes[cluster * OF_CLUSTER + STAGE]];
  }

  void place(int cluster, int place) {
    bytes[cluster * OF_CLUSTER + PLACE] = (byte) place;
  }

  int place(int cluster) {
    return bytes[cluster * OF_CLUSTER + PLACE];
  }

  @SuppressWarnings("EnumOrdinal") // never kept
  void mode(int cluster, int generation, GuardMode mode) {
    bytes[cluster * OF_CLUSTER + MODE + generation] = (byte) mode.ordinal();
  }

  GuardMode mode(int cluster, int generation) {
    return MODES[bytes[cluster * OF_CLUSTER + MODE + generation]];
  }

  void row(int cluster, int generation, int row) {
    bytes[cluster * OF_CLUSTER + ROW + generation] = (byte) row;
  }

  int row(int cluster, int generation) {
    return bytes[cluster * OF_CLUSTER + ROW + generation];
  }

  /** The source is lost, with all that was not sent; the peer is used instead. */
  void takeOver() {
    for (int i = 0; i < OF_CLUSTER; i++) {
      bytes[i] = 0;
    }
    for (int i = QUEUE; i < SIZE; i++) {
      bytes[i] = 0;
    }
    bytes[ALONE] = 1;
  }

  boolean isAlone() {
    return bytes[ALONE] != 0;
  }

  /** The turn of the run at the source. */
  int turn() {
    return bytes[TURN];
  }

  void turn(int turn) {
    bytes[TURN] = (byte) turn;
  }

  int kills() {
    return bytes[KILLS];
  }

  void kill() {
    bytes[KILLS]++;
  }

  /** Whether the source has no such generation any more. */
  boolean isGone(int generation) {
    return bytes[GONE + generation] != 0;
  }

  void drop(int generation) {
    bytes[GONE + generation] = 1;
    bytes[ROW + generation] = 0;
  }

  int through(int generation) {
    return bytes[THROUGH + generation];
  }

  void through(int generation, int turn) {
    bytes[THROUGH + generation] = (byte) turn;
  }

  int writes() {
    return bytes[WRITES];
  }

  /** The operation of a write. */
  int operation(int write) {
    return bytes[HISTORY + write];
  }

  boolean isReceived(int write) {
    return (bytes[RECEIVED] >> write & 1) == 1;
  }

  void receive(int write) {
    bytes[RECEIVED] |= (byte) (1 << write);
  }

  /** A client at the source writes; the entry goes to the end of a queue. */
  void write(int generation, int operation, int queue) {
    int write = writes();
    bytes[HISTORY + write] = (byte) operation;
    bytes[WRITES]++;
    row(A, generation, Rows.after(row(A, generation), operation));
    append(queue, generation, write);
  }

  /** Returns false if the queue is full. */
  boolean append(int queue, int generation, int write) {
    for (int i = QUEUE + queue * ENTRIES; i < QUEUE + (queue + 1) * ENTRIES; i++) {
      if (bytes[i] == 0) {
        bytes[i] = (byte) (1 | generation << 1 | write << 2 | turn() << 4);
        return true;
      }
    }
    return false;
  }

  /** The entry that a queue sends next; 0 if it is empty. */
  int next(int queue) {
    int sent = bytes[SENT + queue];
    return sent == ENTRIES ? 0 : bytes[QUEUE + queue * ENTRIES + sent];
  }

  static int generation(int entry) {
    return entry >> 1 & 1;
  }

  static int write(int entry) {
    return entry >> 2 & 3;
  }

  static int turnOf(int entry) {
    return entry >> 4;
  }

  /** Whether an entry is of an earlier table that had the next generation's name. */
  static boolean isOfEarlierTable(int entry) {
    return generation(entry) == T && turnOf(entry) == FIRST_TURN;
  }

  void removeNext(int queue) {
    bytes[SENT + queue]++;
  }

  /** HBase sends a log from its beginning, as after a change of the peer's settings. */
  void sendAgain(int queue) {
    bytes[SENT + queue] = 0;
  }

  boolean hasSent(int queue) {
    return bytes[SENT + queue] > 0;
  }

  boolean isSent() {
    return next(0) == 0 && next(1) == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof State state && Arrays.equals(bytes, state.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "source " + text(A) + ", peer " + text(B);
  }

  private String text(int cluster) {
    return stage(cluster)
        + " S="
        + mode(cluster, S)
        + ":"
        + Rows.seen(row(cluster, S))
        + " T="
        + mode(cluster, T)
        + ":"
        + Rows.seen(row(cluster, T));
  }
}
