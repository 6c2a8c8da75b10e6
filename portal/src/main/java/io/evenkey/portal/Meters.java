/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.heat.history.SpanRate;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Metrics for Prometheus: for each table the rates from the last reading of HBase's counters, the
 * state of the registry, indexes and hot keys, and the metrics of Evenkey's client in this process.
 */
final class Meters implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Recorder recorder;
  private final MultiGauge reads = gauge("evenkey.table.reads", "Read requests per second");
  private final MultiGauge writes = gauge("evenkey.table.writes", "Write requests per second");
  private final MultiGauge megabytes = gauge("evenkey.table.megabytes", "Megabytes held");
  private final MultiGauge regions = gauge("evenkey.table.regions", "Regions");
  private final MultiGauge readSkew =
      gauge("evenkey.table.read.skew", "Busiest server's reads over the mean");
  private final MultiGauge writeSkew =
      gauge("evenkey.table.write.skew", "Busiest server's writes over the mean");
  private final MultiGauge regionReadSkew =
      gauge("evenkey.table.region.read.skew", "Busiest region's reads over the mean");
  private final MultiGauge regionWriteSkew =
      gauge("evenkey.table.region.write.skew", "Busiest region's writes over the mean");
  private final RegularReading ofRegistry;
  private final RegularReading ofDescriptors;

  Meters(Recorder recorder, Cluster cluster) {
    this.recorder = recorder;
    Gauge.builder("evenkey.heat.spans", recorder, Recorder::spans)
        .description("Spans of heat held in memory")
        .register(registry);
    Gauge.builder(
            "evenkey.heat.failing",
            recorder,
            r -> r.problem().isEmpty() && r.historyProblem().isEmpty() ? 0 : 1)
        .description("1 if HBase's counters or the stored heat cannot be read, or heat not stored")
        .register(registry);
    Metrics.addRegistry(registry);
    recorder.onReading(this::update);
    this.ofRegistry =
        RegistryMeters.start(cluster.registry(), recorder, registry, recorder.every());
    this.ofDescriptors = DescriptorMeters.start(cluster, registry, recorder.every());
  }

  private MultiGauge gauge(String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  private void update() {
    Map<String, List<SpanRate>> tables = new LinkedHashMap<>();
    recorder.tables().forEach(table -> tables.put(table, recorder.now(table)));
    set(reads, tables, spans -> SpanRate.sum(spans, SpanRate::reads));
    set(writes, tables, spans -> SpanRate.sum(spans, SpanRate::writes));
    set(megabytes, tables, spans -> SpanRate.sum(spans, SpanRate::megabytes));
    set(regions, tables, spans -> (double) spans.size());
    set(readSkew, tables, spans -> SpanRate.serverSkew(spans, SpanRate::reads, recorder.servers()));
    set(
        writeSkew,
        tables,
        spans -> SpanRate.serverSkew(spans, SpanRate::writes, recorder.servers()));
    set(regionReadSkew, tables, spans -> SpanRate.regionSkew(spans, SpanRate::reads));
    set(regionWriteSkew, tables, spans -> SpanRate.regionSkew(spans, SpanRate::writes));
  }

  private static void set(
      MultiGauge gauge,
      Map<String, List<SpanRate>> tables,
      ToDoubleFunction<List<SpanRate>> value) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    tables.forEach(
        (table, spans) ->
            rows.add(MultiGauge.Row.of(Tags.of("table", table), value.applyAsDouble(spans))));
    gauge.register(rows, true);
  }

  String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    ofDescriptors.close();
    ofRegistry.close();
    Metrics.removeRegistry(registry);
    registry.close();
  }
}
