/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.server.gather.GatherMetrics;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * The counters of a region server's guard, in the registry that HBase has for a coprocessor: all
 * regions of the server count in the same one, and HBase publishes it by Hadoop's metrics2 and by
 * JMX. Counts refused requests and gathers only: a request that is allowed costs nothing.
 * Thread-safe.
 */
record GuardMetrics(MetricRegistry registry) {
  private static final Set<MetricRegistryInfo> KEPT = ConcurrentHashMap.newKeySet();

  /**
   * Keeps the registry for the life of the region server. HBase counts the regions that use it and
   * drops it, with its counts, when the last one closes. If another region opens within HBase's
   * period of publishing, HBase makes a second registry but goes on publishing the dropped one.
   */
  GuardMetrics {
    MetricRegistryInfo info = registry.getMetricRegistryInfo();
    if (KEPT.add(info)) {
      MetricRegistries.global().create(info);
    }
  }

  /** One request was refused: {@code refusedFenced}, {@code refusedLayout} and so on. */
  void refused(Outcome outcome) {
    registry.counter(name(outcome)).increment();
  }

  private static String name(Outcome outcome) {
    String reason = outcome.name();
    return "refused" + reason.charAt(0) + reason.substring(1).toLowerCase(Locale.ROOT);
  }

  GatherMetrics gathers() {
    return GatherMetrics.in(registry);
  }
}
