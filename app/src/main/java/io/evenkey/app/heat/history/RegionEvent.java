package io.evenkey.app.heat.history;

import java.util.Locale;

/**
 * Something that happened in the key space.
 *
 * @param at when it was noticed, in milliseconds since 1970
 * @param table where
 * @param key at which key
 * @param kind what
 * @param text for people: from which server to which, into how many
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RegionEvent(long at, String table, byte[] key, Kind kind, String text) {
  /** What can happen. */
  public enum Kind {
    /** A region became several. */
    SPLIT,
    /** Several regions became one. */
    MERGE,
    /** A region is served by another server. */
    MOVE,
    /** A region's counters began again at the same server. */
    RESTART,
    /** The table's rows are made by another layout than before. */
    GENERATION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
