/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

import io.evenkey.client.internal.registry.Stage;
import org.jspecify.annotations.Nullable;

/**
 * A state of the world: a few bytes. Fields that say nothing at the moment are 0, so that states
 * which differ in nothing that matters are the same. Mutable while a step makes it.
 *
 * <p>What a generation holds is a set of cells, one bit each: the cells that were there before the
 * migration, then one for each attempt at a write. Cells carry their timestamps wherever they are
 * copied, so a row's value follows from the set. The exception is {@link Operation#OVERWRITE},
 * whose cells replace each other: of these the latest is kept apart.
 */
final class State {
  /** The generations. */
  static final int S = 0;

  static final int T = 1;

  static final int MAX_REGIONS = 2;

  /** The run that the registry names. */
  static final int RUN = 0;

  /** The stage in the registry, plus 1; 0 before there is one. */
  private static final int STAGE = 1;

  /**
   * The last turn that the registry has given, and the last pass of which all marks are repaired.
   */
  static final int TURN = 2;

  static final int DONE = 3;

  /** Whether there is T; whether its clocks are behind; whether this is the second migration. */
  static final int CREATED = 4;

  static final int BEHIND = 5;
  static final int SECOND = 6;

  /** The errors so far: see {@link Broken}. */
  static final int BROKEN = 7;

  /** Regions that a server still believes to have which has lost them, one bit each. */
  static final int GHOSTS = 8;

  /** Whether the fence that the last run has set has ended in no region so far. */
  static final int HELD = 9;

  /** Whether a run has failed while clients went over. */
  static final int RETREATED = 10;

  /** The passes that the present stage has made, but for its first. */
  static final int PASSES = 11;

  /** Whether a region was open on a server without the guard, and those that are, one bit each. */
  static final int LOST = 12;

  private static final int UNGUARDED = 13;

  /** Generations of which both rows are in one region, one bit each. */
  private static final int MERGED = 14;

  /** The number of splits and merges so far. */
  static final int RESHAPED = 15;

  // The pass since which a region is open with the guard: four bits for each.
  private static final int GUARDED = 16;

  /**
   * Whether a server without the guard has taken a write while all others refused them, and the run
   * has not met it.
   */
  static final int UNMET = 18;

  /** How often a region of S began a record after it was open without the guard. */
  private static final int RECORDS = 19;

  // Two bytes for each generation, or each region of it.
  private static final int DESCRIPTOR = 20;
  private static final int REGION = DESCRIPTOR + 4;
  private static final int CELLS = REGION + 4 * MAX_REGIONS;
  private static final int DONE_CELLS = CELLS + 4;
  // Four bits for each row.
  private static final int LATEST = DONE_CELLS + 2;
  private static final int DONE_LATEST = LATEST + 2;
  private static final int MARKS = DONE_LATEST + 1;

  /** The second copy of a migrator's write: where it is, see {@link #SENT}, and what it is. */
  static final int LATE = MARKS + 4 * MAX_REGIONS;

  static final int LATE_GENERATION = LATE + 1;
  static final int LATE_ROW = LATE + 2;
  static final int LATE_TURN = LATE + 3;
  static final int LATE_LATEST = LATE + 4;
  static final int LATE_ADDS = LATE + 5;
  static final int LATE_REMOVES = LATE + 7;
  private static final int MIGRATORS = LATE + 9;

  // Of each run of the migrator.
  static final int M_PROGRAM = 0;
  static final int M_ACT = 1;
  static final int M_AT = 2;
  static final int M_ROW = 3;
  static final int M_TURN = 4;
  static final int M_DONE = 5;

  /** The pass of the generation that clients write. */
  static final int M_PASS = 6;

  /** Whether the generation that it had tracked was tracked before. */
  static final int M_WAS = 7;

  static final int M_LATEST = 8;
  static final int M_WANTED = 9;
  static final int M_ADDS = 11;
  static final int M_REMOVES = 13;

  /** The latest pass since which a region that has answered is open with the guard. */
  static final int M_GUARDED = 15;

