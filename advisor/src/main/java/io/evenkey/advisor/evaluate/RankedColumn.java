/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.sample.Column;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A column whose different values have their places in order. Immutable. */
final class RankedColumn {
  private final Column column;
  private final Field field;
  private final boolean isNumber;
  private final long[] inNumbers;
  private final int[] ranks;
  private final List<String> inOrder;
  private final int[] recordRanks;
  private final Map<String, Integer> codes = new HashMap<>();

  RankedColumn(Column column) {
    this.column = column;
    this.field = Layout.parse(column.declared(false)).fields().get(0);
    this.isNumber = column.type().equals("int64") || column.isTime();
    List<Integer> places = new ArrayList<>();
    long[] numbers = new long[isNumber ? column.values().size() : 0];
    for (int code = 0; code < column.values().size(); code++) {
      places.add(code);
      codes.put(column.values().get(code), code);
      if (isNumber) {
        numbers[code] = number(column.values().get(code));
      }
    }
    places.sort(
        isNumber
            ? Comparator.comparingLong(code -> numbers[code])
            : Comparator.comparing(code -> column.values().get(code)));
    inNumbers = numbers.clone();
    Arrays.sort(inNumbers);
    ranks = new int[places.size()];
    inOrder = new ArrayList<>();
    for (int place = 0; place < ranks.length; place++) {
      ranks[places.get(place)] = place;
      inOrder.add(column.values().get(places.get(place)));
    }
    recordRanks = new int[column.codes().length];
    Arrays.setAll(recordRanks, record -> ranks[column.codes()[record]]);
    Arrays.sort(recordRanks);
  }

  /** The value of a text; of a time that is written, its milliseconds. */
  private long number(String text) {
    return column.isTimestamp() ? (Long) field.parse(text) : Long.parseLong(text);
  }

  Column column() {
    return column;
  }

  /**
   * The code of a value, or -1 if no record has it.
   *
   * @throws io.evenkey.layout.field.ValueException if it is none of the column's type
   */
  int code(String value) {
    Integer code = codes.get(value);
    if (code == null) {
      Object unused = field.parse(value);
    }
    return code == null ? -1 : code;
  }

  int rankOfCode(int code) {
    return ranks[code];
  }

  int last() {
    return ranks.length - 1;
  }

  String atRank(int rank) {
    return inOrder.get(rank);
  }

  /**
   * The place of a value, or that of the next one if no record has it.
   *
   * @throws io.evenkey.layout.field.ValueException if it is none of the column's type
   */
  int rank(String value) {
    int code = code(value);
    if (code >= 0) {
      return ranks[code];
    }
    int below;
    if (isNumber) {
      long number = number(value);
      int at = Arrays.binarySearch(inNumbers, number);
      below = at < 0 ? -at - 1 : at;
    } else {
      below = 0;
      for (String other : column.values()) {
        below += other.compareTo(value) < 0 ? 1 : 0;
      }
    }
    return Math.min(below, last());
  }

  /** The place up to which there is this share of the records from a place on. */
  int rankAfter(int rank, double share) {
    int at = Arrays.binarySearch(recordRanks, rank);
    int from = Math.max(0, at < 0 ? -at - 1 : at);
    return recordRanks[Math.min(recordRanks.length - 1, from + (int) (share * recordRanks.length))];
  }
}
