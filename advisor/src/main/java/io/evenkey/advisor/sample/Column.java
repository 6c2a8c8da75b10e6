/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.sample;

import io.evenkey.layout.message.Quoted;
import java.util.Arrays;
import java.util.List;

/**
 * A column of a sample: its different values, and which of them each record has. Immutable, but for
 * the array, which is not copied.
 *
 * @param name as in the header
 * @param type what the values are, as a field type of the layout language
 * @param keyType the field type for keys: that of the table's own key, if it has the column
 * @param values the different values, as text
 * @param codes of each record, the place of its value among these
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Column(String name, String type, String keyType, List<String> values, int[] codes) {
  /** The text of a record. */
  public String text(int record) {
    return values.get(codes[record]);
  }

  /** Whether values are moments, in whatever unit, so that their order is that of time. */
  public boolean isTime() {
    return isTimestamp() || isNumberedTime();
  }

  /** Whether values are moments as a field of type {@code timestamp} reads them. */
  public boolean isTimestamp() {
    return type.equals("timestamp");
  }

  /** Whether values are moments that a key has as numbers, such as seconds since 1970. */
  boolean isNumberedTime() {
    return type.startsWith(ColumnType.NUMBERED_TIME);
  }

  /** Whether values are times whose text does not sort by time, such as {@code 31/01/2026}. */
  public boolean isUnsortedTime() {
    return type.equals(ColumnType.UNSORTED_TIME);
  }

  /** Whether each record has a greater number than the one before it, and none the same. */
  public boolean isRunningNumber() {
    if (!type.equals("int64") || values.size() < 2 || values.size() < codes.length) {
      return false;
    }
    // Each value first occurs where it stands among them.
    for (int i = 1; i < values.size(); i++) {
      if (Long.parseLong(values.get(i)) <= Long.parseLong(values.get(i - 1))) {
        return false;
      }
    }
    return true;
  }

  /** Whether values are host names. */
  public boolean isDomain() {
    return type.equals("domain");
  }

  /** The column as a field of a layout. */
  public String declared(boolean descending) {
    return isDomain()
        ? "reverse_domain(" + Quoted.name(name) + ":string" + (descending ? " desc" : "") + ")"
        : Quoted.name(name) + ":" + keyType + (descending ? " desc" : "");
  }

  /** The share of the records that have the value which most have. */
  public double largestShare() {
    int[] counts = new int[values.size()];
    for (int code : codes) {
      counts[code]++;
    }
    return codes.length == 0 ? 0 : (double) Arrays.stream(counts).max().orElse(0) / codes.length;
  }
}
