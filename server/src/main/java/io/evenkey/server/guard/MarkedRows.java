/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Rows of a region that have a mark of the present pass, so that they need no other: a row that is
 * written a thousand times a second would otherwise collect as many tombstones, which each read of
 * it has to pass.
 *
 * <p>It knows at most {@value #ROWS} rows, of those that were marked last, and takes at most 300 KB
 * for them. A row that it does not know is marked again, which does no harm; it never knows a row
 * that was not added. Thread-safe without locks: threads that add at the same time may lose rows.
 */
final class MarkedRows {
  private static final int SETS = 256;
  private static final int WAYS = 4;
  static final int ROWS = SETS * WAYS;

  /** Longer rows are not kept. */
  static final int LONGEST = 256;

  // Sets of few places, which a row is looked for in from the front.
  private final AtomicReferenceArray<byte[]> places = new AtomicReferenceArray<>(ROWS);

  boolean contains(byte[] row) {
    int first = first(row);
    for (int i = first; i < first + WAYS; i++) {
      byte[] found = places.get(i);
      if (found != null && Arrays.equals(found, row)) {
        if (i > first) {
          // What is looked for often is thrown out late.
          places.set(i, places.get(i - 1));
          places.set(i - 1, found);
        }
        return true;
      }
    }
    return false;
  }

  /** Keeps the array itself. */
  void add(byte[] row) {
    if (row.length > LONGEST || contains(row)) {
      return;
    }
    int first = first(row);
    for (int i = first + WAYS - 1; i > first; i--) {
      places.set(i, places.get(i - 1));
    }
    places.set(first, row);
  }

  private static int first(byte[] row) {
    int hash = Arrays.hashCode(row) * 0x9E3779B9;
    return (hash >>> 24) * WAYS;
  }
}
