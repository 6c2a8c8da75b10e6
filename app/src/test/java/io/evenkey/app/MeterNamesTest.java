/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.layout.Layout;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.core.instrument.util.HierarchicalNameMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The names of meters in {@code docs/observe.md} are those of the registries. */
class MeterNamesTest {
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `(evenkey[.\\w]+)` \\| `(\\w+)`[^|]*\\| `(\\w+)` \\| `(\\w+)` \\|$");

  @Test
  void documentsTheNamesOfAllMetersInEachSystem() throws IOException {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Metrics.addRegistry(prometheus);
    try {
      RefusalCounts.count("filter");
      ScanMeters.started(2);
      TableMeters.of("names", "t", Layout.parse("salt(4) + k:bytes"));
      String scraped = prometheus.scrape();
      Map<String, Meter> meters = new TreeMap<>();
      prometheus.getMeters().stream()
          .filter(meter -> meter.getId().getName().startsWith("evenkey."))
          .forEach(meter -> meters.put(meter.getId().getName(), meter));
      Matcher row = ROW.matcher(Files.readString(Path.of("../docs/observe.md")));
      while (row.find()) {
        Meter meter = meters.remove(row.group(1));
        assertThat(meter).as("meter of the row %s", row.group()).isNotNull();
        assertThat(scraped).containsPattern("(?m)^" + row.group(2) + "(_count|_sum)?[{ ]");
        assertThat(
                HierarchicalNameMapper.DEFAULT.toHierarchicalName(
                    meter.getId(), NamingConvention.camelCase))
            .matches(row.group(3) + "(\\..*)?");
        assertThat(row.group(4)).isEqualTo(typeInJmx(meter));
      }
      assertThat(meters).as("meters without a row").isEmpty();
    } finally {
      Metrics.removeRegistry(prometheus);
    }
  }

  /** As Dropwizard's reporter names the kinds that Micrometer makes of them. */
  private static String typeInJmx(Meter meter) {
    return switch (meter.getId().getType()) {
      case COUNTER -> "meters";
      case GAUGE -> "gauges";
      case DISTRIBUTION_SUMMARY -> "histograms";
      case TIMER -> "timers";
      default -> throw new IllegalArgumentException(meter.getId().toString());
    };
  }
}
