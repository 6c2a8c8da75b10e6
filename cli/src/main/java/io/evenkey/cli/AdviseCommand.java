/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Advisor;
import io.evenkey.advisor.evaluate.CostModel;
import io.evenkey.advisor.query.QueryFile;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.cli.validation.Calibration;
import io.evenkey.cli.validation.Validation;
import io.evenkey.client.SpreadTable;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.advice.AdviceReport;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.sample.RecordSample;
import io.evenkey.report.sample.TableSample;
import io.evenkey.report.terminal.Progress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey advise}. */
@Rights("None; --table: R on the table.")
@Command(
    name = "advise",
    header = "Recommend a layout for given records and queries.",
    description = {
      "",
      "Replays a sample of records, in arrival order, and the queries under every candidate "
          + "layout. Ranks the layouts by how evenly the writes spread over time and by the ranges "
          + "and rows that each query reads.",
      "",
      "Queries, one per line, with ? for a value from the data:",
      "  device = ? and ts between ? and ? newest first limit 100 : weight 60",
      "  host under ?                                            : weight 10",
      "  writes 5000        rows per second; also rows, value (bytes), servers",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey advise --csv readings.csv.gz --queries queries.txt --servers 6",
    sortOptions = false)
final class AdviseCommand implements Callable<Integer> {
  private static final int VALIDATED = 3;
  private static final int MOST_GROWTH = 1000;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(multiplicity = "1")
  private Source from = new Source();

  @Option(
      names = "--queries",
      required = true,
      paramLabel = "FILE",
      description = "File of queries.")
  private Path queries = Path.of("");

  @Option(names = "--servers", paramLabel = "N", description = "Region servers (default 3).")
  private @Nullable Integer servers;

  @Option(
      names = "--growth",
      paramLabel = "FACTOR",
      description =
          "Yearly growth of rows and writes, such as 1.5. Plans the steps of the salt for three"
              + " years.")
  private @Nullable Double growth;

  @Option(
      names = "--write-weight",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description = "Weight of even writes against cheap reads, 0 to 1 (default ${DEFAULT-VALUE}).")
  private double writeWeight = 0.5;

  @Option(
      names = "--report",
      paramLabel = "OUT.html",
      description = "Write the full report, with heat maps, as one HTML page.")
  private @Nullable Path report;

  @Option(names = "--force", description = "Overwrite an existing report.")
  private boolean force;

  @Option(
      names = "--validate",
      description =
          "Load the records under the best layouts into a real HBase in this process, run the "
              + "queries, and show the measured counters next to the predicted ones.")
  private boolean validate;

  @ArgGroup(exclusive = false, heading = "Costs, in milliseconds:%n")
  private Costs costs = new Costs();

  @Mixin private DialectOptions dialect = new DialectOptions();

  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  private AdviceView.@Nullable Existing existing;

  /** The source of the records. */
  private static final class Source {
    @Option(
        names = {"--csv", "--file"},
        required = true,
        paramLabel = "FILE",
        description =
            "Records in arrival order: CSV, TSV or JSON lines; plain, .gz or .zst; Parquet or"
                + " Avro.")
    private @Nullable Path csv;

    @ArgGroup(exclusive = false)
    private @Nullable Live live;
  }

  /** An existing table as the source. */
  private static final class Live {
    @Option(
        names = "--table",
        required = true,
        paramLabel = "TABLE",
        description = "Existing table to sample, in the order of its writes.")
    private String table = "";

    @Option(
        names = "--sample",
        paramLabel = "SHARE",
        description =
            "Share of the table's rows to sample at random (default 0.01; more of a table with less"
                + " than a million rows).")
    private @Nullable Double share;
  }

  /** The costs of reads on a cluster. */
  private static final class Costs {
    @Option(
        names = "--query-ms",
        paramLabel = "MS",
        defaultValue = "0.5",
        description = "Cost of a query's round trip to a region server (default ${DEFAULT-VALUE}).")
    private double query = CostModel.USUAL.queryMs();

    @Option(
        names = "--request-ms",
        paramLabel = "MS",
        defaultValue = "0.07",
        description = "Cost of one request to a region server (default ${DEFAULT-VALUE}).")
    private double request = CostModel.USUAL.requestMs();

    @Option(
        names = "--range-ms",
        paramLabel = "MS",
        defaultValue = "0.01",
        description =
            "Cost of one range of a short scan, if the region servers have Evenkey's module"
                + " (default ${DEFAULT-VALUE}).")
    private double range = Objects.requireNonNull(CostModel.USUAL.rangeMs());

    @Option(
        names = "--without-module",
        description =
            "The region servers do not have Evenkey's module: a short scan sends a request for "
                + "each range.")
    private boolean withoutModule;

    @Option(
        names = "--row-ms",
        paramLabel = "MS",
        defaultValue = "0.001",
        description = "Cost of one row read (default ${DEFAULT-VALUE}).")
    private double row = CostModel.USUAL.rowMs();

    @Option(
        names = "--calibrate",
        description = "Measure these costs on the cluster, with a temporary table of 100,000 rows.")
    private boolean calibrate;

    private void check(CommandSpec spec) {
      Map<String, Double> given =
          Map.of(
              "--query-ms", query, "--request-ms", request, "--range-ms", range, "--row-ms", row);
      given.forEach(
          (name, cost) -> {
            if (!(cost >= 0)) {
              throw UsageErrors.outOfRange(spec, name, cost, "give costs of 0 or more");
            }
          });
    }

    private CostModel model() {
      return new CostModel(
          query, request, withoutModule ? null : range, row, CostModel.USUAL.backwards());
    }
  }

  AdviseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (!(writeWeight >= 0 && writeWeight <= 1)) {
      throw UsageErrors.outOfRange(spec, "--write-weight", writeWeight, "give a share from 0 to 1");
    }
    costs.check(spec);
    if (servers != null && (servers < 1 || servers > 1000)) {
      throw UsageErrors.outOfRange(spec, "--servers", servers, "give 1 to 1000");
    }
    if (growth != null && !(growth >= 1 && growth <= MOST_GROWTH)) {
      throw UsageErrors.outOfRange(spec, "--growth", growth, "give 1 to " + MOST_GROWTH);
    }
    OutputFile page = report == null ? null : OutputFile.at(report, force);
    if (!Files.isReadable(queries)) {
      throw InputException.file(
          queries.toString(), "no such file, or not readable", "name a file with queries");
    }
    List<String> lines = Files.readAllLines(queries);
    console.ifStopped(() -> Interruption.nothingChanged(spec));
    Sample sample;
    Workload read;
    long start = System.nanoTime();
    Path csv = from.csv;
    if (csv != null) {
      Input input = Input.file(csv);
      RecordSource source = dialect.read(input);
      // Mistakes in the queries are reported before a large file is read.
      read = QueryFile.parse(lines, source.columns());
      sample = sample(source, input, read);
    } else {
      sample = sample(Objects.requireNonNull(from.live));
      read = QueryFile.parse(lines, sample.columns().stream().map(Column::name).toList());
    }
    Workload stated = growth == null ? read : read.growing(growth);
    Workload workload = servers == null ? stated : stated.on(servers);
    CostModel model = costs.calibrate ? calibrated() : costs.model();
    Advice advice;
    try (Progress bar = console.progress("measure", 0, " layouts")) {
      advice =
          new Advisor(writeWeight, model, Advisor.usual().seed())
              .advise(sample, workload, (done, all) -> bar.to(done));
    } catch (LayoutException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new EvenkeyException(String.valueOf(e.getMessage()), e);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (page != null) {
      page.write(AdviceReport.html(advice, source(csv)).getBytes(StandardCharsets.UTF_8));
      console.ifStopped(
          () ->
              "report="
                  + report
                  + " is written; begin again with: "
                  + Interruption.commandWith(spec, "--force"));
    }
    Map<String, List<Validation.Line>> validated = validate ? validated(advice) : Map.of();
    AdviceView view =
        new AdviceView(console, growth == null ? null : LocalDate.now(ZoneOffset.UTC), existing);
    if (json) {
      view.json(advice, validated, seconds);
    } else {
      view.print(advice, validated, seconds);
    }
    return CommandLine.ExitCode.OK;
  }

  private String source(@Nullable Path csv) {
    return csv == null
        ? "table " + Objects.requireNonNull(from.live).table
        : csv.getFileName().toString();
  }

  private CostModel calibrated() throws IOException {
    console.note("measuring the costs of reads on the cluster …");
    TableName table = Calibration.table();
    console.ifStopped(
        () ->
            "drop the temporary table, if it is there: table="
                + table
                + "; begin again with: "
                + Interruption.sameCommand(spec));
    try (Cluster open = cluster.open()) {
      CostModel model = Calibration.of(open.connection(), table);
      console.ifStopped(() -> Interruption.nothingChanged(spec));
      console.note(
          String.format(
              Locale.ROOT,
              "a query %.3f ms, a request %.3f ms, %s, a row %.5f ms, backwards %.1f times that",
              model.queryMs(),
              model.requestMs(),
              model.rangeMs() == null
                  ? "servers without Evenkey's module"
                  : String.format(Locale.ROOT, "a range %.4f ms", model.rangeMs()),
              model.rowMs(),
              model.backwards()));
      return model;
    }
  }

  private Sample sample(Live live) throws IOException {
    Double given = live.share;
    if (given != null && !(given > 0 && given <= 1)) {
      throw UsageErrors.outOfRange(spec, "--sample", given, "give a share above 0, up to 1");
    }
    TableName table = UsageErrors.tableName(spec, live.table);
    try (Cluster open = cluster.open();
        Progress bar = console.progress("sample " + table, 0)) {
      SpreadTable spread = open.tables().open(table);
      existing = new AdviceView.Existing(table.getNameAsString(), spread.layout());
      return given == null
          ? TableSample.usual(spread, bar::to)
          : TableSample.of(spread, given, bar::to);
    }
  }

  private Map<String, List<Validation.Line>> validated(Advice advice) throws IOException {
    Map<String, List<Validation.Line>> lines = new LinkedHashMap<>();
    int servers = advice.workload().servers();
    console.note("starting HBase with " + servers + " region servers in this process …");
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(servers).start()) {
      List<Advice.Ranked> best =
          new ArrayList<>(advice.ranked().subList(0, Math.min(VALIDATED, advice.ranked().size())));
      Stream.of(advice.winner(), advice.baseline())
          .filter(shown -> best.stream().noneMatch(one -> one.line().equals(shown.line())))
          .forEach(best::add);
      for (Advice.Ranked ranked : best) {
        try (Progress bar =
            console.progress("load " + (lines.size() + 1), advice.sample().size())) {
          lines.put(ranked.line(), Validation.of(hbase, advice, ranked, lines.size(), bar::to));
        }
      }
    }
    return lines;
  }

  private Sample sample(RecordSource source, Input input, Workload workload) throws InputException {
    try (Progress bar = console.byteProgress("read", input.size())) {
      return RecordSample.of(source, input, workload, bar::to);
    }
  }
}
