/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a scan in the order in which they begin, and how many of them are open. A {@link
 * GatherOrder#gradual gradual} scan opens those that begin first; when its merge reaches the
 * beginning of another one, it opens as many more as are open, so that the next ones are read
 * ahead, and that a scan of n ranges waits log₂ n times at most, however few rows there are. One
 * without a limit opens them a round earlier. Other scans open all ranges at once. Not thread-safe.
 */
final class OpenRanges {
  private final List<Scan> scans;
  private final List<byte @Nullable []> begins;
  private int opened;

  /**
   * A range and the logical key that all its rows come behind, or that is its first; null if none.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Range(Scan scan, byte @Nullable [] begin) {}

  private OpenRanges(List<Scan> scans, List<byte @Nullable []> begins) {
    this.scans = scans;
    this.begins = begins;
  }

  /** The ranges of a scan, of which none is open. */
  static OpenRanges of(List<Scan> scans, GatherOrder order) {
    if (!order.gradual()) {
      return new OpenRanges(scans, List.of());
    }
    List<Range> ranges = new ArrayList<>(scans.size());
    for (Scan scan : scans) {
      ranges.add(new Range(scan, begin(scan, order)));
    }
    ranges.sort((a, b) -> compare(a.begin, b.begin, order));
    List<Scan> sorted = new ArrayList<>(ranges.size());
    List<byte @Nullable []> begins = new ArrayList<>(ranges.size());
    for (Range range : ranges) {
      sorted.add(range.scan);
      begins.add(range.begin);
    }
    return new OpenRanges(sorted, begins);
  }

  /**
   * How many ranges of a scan begin first; 0 if none begins behind them, so that all are opened at
   * once.
   */
  static int beginningFirst(List<Scan> scans, GatherOrder order) {
    int first = 0;
    byte @Nullable [] least = null;
    for (Scan scan : scans) {
      byte[] begin = begin(scan, order);
      int than = first == 0 ? -1 : compare(begin, least, order);
      if (than < 0) {
        first = 1;
        least = begin;
      } else if (than == 0) {
        first++;
      }
    }
    return first == scans.size() ? 0 : first;
  }

  // A range that is read in descending order may end behind all rows of its bucket.
  private static byte @Nullable [] begin(Scan scan, GatherOrder order) {
    byte[] row = scan.getStartRow();
    byte[] low = order.reversed() ? scan.getStopRow() : row;
    int width = order.keyOffset();
    boolean same =
        row.length > width && low.length >= width && Arrays.equals(row, 0, width, low, 0, width);
    return same ? Arrays.copyOfRange(row, width, row.length) : null;
  }

  private static int compare(byte @Nullable [] a, byte @Nullable [] b, GatherOrder order) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return order.compare(a, b);
  }

  /** The scans of all ranges, in the order in which they begin. */
  List<Scan> scans() {
    return scans;
  }

  /** The number of the ranges that are open; they are the first ones. */
  int opened() {
    return opened;
  }

  /** The logical key that no row of a range which is not open comes before. */
  byte[] begin(int range) {
    byte[] begin = begins.isEmpty() ? null : begins.get(range);
    if (begin == null) {
      throw new IllegalStateException("range is open from the beginning: range=" + range);
    }
    return begin;
  }

  /** Opens the ranges that begin first, or as many more as are open. */
  void openMore() {
    if (begins.isEmpty()) {
      opened = scans.size();
      return;
    }
    opened = Math.min(scans.size(), Math.max(1, 2 * opened));
    while (opened < scans.size() && Arrays.equals(begins.get(opened - 1), begins.get(opened))) {
      opened++;
    }
  }
}
