package io.evenkey.client.gather;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** The metrics of the ranges of one scan, as those of one. Stateless. */
final class SummedMetrics {
  private SummedMetrics() {}

  /** Sets each counter to the sum over all ranges. */
  static void set(ScanMetrics sum, List<ScanMetrics> ranges) {
    Map<String, Long> sums = new TreeMap<>();
    for (ScanMetrics range : ranges) {
      range.getMetricsMap(false).forEach((name, count) -> sums.merge(name, count, Long::sum));
    }
    sums.forEach(sum::setCounter);
  }
}
