/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.history.Recorder;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the registry: for how long each unfinished migration has stood still, and tables whose
 * descriptor and registry disagree on the layout. They are read as often as HBase's counters.
 */
final class RegistryMeters {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryMeters.class);

  private final Registry stored;
  private final Recorder recorder;
  private final MultiGauge unchanged;
  private final MultiGauge disagreeing;
  private final Unchanged<TableName, Migration> standing = new Unchanged<>();
  private volatile boolean failing;

  private RegistryMeters(Registry stored, Recorder recorder, MeterRegistry meters) {
    this.stored = stored;
    this.recorder = recorder;
    this.unchanged =
        MultiGauge.builder("evenkey.migration.unchanged.seconds")
            .description("Seconds since the stored state of an unfinished migration last changed")
            .register(meters);
    this.disagreeing =
        MultiGauge.builder("evenkey.table.layout.disagrees")
            .description("1 if a table's descriptor and the registry disagree on its layout")
            .register(meters);
    Gauge.builder("evenkey.registry.failing", this, self -> self.failing ? 1 : 0)
        .description("1 if the registry could not be read last")
        .register(meters);
  }

  /** Registers the metrics, and reads at the interval. */
  static RegularReading start(
      Registry stored, Recorder recorder, MeterRegistry meters, Duration every) {
    return RegularReading.start(
        "evenkey-registry-meters", every, new RegistryMeters(stored, recorder, meters)::read);
  }

  private void read() {
    try {
      unchanged.register(migrations(stored.migrations().all(), System.nanoTime()), true);
      disagreeing.register(layouts(stored.layouts().all()), true);
      failing = false;
    } catch (IOException | RuntimeException e) {
      failing = true;
      LOG.warn("registry could not be read: {}", e.toString());
    }
  }

  private List<MultiGauge.Row<?>> migrations(List<Migration> all, long nowNanos) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    Set<TableName> tables = new HashSet<>();
    for (Migration migration : all) {
      if (migration.stage().isOver()) {
        continue;
      }
      tables.add(migration.table());
      Tags tags =
          Tags.of(
              "table",
              migration.table().getNameAsString(),
              "stage",
              migration.stage().name().toLowerCase(Locale.ROOT));
      rows.add(MultiGauge.Row.of(tags, standing.seconds(migration.table(), migration, nowNanos)));
    }
    standing.retain(tables);
    return rows;
  }

  private List<MultiGauge.Row<?>> layouts(List<LayoutRecord> records) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    Map<String, String> inUse = new HashMap<>();
    Reading reading = recorder.last();
    if (reading != null) {
      reading.tables().forEach((name, table) -> inUse.put(table.physical(), name));
    }
    for (LayoutRecord recorded : records) {
      String table = recorded.table().getNameAsString();
      String name = inUse.get(table);
      if (name != null) {
        boolean agrees = agrees(recorded.layout(), recorder.layouts().get(name));
        rows.add(MultiGauge.Row.of(Tags.of("table", table), agrees ? 0 : 1));
      }
    }
    return rows;
  }

  private static boolean agrees(String recorded, @Nullable Layout described) {
    try {
      return Layout.parse(recorded).equals(described);
    } catch (LayoutException e) {
      return false;
    }
  }
}
