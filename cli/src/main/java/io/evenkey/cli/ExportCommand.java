/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.codec.Codec;
import io.evenkey.jobs.export.Exporter;
import io.evenkey.jobs.export.FileFormat;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.records.Format;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.ExportJson;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Progress;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey export}. */
@Rights("R on the table.")
@Command(
    name = "export",
    header = "Write the rows of a table to a file, in key order.",
    description = {
      "",
      "Writes the formats that 'evenkey import' reads: CSV or TSV with a header, or one JSON object"
          + " per line, in files whose names may end in .gz or .zst; Parquet; and Avro. The format"
          + " is chosen by the file name. In Parquet and Avro, fields of the key and columns in"
          + " --column have types; all other columns are text. The file appears only when it is"
          + " complete. An existing file is rejected, or replaced at that moment with --force.",
      "",
      "Importing the file gives the same cells. If a cell would change, the export fails and names"
          + " it. A column is called family:qualifier, or by its qualifier alone where the table"
          + " has one family; values that are not text are in family:qualifier:bytes, in"
          + " hexadecimal.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey export readings --out readings.csv.zst --where \"ts >= 2026-01-01\"",
      "  evenkey export readings --out readings.parquet --column d:temp=temp:float64"
    },
    sortOptions = false)
final class ExportCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Option(names = "--out", required = true, paramLabel = "FILE", description = "The file to write.")
  private Path file = Path.of("");

  @Option(names = "--force", description = "Replace an existing file.")
  private boolean force;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES}; default: by the file's name.")
  private @Nullable Format format;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      description =
          "Compress the blocks of Parquet or Avro: ${COMPLETION-CANDIDATES}; default: snappy in "
              + "Parquet, gzip (deflate) in Avro.")
  private @Nullable Codec codec;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description =
          "Text that means no value in CSV or TSV, such as \\N, for 'evenkey import --null'."
              + " Without it, empty values are rejected, because an import would read them as"
              + " missing.")
  private @Nullable String nullText;

  @Mixin private QueryOptions query = new QueryOptions();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  ExportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    RowQuery rows = query.query();
    FileFormat written = FileFormat.of(file, format, codec).withNull(nullText);
    OutputFile output = OutputFile.at(file, force);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Metrics.addRegistry(meters);
    console.ifStopped(this::stopped);
    try (Cluster open = cluster.open()) {
      long start = System.nanoTime();
      long count;
      double before;
      try (Progress bar = console.progress("export " + table, 0)) {
        SpreadTable spread = open.tables().open(table);
        console.warningNotes(rows.warnings(spread));
        before = foreign(meters);
        int families = TableFamilies.of(open, spread.generation()).size();
        count = Exporter.toFile(spread, families, rows, written, output, bar::to);
        console.finished("file=" + file + " is written");
      }
      double foreign = foreign(meters) - before;
      if (foreign > 0) {
        console.note(
            String.format(
                Locale.ROOT,
                "warning: the file lacks %s, not written under the table's layout; 'evenkey verify"
                    + " %s' lists examples",
                Amount.of((long) foreign, "row"),
                table));
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      if (json) {
        console.json(new ExportJson(table.getNameAsString(), file.toString(), count, seconds));
      } else {
        console
            .out()
            .printf(Locale.ROOT, "%s in %.1f s: %s%n", Amount.of(count, "row"), seconds, file);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private String stopped() {
    return "file="
        + file
        + " is "
        + (Files.exists(file) ? "as it was" : "not written")
        + "; begin again with: "
        + Interruption.sameCommand(spec);
  }

  /** How many rows were read that are none of their table's layout. */
  private static double foreign(MeterRegistry meters) {
    return meters.find("evenkey.rows.foreign").functionCounters().stream()
        .mapToDouble(FunctionCounter::count)
        .sum();
  }
}
