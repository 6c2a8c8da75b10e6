/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.field.ValueException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** The columns of a source's records that hold the fields of a layout. Not thread-safe. */
public final class KeyColumns {
  private final RecordSource source;
  private final Layout layout;
  private final Map<String, Integer> columns = new HashMap<>();
  private final Set<String> numbers = new HashSet<>();
  private final Set<String> times = new HashSet<>();
  private final @Nullable WrittenTimes written;
  private final OddTimes odd = new OddTimes();

  private KeyColumns(RecordSource source, Layout layout, @Nullable WrittenTimes written) {
    this.source = source;
    this.layout = layout;
    this.written = written;
  }

  /**
   * Finds the columns.
   *
   * @throws InputException if a field of the layout is not a column, or one that cannot be read
   */
  public static KeyColumns of(RecordSource source, Layout layout) throws InputException {
    return of(source, layout, null);
  }

  /**
   * As {@link #of(RecordSource, Layout)}, of a file whose whole numbers are times in their own way.
   *
   * @param written what they are, or null if they are milliseconds
   */
  public static KeyColumns of(RecordSource source, Layout layout, @Nullable WrittenTimes written)
      throws InputException {
    KeyColumns found = new KeyColumns(source, layout, written);
    for (Field field : layout.fields()) {
      found.columns.put(field.name(), source.column(field.name()));
      source.type(field.name());
      Numbers numbers = field.type().numbers();
      if (OddTimes.isTime(field)) {
        found.times.add(field.name());
      }
      if (numbers != null && numbers.unit() == Numbers.Unit.ONE) {
        found.numbers.add(field.name());
      }
    }
    return found;
  }

  /** Whether a column is part of the key. */
  public boolean contains(String column) {
    return columns.containsKey(column);
  }

  /**
   * The logical key of the current record.
   *
   * @throws InputException if one of its values cannot be in a key
   */
  public byte[] logicalKey(RecordCursor record) throws InputException {
    try {
      return layout.logicalKey(values(record));
    } catch (ValueException e) {
      throw InputException.value(source, record, e.field(), e.getMessage());
    } catch (IllegalArgumentException e) {
      throw InputException.value(
          source, record, String.join(",", times), String.valueOf(e.getMessage()));
    }
  }

  private Values values(RecordCursor record) {
    return layout.read(
        field -> {
          Integer column = columns.get(field);
          if (column == null || !record.has(column)) {
            return null;
          }
          String text = numbers.contains(field) ? record.number(column) : record.value(column);
          return times.contains(field) ? time(field, text) : text;
        });
  }

  private String time(String field, String text) {
    if (written == null) {
      odd.add(field, text);
      return text;
    }
    return written.milliseconds(text);
  }

  /** The times, among those of the records up to now, that are hardly what they were taken for. */
  public OddTimes oddTimes() {
    return odd;
  }

  /**
   * The quantiles of the physical rows of all records.
   *
   * @throws InputException if there are no records, or one cannot be a row
   */
  public RowQuantiles quantiles() throws InputException {
    return quantiles((record, number) -> {});
  }

  /**
   * The quantiles of the physical rows of all records, each of which another reader gets too.
   *
   * @param also gets each record with its number, from 0 on
   */
  public RowQuantiles quantiles(ObjLongConsumer<RecordCursor> also) throws InputException {
    RowQuantiles rows = new RowQuantiles();
    try (RecordCursor records = source.open()) {
      for (long number = 0; records.next(); number++) {
        rows.add(layout.physical(logicalKey(records)));
        also.accept(records, number);
      }
    }
    if (rows.rows() == 0) {
      throw InputException.empty(source);
    }
    return rows;
  }
}
