package io.evenkey.app.heat.history;

import io.evenkey.app.heat.counters.Skew;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What a span of a table's key space took.
 *
 * @param start its first physical key
 * @param region the region's encoded name; empty if it is not one region
 * @param server who served it; empty if several did
 * @param reads requests a second
 * @param writes requests a second
 * @param megabytes held
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SpanRate(
    byte[] start, String region, String server, double reads, double writes, double megabytes) {
  /**
   * As JSON has it.
   *
   * @param label its first key for people
   */
  public Map<String, Object> figures(String label) {
    return Map.of(
        "start", label,
        "region", region,
        "server", server,
        "reads", reads,
        "writes", writes,
        "megabytes", megabytes);
  }

  /** What spans took together. */
  public static double sum(List<SpanRate> spans, ToDoubleFunction<SpanRate> what) {
    return spans.stream().mapToDouble(what).sum();
  }

  /** The busiest server's load over the mean, over all servers that have one of the spans. */
  public static double serverSkew(List<SpanRate> spans, ToDoubleFunction<SpanRate> what) {
    Map<String, Double> servers = new TreeMap<>();
    spans.forEach(span -> servers.merge(span.server(), what.applyAsDouble(span), Double::sum));
    return Skew.of(servers.values().stream().mapToLong(load -> Math.round(load * 1000)).toArray());
  }
}
