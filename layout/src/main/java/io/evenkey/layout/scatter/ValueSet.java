/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The values that a condition allows one field to have, as ranges of their ascending encodings,
 * which are the one definition of order that there is. Immutable.
 *
 * @param ranges disjoint, ascending, none empty
 */
record ValueSet(List<KeyRange> ranges) {
  private static final Comparator<KeyRange> BY_START =
      (a, b) -> Arrays.compareUnsigned(a.start(), b.start());

  ValueSet {
    ranges = List.copyOf(ranges);
  }

  /** The values of these ranges, which may overlap. */
  static ValueSet of(List<KeyRange> ranges) {
    List<KeyRange> sorted = new ArrayList<>(ranges);
    sorted.removeIf(KeyRange::isEmpty);
    sorted.sort(BY_START);
    List<KeyRange> joined = new ArrayList<>();
    for (KeyRange range : sorted) {
      int last = joined.size() - 1;
      // Values next to each other stay apart: each may fix a bucket of its own.
      if (last >= 0 && !joined.get(last).intersection(range).isEmpty()) {
        joined.set(last, Objects.requireNonNull(joined.get(last).joined(range)));
      } else {
        joined.add(range);
      }
    }
    return new ValueSet(joined);
  }

  /** The values that both allow. */
  ValueSet and(ValueSet that) {
    List<KeyRange> both = new ArrayList<>();
    for (KeyRange mine : ranges) {
      for (KeyRange theirs : that.ranges) {
        both.add(mine.intersection(theirs));
      }
    }
    return of(both);
  }

  /** Whether a value, in its ascending form, is allowed. */
  boolean contains(byte[] value) {
    for (KeyRange range : ranges) {
      if (range.contains(value)) {
        return true;
      }
    }
    return false;
  }

  /** Whether each range of values is within one that the other allows. */
  boolean isWithin(ValueSet other) {
    return ranges.stream()
        .allMatch(
            mine ->
                other.ranges.stream().anyMatch(theirs -> mine.intersection(theirs).equals(mine)));
  }

  /** Whether nothing is allowed. */
  boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Whether only single values are allowed. */
  boolean isPoints() {
    return ranges.stream().allMatch(range -> range.onlyKey() != null);
  }

  /** One range that has all that is allowed, and perhaps more. */
  ValueSet hull() {
    return isEmpty()
        ? this
        : of(List.of(KeyRange.of(ranges.get(0).start(), ranges.get(ranges.size() - 1).stop())));
  }
}
