/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.export.Exporter;
import io.evenkey.jobs.export.FileFormat;
import io.evenkey.jobs.export.RowObjects;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.query.Rows;
import io.evenkey.jobs.records.Format;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Controls;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey scan}. */
@Rights("R on the table.")
@Command(
    name = "scan",
    header = "Show rows of a table in key order.",
    description = {
      "",
      "Shows the key's fields first, then the columns. On a terminal, uses a pager.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey scan readings --where \"device = 'd1'\" --limit 20",
      "  evenkey scan readings --column d:temp:float64 --format csv > readings.csv",
      "  evenkey scan readings --limit 10 --explain",
      "  evenkey scan orders --where \"customer = 'c7'\" --any-order --explain"
    },
    sortOptions = false)
final class ScanCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Mixin private QueryOptions query = new QueryOptions();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "Print csv, tsv or ndjson instead of a text table.")
  private @Nullable Format format;

  @Option(
      names = "--explain",
      description = "Show which key or index the rows would be read by, how, and why; read no row.")
  private boolean explain;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Option(names = "--no-pager", description = "Do not use a pager.")
  private boolean noPager;

  @Mixin private ClusterOption cluster = new ClusterOption();

  ScanCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    RowQuery rows = query.query();
    if (format != null && !format.isText()) {
      throw new ParameterException(
          spec.commandLine(), "not text: --format=" + format + "; write a file by evenkey export");
    }
    if (!Boolean.getBoolean(Pager.ON_TERMINAL)) {
      console.ifStopped(
          () -> "the output is not complete; begin again with: " + Interruption.sameCommand(spec));
    }
    try (Cluster open = cluster.openBriefly()) {
      SpreadTable spread = open.tables().open(table);
      console.warningNotes(rows.warnings(spread));
      if (explain) {
        ScanView.show(console, spread, rows, json);
      } else if (json) {
        document(spread, TableFamilies.of(open, spread.generation()).size(), rows);
      } else if (format != null) {
        Exporter.toStream(
            spread,
            TableFamilies.of(open, spread.generation()).size(),
            rows,
            FileFormat.of(format),
            console.data(),
            count -> {});
      } else {
        table(spread, rows);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void table(SpreadTable spread, RowQuery query) throws IOException {
    long count = 0;
    try (Rows rows = query.open(spread);
        Pager pager = Pager.open(console.out(), noPager);
        RowTable out = new RowTable(pager.out())) {
      if (!rows.isOrdered()) {
        console.note("the layout has no order for these rows: shown in physical order");
      }
      for (Row row = rows.next(); row != null && !pager.isClosed(); row = rows.next()) {
        out.write(row);
        count++;
      }
    }
    console.note(Amount.of(count, "row"));
  }

  private void document(SpreadTable spread, int families, RowQuery query) throws IOException {
    PrintStream out = Controls.json(console.data());
    long count = 0;
    try (Rows rows = query.open(spread);
        JsonGenerator generator = new ObjectMapper().createGenerator((OutputStream) out)) {
      RowObjects objects = RowObjects.of(families, rows, query.columns());
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      generator.useDefaultPrettyPrinter();
      generator.writeStartObject();
      generator.writeStringField("table", spread.name().getNameAsString());
      generator.writeBooleanField("ordered", rows.isOrdered());
      generator.writeArrayFieldStart("rows");
      for (Row row = rows.next(); row != null; row = rows.next()) {
        generator.writeObject(objects.of(row));
        count++;
      }
      generator.writeEndArray();
      generator.writeNumberField("count", count);
      generator.writeEndObject();
    }
    out.write("\n".getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
