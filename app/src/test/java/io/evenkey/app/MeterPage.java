/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.layout.Layout;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.core.instrument.util.HierarchicalNameMapper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of all metrics, made of the meters that the code registers. */
public final class MeterPage {
  private static final String TEXT = "\"((?:[^\"]|\"\\s*\\+\\s*\")*)\"";
  private static final Pattern PORTAL =
      Pattern.compile(
          "\"(evenkey\\.[a-z.]+)\"(?:,\\s*\\w[^\"]*?)?(?:,|\\)\\s*\\.description\\()\\s*"
              + TEXT
              + "\\)");

  private MeterPage() {}

  /** The text of the page. */
  public static String text() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Metrics

            This page lists all metrics of clients and of the portal. It is made from the code; a test fails when it
            is stale. [Observe](observe.md) says what to watch, and lists the metrics of region servers.

            - [Clients](#clients)
            - [The portal](#the-portal)

            ## Clients

            In JMX, the metrics of a table append their tags to the name: `evenkeyWrites.cluster.….layout.….table.…`.

            | metric | tags | meaning | Prometheus | JMX: `metrics:name=…` | `type=` |
            | --- | --- | --- | --- | --- | --- |
            """);
    clients(page);
    page.append(
        """

        ## The portal

        The portal serves them for Prometheus at `/metrics`, together with the metrics of its own client.

        | metric | Prometheus | meaning |
        | --- | --- | --- |
        """);
    portal()
        .forEach(
            (name, meaning) ->
                page.append(
                    "| `%s` | `%s` | %s |\n".formatted(name, name.replace('.', '_'), meaning)));
    return page.toString();
  }

  private static void clients(StringBuilder page) {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Metrics.addRegistry(prometheus);
    try {
      RefusalCounts.count("filter");
      ScanMeters.started(2);
      TableMeters.of("names", "t", Layout.parse("salt(4) + k:bytes"));
      Map<String, Meter> meters = new TreeMap<>();
      prometheus.getMeters().stream()
          .filter(meter -> meter.getId().getName().startsWith("evenkey."))
          .forEach(meter -> meters.put(meter.getId().getName(), meter));
      meters.forEach((name, meter) -> page.append(row(name, meter, prometheus.scrape())));
    } finally {
      Metrics.removeRegistry(prometheus);
    }
  }

  private static String row(String name, Meter meter, String scraped) {
    Matcher shown =
        Pattern.compile(
                "(?m)^("
                    + name.replace('.', '_')
                    + "(?:_(?:total|[a-z]+_total|ranges|seconds))?)"
                    + "(?:_(?:count|sum))?[{ ]")
            .matcher(scraped);
    if (!shown.find()) {
      throw new IllegalStateException("metric that Prometheus does not get: name=" + name);
    }
    String tags =
        meter.getId().getTags().stream()
            .map(Tag::getKey)
            .sorted()
            .collect(Collectors.joining(", "));
    String jmx =
        HierarchicalNameMapper.DEFAULT
            .toHierarchicalName(meter.getId(), NamingConvention.camelCase)
            .replaceFirst("\\..*", "");
    return "| `%s` | %s | %s | `%s` | `%s` | `%s` |\n"
        .formatted(
            name, tags, meter.getId().getDescription(), shown.group(1), jmx, typeInJmx(meter));
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

  // They are registered by a running portal only, so they are read from its sources.
  private static Map<String, String> portal() throws IOException {
    Map<String, String> meanings = new TreeMap<>();
    List<Path> sources;
    try (Stream<Path> files = Files.list(Path.of("../portal/src/main/java/io/evenkey/portal"))) {
      sources = files.filter(file -> file.toString().endsWith("Meters.java")).toList();
    }
    for (Path source : sources) {
      Matcher meter = PORTAL.matcher(Files.readString(source));
      while (meter.find()) {
        meanings.put(meter.group(1), meter.group(2).replaceAll("\"\\s*\\+\\s*\"", ""));
      }
    }
    return meanings;
  }
}
