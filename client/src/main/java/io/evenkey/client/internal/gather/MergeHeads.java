/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The first rows not yet returned of k streams, and which of them comes first.
 *
 * <p><b>Invariant.</b> Every stream gives whole rows in logical order, whose logical keys start
 * {@code keyOffset} bytes into the physical row. Whatever has been taken comes before all heads. So
 * the next row in logical order is the least head, and keys are compared where they lie, in the
 * bytes that HBase returned.
 *
 * <p>The merging thread asks which stream's head is {@link #wanted}, {@link #put}s it, and {@link
 * #take}s the least head once none is wanted. A stream is asked for its next head only after its
 * last one was taken, so that a caller who wants no further row does not wait for one. Not
 * thread-safe.
 */
final class MergeHeads {
  /** No head is wanted. */
  static final int NONE = -1;

  /** Stands for the head of a stream that is not open. */
  private static final Result NOT_OPEN = Result.create(new Cell[0]);

  private final Result[] heads;

  // Where each head's logical key lies: looked up once a row, compared several times.
  private final byte[][] keys;
  private final int[] from;
  private final int[] to;
  private final int keyOffset;
  private final int direction;
  private int filled;
  private @Nullable LoserTree tree;
  private boolean taken;

  /**
   * No heads yet.
   *
   * @param streams the number of streams, at least one
   * @param keyOffset bytes before the logical key in each physical row
   * @param reversed whether the streams give their rows in descending order
   */
  MergeHeads(int streams, int keyOffset, boolean reversed) {
    this.heads = new Result[streams];
    this.keys = new byte[streams][];
    this.from = new int[streams];
    this.to = new int[streams];
    this.keyOffset = keyOffset;
    this.direction = reversed ? -1 : 1;
  }

  /** The stream whose head has to be put before one can be taken, or {@link #NONE}. */
  int wanted() {
    LoserTree merge = tree;
    if (merge == null) {
      return filled;
    }
    return taken || heads[merge.winner()] == NOT_OPEN ? merge.winner() : NONE;
  }

  /** Whether all streams have had a first head, or are not open. */
  boolean isComplete() {
    return tree != null;
  }

  /**
   * Says of the stream that was wanted that it is not open. Its head is wanted again once all that
   * comes before the key was taken.
   *
   * @param begin a logical key that no row of the stream comes before
   */
  void expect(byte[] begin) {
    keys[filled] = begin;
    from[filled] = 0;
    to[filled] = begin.length;
    add(NOT_OPEN);
  }

  /** The head of the stream that was wanted, or null if that stream has ended. */
  void put(@Nullable Result head) {
    LoserTree merge = tree;
    if (merge != null) {
      set(merge.winner(), head);
      merge.replay();
      taken = false;
      return;
    }
    set(filled, head);
    add(head);
  }

  private void add(@Nullable Result head) {
    heads[filled++] = head;
    if (filled == heads.length) {
      tree = new LoserTree(heads.length, this::compare);
    }
  }

  private void set(int stream, @Nullable Result head) {
    heads[stream] = head;
    if (head != null) {
      Cell cell = head.rawCells()[0];
      keys[stream] = cell.getRowArray();
      from[stream] = cell.getRowOffset() + keyOffset;
      to[stream] = cell.getRowOffset() + cell.getRowLength();
    }
  }

  /** The least head, or null if all streams have ended. No head may be wanted. */
  @Nullable Result take() {
    LoserTree merge = tree;
    if (merge == null) {
      throw new IllegalStateException("a head is wanted: stream=" + filled);
    }
    Result least = heads[merge.winner()];
    taken = least != null;
    return least;
  }

  /**
   * The key up to which the merge can get while it waits for the wanted stream, of which the rows
   * before a cursor have been passed: the lesser of the cursor and all other heads, as a logical
   * key. Null if another stream has no row yet, or the cursor ends before its key begins.
   *
   * @param cursor a physical row
   */
  byte @Nullable [] position(byte[] cursor) {
    if (cursor.length < keyOffset || filled + (tree == null ? 1 : 0) < heads.length) {
      return null;
    }
    byte[] position = Arrays.copyOfRange(cursor, keyOffset, cursor.length);
    int waiting = wanted();
    for (int i = 0; i < heads.length; i++) {
      if (i != waiting && heads[i] != null) {
        byte[] key = Arrays.copyOfRange(keys[i], from[i], to[i]);
        if (direction * Arrays.compareUnsigned(key, position) < 0) {
          position = key;
        }
      }
    }
    return position;
  }

  private int compare(int a, int b) {
    if (heads[a] == null || heads[b] == null) {
      return heads[a] == heads[b] ? 0 : heads[a] == null ? 1 : -1;
    }
    return direction * Arrays.compareUnsigned(keys[a], from[a], to[a], keys[b], from[b], to[b]);
  }
}
