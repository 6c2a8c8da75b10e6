/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/**
 * The counters of gathers on one region server.
 *
 * @param time the number and the duration of gathers that were answered
 * @param rows rows in their answers
 * @param failed gathers that were refused, as when a region is not on the server
 */
public record GatherMetrics(Timer time, Counter rows, Counter failed) {
  /** The metrics in a registry. Each registry has one set, however often this is called. */
  public static GatherMetrics in(MetricRegistry registry) {
    return new GatherMetrics(
        registry.timer("gatherTime"),
        registry.counter("gatherRows"),
        registry.counter("gathersFailed"));
  }
}
