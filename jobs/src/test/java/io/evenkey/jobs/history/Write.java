/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

import org.jspecify.annotations.Nullable;

/**
 * A write of a row. A write without an answer may be done at any time after its begin, or never.
 *
 * @param row the key of the row in the table
 * @param value the value that the row has after it; null if reads are not to return it then
 * @param begin the moment before the write was sent
 * @param end the moment after it was acknowledged; {@link #OPEN} if it was not
 */
public record Write(String row, @Nullable String value, long begin, long end) {
  /** The end of a write without an answer. */
  public static final long OPEN = Long.MAX_VALUE;

  /** Whether this was done before the other one was sent. */
  boolean isBefore(Write other) {
    return end < other.begin;
  }
}