  /** Whether regions were split or merged since it has listed them, or if they were one then. */
  static final int M_LISTED = 16;

  /**
   * The records of the generation that clients have left, and 1, when its regions answered last; 0
   * if all were open with the guard only.
   */
  static final int M_LEFT = 17;

  /** That number, at the moment when all rows were compared. */
  static final int M_COMPARED = 18;

  private static final int M_WIDTH = 19;

  // Of each client; G_* is of the request that it gave up waiting for.
  static final int C_NEXT = 0;
  static final int C_AT = 1;
  static final int C_TARGET = 2;
  static final int C_MARK = 3;
  static final int C_ATTEMPT = 4;
  private static final int C_SEEN = 5;

  /** The overwriting put that was the latest when the read began. */
  static final int C_LATEST = 7;

  private static final int C_KNOWN = 8;
  static final int G_AT = 10;
  static final int G_CALL = 11;
  static final int G_TARGET = 12;
  static final int G_MARK = 13;
  private static final int C_WIDTH = 14;

  /** The position of a request. */
  static final int SENT = 1;

  static final int CHECKED = 2;

  private static final Stage[] STAGES = Stage.values();

  final byte[] bytes;
  private final int clients;

  private State(byte[] bytes, int clients) {
    this.bytes = bytes;
    this.clients = clients;
  }

  static State empty(int migrators, int clients) {
    int at = MIGRATORS + migrators * M_WIDTH;
    return new State(new byte[at + clients * C_WIDTH], at);
  }

  State copy() {
    return new State(bytes.clone(), clients);
  }

  /** The same shape with other bytes. */
  State of(byte[] other) {
    return new State(other, clients);
  }

  int get(int field) {
    return bytes[field];
  }

  void set(int field, int value) {
    bytes[field] = (byte) value;
  }

  private int wide(int at) {
    return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8;
  }

