package io.evenkey.client.gather;

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
    SummedMetrics.set(sum, List.of(metrics(1, 10), metrics(2, 20), metrics(3, 30)));
    assertThat(sum.countOfRegions).hasValue(6);
    assertThat(sum.countOfRPCcalls).hasValue(60);
    SummedMetrics.set(sum, List.of(metrics(1, 10)));
    assertThat(sum.countOfRegions).as("set, not added").hasValue(1);
  }

  @Test
  void theRangesKeepTheirCounts() {
    ScanMetrics range = metrics(1, 10);
    SummedMetrics.set(new ScanMetrics(), List.of(range));
    assertThat(range.countOfRPCcalls).hasValue(10);
  }
}
