/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.Locale;

/**
 * A change of a region or layout at a key.
 *
 * @param at the time of its detection, in milliseconds since 1970
 * @param table the table's name
 * @param key the physical key
 * @param kind the kind of event
 * @param text details, such as source and target server, or the number of new regions
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RegionEvent(long at, String table, byte[] key, Kind kind, String text) {
  /** The kinds of events. */
  public enum Kind {
    /** A region was split. */
    SPLIT,
    /** Regions were merged. */
    MERGE,
    /** A region moved to another region server. */
    MOVE,
    /** A region's counters restarted on the same region server. */
    RESTART,
    /** The table's layout changed. */
    GENERATION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
