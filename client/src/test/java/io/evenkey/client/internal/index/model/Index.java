/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index.model;

/**
 * The servers of the index. An entry is a column in the index row of a key; it has the bits of what
 * was written to it and, if it was written at all, its key. The column of a settled entry is none
 * of these.
 */
final class Index {
  private static final int KEY_BITS = 3;
  private static final int KEY = (1 << KEY_BITS) - 1;
  private static final int PUT = 1 << KEY_BITS;
  private static final int TOMBSTONE = PUT << 1;

  private final World world;

  Index(World world) {
    this.world = world;
  }

  /** Executes a request. */
  void execute(State state, long request) {
    int row = Request.row(request);
    if (Request.kind(request) == Request.Kind.SETTLE) {
      int keys =
          state.row(row, State.SETTLED) | settled(Request.key(request), Request.entry(request));
      state.row(row, State.SETTLED, keys);
      return;
    }
    int entry = Request.entry(request);
    int key = Request.key(request) + 1;
    int was = state.entry(row, entry);
    if ((was & KEY) != 0 && (was & KEY) != key) {
      // The index row of this key has no such column: a tombstone in it hides nothing.
      return;
    }
    int bit = TOMBSTONE;
    if (Request.kind(request) == Request.Kind.PUT_ENTRY) {
      // Without numbers of its own, a later put is on top of a tombstone.
      was = world.has(Rule.FRESH_NONCE) ? was : was & ~TOMBSTONE;
      bit = PUT;
    }
    state.entry(row, entry, was | key | bit);
  }

  boolean isVisible(State state, int row, int entry) {
    int bits = state.entry(row, entry);
    return (bits & TOMBSTONE) == 0 && (bits & PUT) != 0;
  }

  int key(State state, int row, int entry) {
    return (state.entry(row, entry) & KEY) - 1;
  }

  /** Whether the index row of a key has an entry of a row. */
  boolean has(State state, int row, int key) {
    return isSettled(state, row, key, 0)
        || isSettled(state, row, key, 1)
        || hasColumn(state, row, key);
  }

  /**
   * Whether a reader takes the entry for its row.
   *
   * @param again whether it reads the index that was dropped and added again
   */
  boolean isSettled(State state, int row, int key, int again) {
    return (state.row(row, State.SETTLED) & settled(key, again)) != 0;
  }

  private int settled(int key, int again) {
    return 1 << key + (world.has(Rule.SETTLED_SINCE) ? Columns.KEYS * again : 0);
  }

  private boolean hasColumn(State state, int row, int key) {
    for (int entry = 1; entry < State.ENTRIES; entry++) {
      if (isVisible(state, row, entry) && key(state, row, entry) == key) {
        return true;
      }
    }
    return false;
  }

  /** Deletes the entries of a row. */
  void clear(State state, int row) {
    state.row(row, State.SETTLED, 0);
    for (int entry = 1; entry < State.ENTRIES; entry++) {
      state.entry(row, entry, 0);
    }
  }

  /** An entry that is there at the start. */
  void start(State state, int row, int entry, int key) {
    state.entry(row, entry, key + 1 | PUT);
  }

  String text(State state, int row, int entry) {
    int bits = state.entry(row, entry);
    return Columns.keyText(key(state, row, entry))
        + ((bits & PUT) != 0 ? " put" : "")
        + ((bits & TOMBSTONE) != 0 ? " removed" : "");
  }
}
