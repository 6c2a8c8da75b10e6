/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.export.Exporter;
import io.evenkey.jobs.export.FileFormat;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexRemoval;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Each job is one span, and what it does in HBase is below it. */
@ExtendWith(EmbeddedHBaseExtension.class)
class JobSpansIT {
  @RegisterExtension static final OpenTelemetryExtension TRACING = OpenTelemetryExtension.create();

  @TempDir private Path directory;

  private static SpanData span(String name) {
    return TRACING.getSpans().stream()
        .filter(span -> span.getName().equals(name) && !span.getParentSpanContext().isValid())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no span without a parent: " + name));
  }

  private static List<String> below(SpanData parent) {
    return TRACING.getSpans().stream()
        .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
        .map(SpanData::getName)
        .toList();
  }

  private void load(SpreadTable table, Connection connection, String text) throws IOException {
    Input input =
        Input.stream("-", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    LoadOptions options =
        LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
            .family("d")
            .maxRejects(0)
            .build();
    Loader.of(
            table.name(), table.layout(), List.of(input), List.of(Format.CSV.read(input)), options)
        .run(connection, (records, skew) -> {});
  }

  @Test
  void jobsAreSpans(Connection connection) throws IOException {
    try (SpreadTables tables = SpreadTables.on(connection);
        Registry registry = Registry.open(connection.getConfiguration())) {
      SpreadTable table =
          Tables.create(connection, tables, "spans", "salt(4) + device:string + ts:int64");
      load(table, connection, "device,ts,temp\nd1,1,20\nd2,2,21\n");
      SpanData imported = span("IMPORT default:spans");
      assertThat(imported.getStatus().getStatusCode()).isEqualTo(StatusCode.OK);
      assertThat(below(imported)).contains("BATCH default:spans");

      assertThatThrownBy(() -> load(table, connection, "device,ts,temp\nd1,x,20\n"));
      assertThat(
              TRACING.getSpans().stream()
                  .filter(one -> one.getStatus().getStatusCode() == StatusCode.ERROR))
          .extracting(SpanData::getName)
          .contains("IMPORT default:spans");

      Exporter.toStream(
          table,
          1,
          RowQuery.all(),
          FileFormat.of(Format.CSV),
          new ByteArrayOutputStream(),
          rows -> {});
      assertThat(below(span("EXPORT default:spans"))).contains("SCAN default:spans");

      Comparison.of(table, table, ComparisonOptions.DEFAULT).run(rows -> {});
      assertThat(below(span("COMPARE default:spans"))).contains("SCAN default:spans");

      MigrationPlan plan =
          MigrationPlan.of(table.name(), Layout.parse("salt(8) + device:string + ts:int64"))
              .by(Migration.By.PUTS)
              .aimFor(Stage.FINISHED);
      MigrationSettings settings =
          new MigrationSettings(new org.apache.hadoop.fs.Path(directory.toUri()), 10_000);
      try (Migrator migrator =
          Migrator.begin(connection, registry, plan, settings, MigrationListener.NONE)) {
        migrator.run();
      }
      SpanData migration = span("MIGRATE default:spans");
      assertThat(
              TRACING.getSpans().stream()
                  .filter(stage -> stage.getParentSpanId().equals(migration.getSpanId()))
                  .map(stage -> stage.getAttributes().get(AttributeKey.stringKey("evenkey.stage"))))
          .contains(Stage.READY.name());
    }
  }

  @Test
  void jobsOnIndexesAreSpans(Connection connection) throws IOException {
    try (SpreadTables tables = SpreadTables.on(connection);
        Registry registry = Registry.open(connection.getConfiguration())) {
      SpreadTable table =
          Tables.create(connection, tables, "spanned", "salt(4) + device:string + ts:int64");
      load(table, connection, "device,ts,temp\nd1,1,20\nd2,2,21\n");
      TableIndex index =
          TableIndex.parse("by_temp events joining as \"salt(3) + temp:string\" from temp=d:temp");
      new IndexAddition(table.name(), index, 0, 0).run(connection, registry, IndexListener.NONE);
      assertThat(below(span("ADD_INDEX default:spanned"))).isNotEmpty();
      IndexVerification.run(
          connection, registry, table.name(), "by_temp", false, IndexListener.NONE);
      assertThat(below(span("VERIFY_INDEX default:spanned"))).isNotEmpty();
      IndexVerification.sweep(connection, registry, table.name(), "by_temp", IndexListener.NONE);
      assertThat(below(span("SWEEP_INDEX default:spanned"))).isNotEmpty();
      IndexRemoval.run(connection, registry, table.name(), "by_temp", IndexListener.NONE);
      assertThat(span("DROP_INDEX default:spanned").getStatus().getStatusCode())
          .isEqualTo(StatusCode.OK);
    }
  }
}
