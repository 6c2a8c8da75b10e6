package io.evenkey.jobs.export;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table as people see it: the fields of its key in their order, then its columns.
 * Immutable.
 *
 * @param entries by name, no two of the same
 * @param timestamp of its newest cell
 */
public record Row(List<Entry> entries, long timestamp) {
  /** Copies the list. */
  public Row {
    entries = List.copyOf(entries);
  }

  /**
   * A value.
   *
   * @param name of the field or column
   * @param value a string, number or boolean, or null
   * @param text the value as it is read again
   * @param display the value as people read it best
   */
  public record Entry(String name, @Nullable Object value, String text, String display) {}
}
