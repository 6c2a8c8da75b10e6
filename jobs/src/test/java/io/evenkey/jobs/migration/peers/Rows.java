/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

/**
 * One row of a generation: up to three versions of a cell, by their timestamps, and the tombstones
 * of single versions. It keeps one version, as HBase does: a tombstone of the newest one shows the
 * one before it, if that is still there. A number: three bits of versions, three of tombstones.
 */
final class Rows {
  /** The operation of an entry of another row, which is the same everywhere. */
  static final int NOTHING = 0;

  private static final int VERSIONS = 3;
  private static final int FOREIGN = 1 << 2 * VERSIONS;

  private Rows() {}

  /** The operation that puts a version, from 1 on. */
  static int put(int version) {
    return version;
  }

  /** The operation that deletes a version. */
  static int delete(int version) {
    return VERSIONS + version;
  }

  static boolean isPut(int operation) {
    return operation > NOTHING && operation <= VERSIONS;
  }

  static boolean isDelete(int operation) {
    return operation > VERSIONS;
  }

  static int after(int row, int operation) {
    return operation == NOTHING ? row : row | 1 << operation - 1;
  }

  /** The row of a table that has got a row of an earlier table of its name. */
  static int withForeign(int row) {
    return row | FOREIGN;
  }

  static boolean hasForeign(int row) {
    return (row & FOREIGN) != 0;
  }

  /** The version that readers see; 0 for none. */
  static int seen(int row) {
    for (int version = VERSIONS; version > 0; version--) {
      if ((row >> version - 1 & 1) == 1 && (row >> VERSIONS + version - 1 & 1) == 0) {
        return version;
      }
    }
    return 0;
  }

  /** A row of the other generation after it was repaired. */
  static int repaired(int right, int has) {
    int row = has | right >> VERSIONS << VERSIONS;
    int wanted = seen(right);
    if (wanted != 0) {
      row = after(row, put(wanted));
    }
    while (seen(row) != wanted) {
      row = after(row, delete(seen(row)));
    }
    return row;
  }
}
