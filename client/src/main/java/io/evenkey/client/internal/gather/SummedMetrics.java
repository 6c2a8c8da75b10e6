/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** The metrics of several scans, as those of one. Stateless. */
public final class SummedMetrics {
  private SummedMetrics() {}

  /** The sums of scans that were made one after another. */
  public static ScanMetrics of(List<ScanMetrics> scans) {
    ScanMetrics sum = new ScanMetrics();
    set(sum, scans, 0);
    return sum;
  }

  /**
   * Sets each counter to that of all ranges of one scan, except that bytes of results are those of
   * the logical keys.
   *
   * @param prefixBytes bytes of results that no caller sees
   */
  static void set(ScanMetrics sum, List<ScanMetrics> ranges, long prefixBytes) {
    Map<String, Long> sums = new TreeMap<>();
    for (ScanMetrics range : ranges) {
      range.getMetricsMap(false).forEach((name, count) -> sums.merge(name, count, Long::sum));
    }
    sums.forEach(sum::setCounter);
    long all = sum.countOfBytesInResults.get();
    if (prefixBytes > 0 && all >= prefixBytes) {
      long remote = sum.countOfBytesInRemoteResults.get();
      sum.countOfBytesInResults.set(all - prefixBytes);
      // Which results came from another host is not known: as large a share of the prefixes.
      sum.countOfBytesInRemoteResults.set(remote - Math.round((double) prefixBytes * remote / all));
    }
  }
}
