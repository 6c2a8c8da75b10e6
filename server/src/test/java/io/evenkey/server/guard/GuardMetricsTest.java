/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.Test;

class GuardMetricsTest {
  /** As HBase does for each region that opens and closes: create and remove. */
  @Test
  void countsGoOnAfterTheLastRegionCloses() {
    MetricRegistryInfo info =
        new MetricRegistryInfo("GuardMetricsTest", "of a test", "test", "HBase", false);
    MetricRegistries all = MetricRegistries.global();
    MetricRegistry first = all.create(info);
    new GuardMetrics(first).refused(Outcome.FENCED);
    all.remove(info);

    MetricRegistry second = all.create(info);
    new GuardMetrics(second).refused(Outcome.FENCED);

    assertThat(second).isSameAs(first);
    assertThat(second.counter("refusedFenced").getCount()).isEqualTo(2);
    all.remove(info);
    assertThat(all.get(info)).containsSame(first);
  }
}
