/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A state of the world: a few bytes. Fields that say nothing at the moment are 0, so that states
 * which differ in nothing that matters are the same. Mutable while a step makes it.
 */
final class State {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // Of the world.
  static final int FAULTS = 0;

  /** The stage of an index that is being added: see {@link Filler}. */
  static final int STAGE = 1;

  /** The epoch in the table's descriptor. */
  static final int EPOCH = 2;

  static final int MIGRATED = 3;
  static final int COMPACTED = 4;

  /** The clock of the rows' servers: not yet behind, behind, or right again. */
  static final int CLOCK = 5;

  static final int REOPENED = 6;

  /** The error of a step: see {@link Broken}. */
  static final int BROKEN = 7;

  /** Whether the index was dropped; it may be there again. */
  static final int DROPPED = 8;

  /** The requests on their way whose clients do not wait for them any more, the larger first. */
  private static final int LATE = 9;

  static final int LATE_REQUESTS = 2;

  // Of each row.
  static final int COLUMNS = 0;

  /** The entry of the write that the row is from; 0 if no such entry is known. */
  static final int NONCE = 1;

  /** Whether what the row has now was acknowledged. */
  static final int ACKNOWLEDGED = 2;

  static final int REGION_EPOCH = 3;

  /** The timestamp of each of the two columns; 0 if the row does not have it. */
  static final int STAMPS = 4;

  /** The latest timestamp of a tombstone on each of the two columns. */
  static final int TOMBSTONES = 6;

  /**
   * The keys of its settled entries, one bit each; those of an index that is added again have the
   * upper half.
   */
  static final int SETTLED = 8;

  private static final int ROWS = LATE + LATE_REQUESTS * Long.BYTES;
  private static final int ROW_WIDTH = 9;

  /** The entries of each row; entry 0 is none. */
  static final int ENTRIES = 12;

  private static final int ENTRY_WIDTH = 1;

  /** The bytes of each writer, sweep, filler and reader. */
  private static final int ACTOR_WIDTH = 12;

  final byte[] bytes;
  private final int rows;

  private State(byte[] bytes, int rows) {
    this.bytes = bytes;
    this.rows = rows;
  }

  static State empty(int rows, int actors) {
    int size = ROWS + rows * (ROW_WIDTH + ENTRIES * ENTRY_WIDTH) + actors * ACTOR_WIDTH;
    return new State(new byte[size], rows);
  }

  State copy() {
    return new State(bytes.clone(), rows);
  }

  /** The same shape with other bytes. */
  State of(byte[] other) {
    return new State(other, rows);
  }

  int rows() {
    return rows;
  }

  int get(int field) {
    return bytes[field];
  }

  void set(int field, int value) {
    bytes[field] = (byte) value;
  }

  int row(int row, int field) {
    return bytes[ROWS + row * ROW_WIDTH + field];
  }

  void row(int row, int field, int value) {
    bytes[ROWS + row * ROW_WIDTH + field] = (byte) value;
  }

  int key(int row) {
    return Columns.key(row(row, COLUMNS));
  }

  private int entryAt(int row, int entry) {
    return ROWS + rows * ROW_WIDTH + (row * ENTRIES + entry) * ENTRY_WIDTH;
  }

  int entry(int row, int entry) {
    return bytes[entryAt(row, entry)];
  }

  void entry(int row, int entry, int value) {
    bytes[entryAt(row, entry)] = (byte) value;
  }

  private int actorAt(int actor) {
    return ROWS + rows * (ROW_WIDTH + ENTRIES * ENTRY_WIDTH) + actor * ACTOR_WIDTH;
  }

  int actor(int actor, int field) {
    return bytes[actorAt(actor) + field];
  }

  void actor(int actor, int field, int value) {
    bytes[actorAt(actor) + field] = (byte) value;
  }

  /** Nothing of an actor matters any more, but where it goes on. */
  void actorAt(int actor, int position) {
    int at = actorAt(actor);
    java.util.Arrays.fill(bytes, at, at + ACTOR_WIDTH, (byte) 0);
    bytes[at] = (byte) position;
  }

  long late(int place) {
    return (long) LONGS.get(bytes, LATE + place * Long.BYTES);
  }

  private void late(int place, long request) {
    LONGS.set(bytes, LATE + place * Long.BYTES, request);
  }

  boolean hasRoom() {
    return late(LATE_REQUESTS - 1) == 0;
  }

  void addLate(long request) {
    late(LATE_REQUESTS - 1, request);
    sortLate();
  }

  void removeLate(int place) {
    late(place, 0);
    sortLate();
  }

  private void sortLate() {
    long first = late(0);
    long second = late(1);
    late(0, Math.max(first, second));
    late(1, Math.min(first, second));
  }

  /** A hash of 64 bits, never 0. */
  long hash() {
    return hash(bytes);
  }

  static long hash(byte[] bytes) {
    long hash = bytes.length;
    int at = 0;
    for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    long rest = 0;
    for (; at < bytes.length; at++) {
      rest = rest << Byte.SIZE | bytes[at] & 0xff;
    }
    hash = mix(hash ^ rest);
    return hash == 0 ? 1 : hash;
  }

  // Stafford's thirteenth mixing of 64 bits, and a constant so that 0 is not a fixed point.
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
