/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.report.heat.counters.Skew;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The load of a span of a table's key space.
 *
 * @param start its first physical key
 * @param region the region's encoded name; empty if the span is not one region
 * @param server its region server; empty if several served it
 * @param reads read requests per second
 * @param writes write requests per second
 * @param megabytes its size in megabytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SpanRate(
    byte[] start, String region, String server, double reads, double writes, double megabytes) {
  /** The total load of spans. */
  public static double sum(List<SpanRate> spans, ToDoubleFunction<SpanRate> what) {
    return spans.stream().mapToDouble(what).sum();
  }

  /**
   * The skew over servers: of a table in one region the number of servers, since the others could
   * have a share too.
   *
   * @param servers the number of the cluster's servers, of which some may serve none of the spans
   */
  public static double serverSkew(
      List<SpanRate> spans, ToDoubleFunction<SpanRate> what, int servers) {
    Map<String, Double> loads = new TreeMap<>();
    spans.forEach(span -> loads.merge(span.server(), what.applyAsDouble(span), Double::sum));
    long[] all = loads.values().stream().mapToLong(load -> Math.round(load * 1000)).toArray();
    return Skew.of(Arrays.copyOf(all, Math.max(all.length, servers)));
  }

  /** The skew over the spans, of which each but merged cold ones is a region. */
  public static double regionSkew(List<SpanRate> spans, ToDoubleFunction<SpanRate> what) {
    return Skew.of(
        spans.stream().mapToLong(span -> Math.round(what.applyAsDouble(span) * 1000)).toArray());
  }
}
