package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The physical ranges that together hold a logical range. Immutable.
 *
 * @param ranges disjoint, ascending, as few as there can be
 * @param ordered whether the rows of each range are in logical order, so that merging the ranges
 *     gives the logical range in order. Not so where a reversed part varies within the range, or
 *     where the prefix has too many values to merge
 * @param exact whether the ranges hold the rows of the logical range only; if not, what they hold
 *     besides must be filtered out
 */
public record Scatter(List<KeyRange> ranges, boolean ordered, boolean exact) {
  /** Copies the list. */
  public Scatter {
    ranges = List.copyOf(ranges);
  }

  /** How many physical ranges one read of the logical range opens. */
  public int fanOut() {
    return ranges.size();
  }

  /** Scatters a logical range. */
  public static Scatter of(Spread spread, KeyRange logical) {
    if (logical.isEmpty()) {
      return new Scatter(List.of(), true, true);
    }
    List<byte[]> prefixes = spread.prefixes(logical);
    if (prefixes == null) {
      return new Scatter(List.of(KeyRange.all()), false, logical.equals(KeyRange.all()));
    }
    Scatter stored = withoutPrefix(spread.key(), logical);
    List<KeyRange> ranges = new ArrayList<>();
    for (byte[] prefix : prefixes) {
      stored.ranges.forEach(range -> ranges.add(range.under(prefix)));
    }
    return new Scatter(ranges, stored.ordered, stored.exact);
  }

  private static Scatter withoutPrefix(Key key, KeyRange logical) {
    if (!key.isReversed()) {
      return new Scatter(List.of(logical), true, true);
    }
    byte[] common = logical.commonPrefix();
    int wholeSteps = key.beginning(common, key.stepCount()).steps();
    byte[] onlyKey = logical.onlyKey();
    if (onlyKey != null || wholeSteps == key.stepCount()) {
      return point(key, logical, onlyKey == null ? common : onlyKey);
    }
    int varying = key.firstReversedBeyond(wholeSteps);
    Cut start = Cut.of(key, logical.start(), varying);
    byte[] logicalStop = logical.stop();
    Cut stop;
    if (startsWith(logicalStop, common)) {
      stop = Cut.of(key, logicalStop, varying);
      if (stop.shortened) {
        stop = new Cut(KeyRange.afterPrefix(stop.bytes), true);
      }
    } else {
      // The range ends where its common beginning does.
      stop = new Cut(KeyRange.afterPrefix(Cut.of(key, common, varying).bytes), false);
    }
    return new Scatter(
        List.of(KeyRange.of(start.bytes, stop.bytes)),
        varying < 0,
        !start.shortened && !stop.shortened);
  }

  // No key but this one can be in the range; and if it is none of this form, no key is.
  private static Scatter point(Key key, KeyRange logical, byte[] only) {
    if (!logical.contains(only) || !key.isWhole(only)) {
      return new Scatter(List.of(), true, true);
    }
    key.reverse(only, 0, only.length);
    return new Scatter(List.of(KeyRange.point(only)), true, true);
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    return bytes.length >= beginning.length
        && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
  }

  /** A bound as it is stored, cut off where the reversed part begins in which keys differ. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this class
  private record Cut(byte[] bytes, boolean shortened) {
    static Cut of(Key key, byte[] bound, int varyingStep) {
      int steps = varyingStep < 0 ? key.stepCount() : varyingStep;
      Key.Beginning kept = key.beginning(bound, steps);
      boolean reachesIn = varyingStep >= 0 && kept.steps() == varyingStep;
      int length = reachesIn ? kept.bytes() : bound.length;
      byte[] stored = Arrays.copyOf(bound, length);
      key.reverseBeginning(stored, 0, length, steps);
      return new Cut(stored, length < bound.length);
    }
  }
}
