/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.report.cluster.Cluster;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of what a table's descriptor switches on: indexes, and hot keys. A table that has neither
 * costs its line in the one list of descriptors that the portal reads at each interval.
 */
final class DescriptorMeters {
  private static final Logger LOG = LoggerFactory.getLogger(DescriptorMeters.class);

  /** The shortest interval: regions are asked for their hot keys. */
  private static final Duration SHORTEST = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final IndexMeters indexes;
  private final HotKeyMeters hotKeys;

  private DescriptorMeters(Cluster cluster, MeterRegistry meters) {
    this.cluster = cluster;
    this.indexes = new IndexMeters(cluster.registry(), meters);
    this.hotKeys = new HotKeyMeters(cluster.connection(), meters);
  }

  /**
   * Registers the metrics, and reads at the interval.
   *
   * @param every as often as HBase's counters are read, but no more often than each 30 seconds
   */
  static RegularReading start(Cluster cluster, MeterRegistry meters, Duration every) {
    return RegularReading.start(
        "evenkey-descriptor-meters",
        every.compareTo(SHORTEST) < 0 ? SHORTEST : every,
        new DescriptorMeters(cluster, meters)::read);
  }

  private void read() {
    try {
      List<TableDescriptor> tables = inUse();
      indexes.update(tables, System.nanoTime());
      hotKeys.update(tables);
    } catch (IOException | RuntimeException e) {
      LOG.warn("indexes and hot keys could not be read: {}", e.toString());
    }
  }

  /** The tables that clients may use, but not generations that were left. */
  private List<TableDescriptor> inUse() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.listTableDescriptors().stream()
          .filter(table -> TableGuard.state(table).mode() != GuardMode.CLOSED)
          .toList();
    }
  }
}
