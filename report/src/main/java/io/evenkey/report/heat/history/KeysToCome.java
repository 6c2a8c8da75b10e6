/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.spread.Steps;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The logical keys that no row has yet at a moment: those of a later time, where a key begins with
 * one, or those from a step of the salt on that no row has reached. A region that reaches into them
 * has its load before them. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeysToCome(byte[] start, byte[] stop) {
  /** A clock that is ahead writes keys of a later time. */
  private static final long AHEAD_MS = 60_000;

  private static final KeysToCome NONE = new KeysToCome(new byte[0], new byte[0]);

  /** The keys to come at a moment; none if the keys do not begin with a time. */
  static KeysToCome after(@Nullable Layout layout, long moment) {
    if (layout == null) {
      return NONE;
    }
    Field first = layout.fields().get(0);
    Instant at = Instant.ofEpochMilli(moment + AHEAD_MS);
    String type = first.type().toString();
    if (type.startsWith("timestamp")) {
      return of(layout, Condition.field(first.name()).greaterThan(at));
    }
    return type.equals("date")
        ? of(
            layout,
            Condition.field(first.name()).greaterThan(LocalDate.ofInstant(at, ZoneOffset.UTC)))
        : NONE;
  }

  /**
   * The keys after a step of the salt, where a key begins with the step field; else none.
   *
   * @param step the last step that has rows
   */
  static KeysToCome beyond(Layout layout, int step) {
    Steps steps = layout.steps();
    if (steps.field() != 0 || step + 1 >= steps.count()) {
      return NONE;
    }
    String from = steps.list().get(step + 1).from();
    List<KeyRange> ranges = layout.where(Quoted.name(steps.fieldName()) + " >= " + from).ranges();
    return ranges.size() == 1 ? new KeysToCome(ranges.get(0).start(), ranges.get(0).stop()) : NONE;
  }

  private static KeysToCome of(Layout layout, Condition later) {
    List<KeyRange> ranges;
    try {
      ranges = layout.where(later).ranges();
    } catch (IllegalArgumentException e) {
      // A written time that cannot be compared with this one.
      return NONE;
    }
    return ranges.size() == 1 ? new KeysToCome(ranges.get(0).start(), ranges.get(0).stop()) : NONE;
  }

  /** Whether there are no such keys, or it is not known which. */
  boolean isNone() {
    return start.length == 0 && stop.length == 0;
  }

  /** Whether all keys of a range are to come; an empty end is that of the key space. */
  boolean has(byte[] from, byte[] to) {
    return !isNone()
        && Arrays.compareUnsigned(from, start) >= 0
        && (stop.length == 0 || (to.length > 0 && Arrays.compareUnsigned(to, stop) <= 0));
  }
}
