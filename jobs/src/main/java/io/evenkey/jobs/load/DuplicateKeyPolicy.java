/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import java.util.Locale;

/** The treatment of records with the same key, of which HBase keeps one. */
public enum DuplicateKeyPolicy {
  /** The load stops at the second of them. */
  FAIL,
  /** Counted and reported; the last value of each column is what remains. */
  REPORT,
  /** Counted and reported; only the first of them is written. */
  KEEP_FIRST;

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
