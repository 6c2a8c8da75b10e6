/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.junit.jupiter.api.Test;

class SummedMetricsTest {
  private static ScanMetrics metrics(long regions, long rows) {
    ScanMetrics metrics = new ScanMetrics();
    metrics.setCounter(ScanMetrics.REGIONS_SCANNED_METRIC_NAME, regions);
    metrics.setCounter(ScanMetrics.RPC_CALLS_METRIC_NAME, rows);
    return metrics;
  }

  @Test
  void eachCounterIsTheSumOverAllRanges() {
    ScanMetrics sum = metrics(100, 100);
    SummedMetrics.set(sum, List.of(metrics(1, 10), metrics(2, 20), metrics(3, 30)), 0);
    assertThat(sum.countOfRegions).hasValue(6);
    assertThat(sum.countOfRPCcalls).hasValue(60);
    SummedMetrics.set(sum, List.of(metrics(1, 10)), 0);
    assertThat(sum.countOfRegions).as("set, not added").hasValue(1);
  }

  @Test
  void theRangesKeepTheirCounts() {
    ScanMetrics range = metrics(1, 10);
    SummedMetrics.set(new ScanMetrics(), List.of(range), 0);
    assertThat(range.countOfRPCcalls).hasValue(10);
  }

  @Test
  void bytesOfResultsAreWithoutPrefixes() {
    ScanMetrics local = new ScanMetrics();
    local.countOfBytesInResults.set(100);
    ScanMetrics remote = new ScanMetrics();
    remote.countOfBytesInResults.set(300);
    remote.countOfBytesInRemoteResults.set(300);
    ScanMetrics sum = new ScanMetrics();
    SummedMetrics.set(sum, List.of(local, remote), 40);
    assertThat(sum.countOfBytesInResults).hasValue(360);
    assertThat(sum.countOfBytesInRemoteResults).hasValue(270);
  }
}
