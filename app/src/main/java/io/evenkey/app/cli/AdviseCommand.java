package io.evenkey.app.cli;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Advisor;
import io.evenkey.advisor.evaluate.CostModel;
import io.evenkey.advisor.query.QueryFile;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.app.advice.AdviceReport;
import io.evenkey.app.advice.Validation;
import io.evenkey.app.terminal.Progress;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.input.Format;
import io.evenkey.jobs.input.Input;
import io.evenkey.jobs.input.InputException;
import io.evenkey.jobs.input.RecordCursor;
import io.evenkey.jobs.input.RecordSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey advise}. */
@Command(
    name = "advise",
    header = "Find the layout for some records and the queries on them.",
    description = {
      "",
      "Replays a sample of records, in the order in which they arrived, and the queries, under",
      "every layout that could serve them, and ranks these by what it counts: where the writes",
      "go moment by moment, and what each query opens and reads.",
      "",
      "Queries, one a line, with ? for a value of the data:",
      "  device = ? and ts between ? and ? newest first limit 100 : weight 60",
      "  host under ?                                            : weight 10",
      "  writes 5000        rows a second; also rows, value (bytes), servers",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey advise --csv readings.csv.gz --queries queries.txt --servers 6",
    sortOptions = false)
final class AdviseCommand implements Callable<Integer> {
  private static final int VALIDATED = 3;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"--csv", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "Records in arrival order: CSV, TSV or JSON lines; plain, .gz or .zst.")
  private Path csv = Path.of("");

  @Option(
      names = "--queries",
      required = true,
      paramLabel = "FILE",
      description = "What is asked of them.")
  private Path queries = Path.of("");

  @Option(names = "--servers", paramLabel = "N", description = "Region servers (default 3).")
  private @Nullable Integer servers;

  @Option(
      names = "--write-weight",
      paramLabel = "SHARE",
      defaultValue = "0.5",
      description = "How much even writes count against cheap reads (default ${DEFAULT-VALUE}).")
  private double writeWeight = 0.5;

  @Option(
      names = "--report",
      paramLabel = "OUT.html",
      description = "Write all of it as one page, with heat maps.")
  private @Nullable Path report;

  @Option(
      names = "--validate",
      description = {
        "Load the records under the best layouts into a real HBase in this process, run the",
        "queries, and show what its servers count beside what was predicted."
      })
  private boolean validate;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  AdviseCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (!(writeWeight >= 0 && writeWeight <= 1)) {
      throw Misuse.outOfRange(spec, "--write-weight", writeWeight, "give a share from 0 to 1");
    }
    if (servers != null && (servers < 1 || servers > 1000)) {
      throw Misuse.outOfRange(spec, "--servers", servers, "give 1 to 1000");
    }
    if (!Files.isReadable(queries)) {
      throw InputException.file(
          queries.toString(), "no such file, or not readable", "name a file with queries");
    }
    Input input = Input.file(csv);
    RecordSource source = Format.of(csv.toString()).read(input);
    Workload read = QueryFile.parse(Files.readAllLines(queries), source.columns());
    Workload workload = servers == null ? read : read.on(servers);
    long start = System.nanoTime();
    Sample sample = sample(source, input);
    Advice advice;
    try (Progress bar = console.progress("measure", 0, " layouts")) {
      advice =
          new Advisor(writeWeight, CostModel.USUAL, Advisor.usual().seed())
              .advise(sample, workload, (done, all) -> bar.to(done));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (report != null) {
      Files.writeString(report, AdviceReport.html(advice, csv.getFileName().toString()));
    }
    Map<String, List<Validation.Line>> validated = validate ? validated(advice) : Map.of();
    AdviceView view = new AdviceView(console);
    if (json) {
      view.json(advice, validated, seconds);
    } else {
      view.print(advice, validated, seconds);
    }
    return CommandLine.ExitCode.OK;
  }

  private Map<String, List<Validation.Line>> validated(Advice advice) throws IOException {
    Map<String, List<Validation.Line>> lines = new LinkedHashMap<>();
    int servers = advice.workload().servers();
    console.note("starting HBase with " + servers + " region servers in this process …");
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(servers).start()) {
      List<Advice.Ranked> best =
          new ArrayList<>(advice.ranked().subList(0, Math.min(VALIDATED, advice.ranked().size())));
      if (best.stream().noneMatch(ranked -> ranked.line().equals(advice.baseline().line()))) {
        best.add(advice.baseline());
      }
      for (Advice.Ranked ranked : best) {
        try (Progress bar =
            console.progress("load " + (lines.size() + 1), advice.sample().size())) {
          lines.put(ranked.line(), Validation.of(hbase, advice, ranked, lines.size(), bar::to));
        }
      }
    }
    return lines;
  }

  private Sample sample(RecordSource source, Input input) throws InputException {
    Sample.Builder sample = new Sample.Builder(source.columns());
    int columns = source.columns().size();
    try (RecordCursor cursor = source.open();
        Progress bar = console.byteProgress("read", input.size())) {
      for (long record = 0; cursor.next(); record++) {
        if (sample.wants()) {
          List<String> values = new ArrayList<>(columns);
          for (int i = 0; i < columns; i++) {
            values.add(cursor.value(i));
          }
          sample.add(values);
        } else {
          sample.skip();
        }
        if (record % 4096 == 0) {
          bar.to(input.bytesRead());
        }
      }
      bar.to(input.bytesRead());
    }
    Sample built = sample.build();
    if (built.size() == 0) {
      throw InputException.empty(source);
    }
    return built;
  }
}
