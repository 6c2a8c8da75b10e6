/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import org.jspecify.annotations.Nullable;

/**
 * A table as a reading found it.
 *
 * @param physical the physical table that clients use: the generation in use, or the table itself
 * @param layout its layout line, or null
 * @param kind what the table is for
 */
public record TableReading(String physical, @Nullable String layout, Kind kind) {
  /** The purpose of a table, in the order of display. */
  public enum Kind {
    /** A table of an application. */
    TABLE,
    /** The entries of an index. */
    INDEX,
    /** A table that Evenkey keeps for itself. */
    OWN
  }
}
