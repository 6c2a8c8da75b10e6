/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.index;

/** The entries that a read with a limit begins with. Stateless. */
public final class EntryLimit {
  private EntryLimit() {}

  /**
   * The number of entries to read at first for a number of rows: an eighth more and four, since
   * some may be without their row.
   */
  public static int of(int rows) {
    return (int) Math.min(Integer.MAX_VALUE, rows + rows / 8L + 4);
  }
}
