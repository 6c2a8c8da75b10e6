/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

/**
 * A read that breaks the guarantee.
 *
 * @param kind what it breaks
 * @param read the read
 * @param row the row
 * @param value the value by which the row is missing, or was returned
 */
public record Breach(Breach.Kind kind, Read read, String row, String value) {
  /** The kinds of breaches. */
  public enum Kind {
    /** A row that was acknowledged before the read, and did not change during it, is missing. */
    LOST,
    /** A row was returned more than once by one value. */
    DOUBLED,
    /** A row was returned by a value that it had at no moment of the read. */
    PHANTOM,
    /** A row was returned behind one that belongs after it. */
    OUT_OF_ORDER
  }

  @Override
  public String toString() {
    return "%s: row=%s value=%s read=[%d, %d]"
        .formatted(kind, row, value, read.begin(), read.end());
  }
}