  private void wide(int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >> 8);
  }

  /** The stage in the registry; null before there is one. */
  @Nullable Stage stage() {
    return bytes[STAGE] == 0 ? null : STAGES[bytes[STAGE] - 1];
  }

  @SuppressWarnings("EnumOrdinal") // never kept
  void stage(@Nullable Stage stage) {
    bytes[STAGE] = (byte) (stage == null ? 0 : stage.ordinal() + 1);
  }

  int descriptor(int generation) {
    return wide(DESCRIPTOR + 2 * generation);
  }

  void descriptor(int generation, int word) {
    wide(DESCRIPTOR + 2 * generation, word);
  }

  int region(int generation, int region) {
    return wide(REGION + 2 * (generation * MAX_REGIONS + region));
  }

  void region(int generation, int region, int word) {
    wide(REGION + 2 * (generation * MAX_REGIONS + region), word);
    if (isMerged(generation)) {
      wide(REGION + 2 * (generation * MAX_REGIONS + 1 - region), word);
    }
  }

  /** Whether both rows of a generation are in one region, which is that of either. */
  boolean isMerged(int generation) {
    return (bytes[MERGED] >> generation & 1) != 0;
  }

  /** Splits or merges the regions of a generation; they open by a state. */
  void reshape(int generation, int word, int guarded) {
    bytes[MERGED] ^= (byte) (1 << generation);
    for (int region = 0; region < MAX_REGIONS; region++) {
      region(generation, region, word);
      guardOne(generation, region, guarded);
    }
    record(generation, word, guarded);
  }

  int cells(int generation) {
    return wide(CELLS + 2 * generation);
  }

  void cells(int generation, int cells) {
    wide(CELLS + 2 * generation, cells);
  }

  /** All that clients' writes have done, wherever. */
  int doneCells() {
    return wide(DONE_CELLS);
  }

  void doneCells(int cells) {
    wide(DONE_CELLS, cells);
  }

  /** The number of the overwriting put that a row has in a generation; 0 if none. */
  int latest(int generation, int row) {
    return bytes[LATEST + generation] >> 4 * row & 0xf;
  }

  void latest(int generation, int row, int put) {
    bytes[LATEST + generation] = nibble(bytes[LATEST + generation], row, put);
  }

  int doneLatest(int row) {
    return bytes[DONE_LATEST] >> 4 * row & 0xf;
  }

  void doneLatest(int row, int put) {
    bytes[DONE_LATEST] = nibble(bytes[DONE_LATEST], row, put);
  }

  private static byte nibble(int all, int row, int value) {
    return (byte) (all & ~(0xf << 4 * row) | value << 4 * row);
  }

  /** The passes of the marks that a row has, one bit each. */
  int marks(int generation, int row) {
    return wide(MARKS + 2 * (generation * MAX_REGIONS + row));
  }

  void marks(int generation, int row, int marks) {
    wide(MARKS + 2 * (generation * MAX_REGIONS + row), marks);
  }

  int late(int wideField) {
    return wide(wideField);
  }

  void late(int wideField, int value) {
    wide(wideField, value);
  }

  boolean isGhost(int generation, int region) {
    return (bytes[GHOSTS] >> generation * MAX_REGIONS + region & 1) != 0;
  }

  void ghost(int generation, int region) {
    bytes[GHOSTS] |= (byte) (1 << generation * MAX_REGIONS + region);
  }

  boolean isUnguarded(int generation, int region) {
    return (bytes[UNGUARDED] >> generation * MAX_REGIONS + region & 1) != 0;
  }

  void unguard(int generation, int region) {
    int which = isMerged(generation) ? (1 << MAX_REGIONS) - 1 : 1 << region;
    bytes[UNGUARDED] |= (byte) (which << generation * MAX_REGIONS);
  }

  /** A region opens with the guard: rows may lack marks of the passes before this one. */
  void guard(int generation, int region, int pass) {
    guardOne(generation, region, pass);
    if (isMerged(generation)) {
      guardOne(generation, 1 - region, pass);
    }
    record(generation, descriptor(generation), pass);
  }

  private void record(int generation, int word, int pass) {
    if (generation == S && pass > GuardWord.pass(word)) {
      bytes[RECORDS]++;
    }
  }

  /** What {@link #M_LEFT} is, now. */
  int records() {
    return bytes[RECORDS] + 1;
  }

  private void guardOne(int generation, int region, int pass) {
    bytes[UNGUARDED] &= (byte) ~(1 << generation * MAX_REGIONS + region);
    int shift = 4 * (generation * MAX_REGIONS + region);
    wide(GUARDED, wide(GUARDED) & ~(0xf << shift) | pass << shift);
  }

  int guardedSince(int generation, int region) {
    return wide(GUARDED) >> 4 * (generation * MAX_REGIONS + region) & 0xf;
  }

  int migrator(int run, int field) {
    return bytes[MIGRATORS + run * M_WIDTH + field];
  }

  void migrator(int run, int field, int value) {
    bytes[MIGRATORS + run * M_WIDTH + field] = (byte) value;
  }

  int migratorWide(int run, int field) {
    return wide(MIGRATORS + run * M_WIDTH + field);
  }

  void migratorWide(int run, int field, int value) {
    wide(MIGRATORS + run * M_WIDTH + field, value);
  }

  int program(int run) {
    return migrator(run, M_PROGRAM);
  }

  /** Nothing of a run matters any more. */
  void stop(int run) {
    for (int field = 0; field < M_WIDTH; field++) {
      migrator(run, field, 0);
    }
  }

  int client(int client, int field) {
    return bytes[clients + client * C_WIDTH + field];
  }

  void client(int client, int field, int value) {
    bytes[clients + client * C_WIDTH + field] = (byte) value;
  }

  int seen(int client) {
    return wide(clients + client * C_WIDTH + C_SEEN);
  }

  void seen(int client, int cells) {
    wide(clients + client * C_WIDTH + C_SEEN, cells);
  }

  /** What a client has read so far, or had acknowledged. */
  int known(int client) {
    return wide(clients + client * C_WIDTH + C_KNOWN);
  }

  void known(int client, int cells) {
    wide(clients + client * C_WIDTH + C_KNOWN, cells);
  }
}
