/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.spread.Section;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The physical ranges that together hold a logical range, and what a reader must know about them:
 * the fan-out of a query, computed without a request.
 *
 * <pre>{@code
 * Scatter read = layout.scatter(layout.where("device = 'd1' and ts >= 2026-01-01"));
 * System.out.println(read.fanOut() + " ranges");
 * for (KeyRange range : read.ranges()) {
 *   scans.add(new Scan().withStartRow(range.start()).withStopRow(range.stop()));
 * }
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param ranges the ranges: disjoint, ascending, as few as possible
 * @param ordered whether each range stores its rows in logical order, so that merging the ranges
 *     gives the logical order. False if a reversed part varies within the range, or if the prefix
 *     has too many values to merge
 * @param exact whether the ranges hold only rows of the logical range; if not, the reader must
 *     filter
 * @param steps the steps of the salt to which keys of the logical range can belong, ascending,
 *     counted from 0; empty if the salt has none
 */
public record Scatter(List<KeyRange> ranges, boolean ordered, boolean exact, List<Integer> steps) {
  /** Copies the lists. */
  public Scatter {
    ranges = List.copyOf(ranges);
    steps = List.copyOf(steps);
  }

  /** The number of physical ranges, which is how many scanners one read opens. */
  public int fanOut() {
    return ranges.size();
  }

  /** Computes the physical ranges of a logical range. */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static Scatter of(Spread spread, KeyRange logical) {
    return of(spread, List.of(new Where.Stretch(logical, null)), null);
  }

  /**
   * Computes the physical ranges of the keys that meet a condition. They can be fewer than those of
   * the condition's logical ranges, because the condition may fix a field that the salt hashes and
   * that is not a leading one.
   *
   * @throws io.evenkey.layout.field.ValueException if a key cannot hold a value of the condition
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static Scatter of(Spread spread, Where where) {
    return of(spread, where, KeyRange.all());
  }

  /**
   * Computes the physical ranges of the keys that meet a condition and lie in a logical range.
   *
   * @throws io.evenkey.layout.field.ValueException if a key cannot hold a value of the condition
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static Scatter of(Spread spread, Where where, KeyRange within) {
    List<Where.Stretch> stretches = new ArrayList<>();
    for (Where.Stretch stretch : where.stretches()) {
      stretches.add(new Where.Stretch(stretch.keys().intersection(within), stretch.fixed()));
    }
    return of(spread, stretches, where);
  }

  private static Scatter of(Spread spread, List<Where.Stretch> stretches, @Nullable Where where) {
    List<Placed> placed = new ArrayList<>();
    boolean ordered = true;
    boolean exact = true;
    Set<Integer> steps = new TreeSet<>();
    for (Where.Stretch stretch : stretches) {
      if (stretch.keys().isEmpty()) {
        continue;
      }
      List<byte[]> inputs = where == null ? List.of() : where.inputs(spread, stretch);
      List<KeyRange> stepValues = where == null ? null : where.stepValues(spread, stretch);
      List<Section> sections = spread.sections(stretch.keys(), inputs, stepValues);
      if (sections == null) {
        boolean everything = stretch.keys().equals(KeyRange.all());
        return new Scatter(List.of(KeyRange.all()), false, everything, List.of());
      }
      for (Section section : sections) {
        steps.addAll(section.steps());
        Stored stored = withoutPrefix(spread.key(), section.keys());
        ordered &= stored.ordered;
        exact &= stored.exact;
        for (byte[] prefix : section.prefixes()) {
          stored.ranges.forEach(range -> placed.add(new Placed(prefix, range.under(prefix))));
        }
      }
    }
    return new Scatter(joined(placed), ordered, exact, List.copyOf(steps));
  }

  /** A physical range and the prefix of all its rows. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this class
  private record Placed(byte[] prefix, KeyRange range) {}

  // Ranges that touch are one, unless they differ in prefix: rows would not be in logical order.
  private static List<KeyRange> joined(List<Placed> placed) {
    placed.sort((a, b) -> Arrays.compareUnsigned(a.range.start(), b.range.start()));
    List<KeyRange> joined = new ArrayList<>();
    byte[] lastPrefix = null;
    for (Placed next : placed) {
      int last = joined.size() - 1;
      KeyRange both =
          last >= 0 && Arrays.equals(lastPrefix, next.prefix)
              ? joined.get(last).joined(next.range)
              : null;
      if (both == null) {
        joined.add(next.range);
      } else {
        joined.set(last, both);
      }
      lastPrefix = next.prefix;
    }
    return joined;
  }

  /** The ranges of a scatter, without its prefixes. */
  private record Stored(List<KeyRange> ranges, boolean ordered, boolean exact) {
    /** Ranges in logical order, which hold no other keys. */
    static Stored exactly(List<KeyRange> ranges) {
      return new Stored(ranges, true, true);
    }
  }

  private static Stored withoutPrefix(Key key, KeyRange logical) {
    if (!key.isReversed()) {
      return Stored.exactly(List.of(logical));
    }
    byte[] common = logical.commonPrefix();
    int wholeElements = key.beginning(common, key.elementCount()).elements();
    byte[] onlyKey = logical.onlyKey();
    if (onlyKey != null || wholeElements == key.elementCount()) {
      return point(key, logical, onlyKey == null ? common : onlyKey);
    }
    int varying = key.firstReversedBeyond(wholeElements);
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
    return new Stored(
        List.of(KeyRange.of(start.bytes, stop.bytes)),
        varying < 0,
        !start.shortened && !stop.shortened);
  }

  // No key but this one can be in the range; and if it is none of this form, no key is.
  private static Stored point(Key key, KeyRange logical, byte[] only) {
    if (!logical.contains(only) || !key.isWhole(only)) {
      return Stored.exactly(List.of());
    }
    key.reverse(only, 0, only.length);
    return Stored.exactly(List.of(KeyRange.point(only)));
  }

  private static boolean startsWith(byte[] bytes, byte[] beginning) {
    return bytes.length >= beginning.length
        && Arrays.equals(bytes, 0, beginning.length, beginning, 0, beginning.length);
  }

  /** A bound as it is stored, cut off where the reversed part begins in which keys differ. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this class
  private record Cut(byte[] bytes, boolean shortened) {
    static Cut of(Key key, byte[] bound, int varyingElement) {
      int elements = varyingElement < 0 ? key.elementCount() : varyingElement;
      Key.Beginning kept = key.beginning(bound, elements);
      boolean reachesIn = varyingElement >= 0 && kept.elements() == varyingElement;
      int length = reachesIn ? kept.bytes() : bound.length;
      byte[] stored = Arrays.copyOf(bound, length);
      key.reverseBeginning(stored, 0, length, elements);
      return new Cut(stored, length < bound.length);
    }
  }
}
