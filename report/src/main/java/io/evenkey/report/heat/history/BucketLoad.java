/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a table is about to outgrow its buckets: the writes of one region are near the most that
 * one region server has carried of this table. A bucket is on one server, so that more servers do
 * not help then, and more buckets do.
 *
 * @param region the most writes a second of one region, of late
 * @param server the most writes a second that one server has carried
 */
record BucketLoad(double region, double server) {
  /** Below this rate of writes a second, a server is far from its limit. */
  private static final double MUCH = 5_000;

  private static final double NEAR = 0.7;

  /** Columns that are of late. */
  private static final int LATEST = 3;

  static BucketLoad of(List<TableHeat> strips) {
    double region = 0;
    double server = 0;
    for (int i = 0; i < strips.size(); i++) {
      TableHeat strip = strips.get(i);
      Map<String, Double> servers = new HashMap<>();
      for (int span = 0; span < strip.size(); span++) {
        double writes = strip.value(Measure.WRITES, span);
        servers.merge(strip.server(span), writes, Double::sum);
        if (i >= strips.size() - LATEST) {
          region = Math.max(region, writes);
        }
      }
      server = Math.max(server, servers.values().stream().reduce(0.0, Math::max));
    }
    return new BucketLoad(region, server);
  }

  private boolean isNear() {
    return region >= MUCH && region >= NEAR * server;
  }

  /** The step that a table needs, in words; empty if none, or if its salt cannot have steps. */
  Optional<String> outgrown(Layout layout) {
    if (!isNear()
        || layout.buckets().isEmpty()
        || !layout.canHaveSteps()
        || layout.fields().stream().noneMatch(field -> field.type().canHaveSteps())) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "One region takes %,.0f writes/s, and the most that one server has carried are %,.0f:"
                + " more servers would not help. New rows can have more buckets, such as %d, without a"
                + " row being rewritten.",
            region,
            server,
            2 * layout.buckets().getAsInt()));
  }
}
