/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.sample.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A column whose different values have their places in order. Immutable. */
final class RankedColumn {
  private final Column column;
  private final Comparator<String> order;
  private final int[] ranks;
  private final List<String> inOrder;
  private final int[] recordRanks;
  private final Map<String, Integer> codes = new HashMap<>();

  RankedColumn(Column column) {
    this.column = column;
    this.order = order(column);
    List<Integer> places = new ArrayList<>();
    for (int code = 0; code < column.values().size(); code++) {
      places.add(code);
      codes.put(column.values().get(code), code);
    }
    places.sort(Comparator.comparing(code -> column.values().get(code), order));
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

  private static Comparator<String> order(Column column) {
    boolean number =
        column.type().equals("int64")
            || column.isTime() && column.values().stream().allMatch(v -> v.matches("-?[0-9]+"));
    return number ? Comparator.comparingLong(Long::parseLong) : Comparator.naturalOrder();
  }

  Column column() {
    return column;
  }

  /** The code of a value, or -1 if no record has it. */
  int code(String value) {
    return codes.getOrDefault(value, -1);
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

  /** The place of a value, or that of the next one if no record has it. */
  int rank(String value) {
    int code = code(value);
    if (code >= 0) {
      return ranks[code];
    }
    int below = 0;
    for (String other : column.values()) {
      below += order.compare(other, value) < 0 ? 1 : 0;
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
