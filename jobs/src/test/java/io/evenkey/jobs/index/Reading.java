/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.select.KeyedRow;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import java.util.Comparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A row of a test: its key, and its columns, which are null if it does not have them. Immutable.
 */
record Reading(String device, long ts, @Nullable String temp, @Nullable String note) {
  static final Layout LAYOUT = Layout.parse("salt(4, device) + device:string + ts:int64 desc");
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[] TEMP = Bytes.toBytes("temp");
  static final byte[] NOTE = Bytes.toBytes("note");
  static final String HEADER = "device,ts,temp,note";

  static Reading of(KeyedRow row) {
    return of(row.getString("device"), row.getLong("ts"), row.result());
  }

  /** A row under the logical key of the table or of one of its indexes. */
  static Reading of(Layout layout, byte[] key, Result row) {
    Values values = layout.decodeLogical(key);
    return of(values.getString("device"), values.getLong("ts"), row);
  }

  private static Reading of(String device, long ts, Result row) {
    return new Reading(device, ts, text(row, TEMP), text(row, NOTE));
  }

  private static @Nullable String text(Result row, byte[] column) {
    byte[] value = row.getValue(FAMILY, column);
    return value == null ? null : Bytes.toString(value);
  }

  /** The text of a field or a column; null if the row does not have it. */
  @Nullable String text(String name) {
    return switch (name) {
      case "device" -> device;
      case "temp" -> temp;
      case "note" -> note;
      default -> "" + ts;
    };
  }

  /** The order of rows that have all fields of a layout. */
  static Comparator<Reading> by(Layout layout) {
    return layout.fields().stream()
        .map(Reading::by)
        .reduce(Comparator::thenComparing)
        .orElseThrow();
  }

  private static Comparator<Reading> by(Field field) {
    Comparator<Reading> up =
        field.name().equals("ts")
            ? Comparator.comparingLong(Reading::ts)
            : Comparator.comparing(reading -> String.valueOf(reading.text(field.name())));
    return field.descending() ? up.reversed() : up;
  }

  /** A line of a file to import; a column that the row does not have is empty. */
  String line() {
    return device + "," + ts + "," + (temp == null ? "" : temp) + "," + (note == null ? "" : note);
  }

  static Reading parse(String line) {
    String[] parts = line.split(",", -1);
    return new Reading(
        parts[0],
        Long.parseLong(parts[1]),
        parts[2].isEmpty() ? null : parts[2],
        parts[3].isEmpty() ? null : parts[3]);
  }

  byte[] key() {
    return LAYOUT.logicalKey(Values.of("device", device).and("ts", ts));
  }

  /** A put of the columns, of which there has to be one. */
  Put put() {
    Put put = new Put(key());
    if (temp != null) {
      put.addColumn(FAMILY, TEMP, Bytes.toBytes(temp));
    }
    if (note != null) {
      put.addColumn(FAMILY, NOTE, Bytes.toBytes(note));
    }
    return put;
  }
}
