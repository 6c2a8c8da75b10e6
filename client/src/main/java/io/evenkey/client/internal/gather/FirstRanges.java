/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.layout.bytes.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The ranges that region servers are asked for: all of a scan, or, of a {@link GatherOrder#gradual
 * gradual} one, those that begin first, up to where the next one begins.
 *
 * @param scans the scans of these ranges, ascending
 * @param end the logical key at which another range begins; null if these are all ranges
 * @param inclusive whether a row of that key is in these ranges
 */
record FirstRanges(List<Scan> scans, @Nullable ByteString end, boolean inclusive) {
  /**
   * The first ranges of a scan.
   *
   * @param answers the number of answers that the scan has had; after each, more ranges are opened
   */
  static FirstRanges of(List<Scan> scans, GatherOrder order, int answers) throws IOException {
    if (!order.gradual()) {
      return new FirstRanges(scans, null, false);
    }
    OpenRanges ranges = OpenRanges.of(scans, order);
    for (int i = 0; i <= answers; i++) {
      ranges.openMore();
    }
    List<Scan> first = ranges.scans().subList(0, ranges.opened());
    byte[] end = first.size() == scans.size() ? null : ranges.begin(first.size());
    List<Scan> cut = new ArrayList<>(end == null ? first : order.before(first, end));
    cut.sort((a, b) -> Arrays.compareUnsigned(low(a, order), low(b, order)));
    return new FirstRanges(cut, end == null ? null : ByteString.of(end), false);
  }

  private static byte[] low(Scan scan, GatherOrder order) {
    return order.reversed() ? scan.getStopRow() : scan.getStartRow();
  }

  /** An answer with all rows of these ranges has all rows up to their end. */
  FirstRows complete(FirstRows answer) {
    return answer.upTo() == null && end != null
        ? new FirstRows(answer.rows(), end, inclusive)
        : answer;
  }
}
