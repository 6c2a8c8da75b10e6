/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Advisor;
import io.evenkey.advisor.query.QueryFile;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.cli.starter.ExampleRecord;
import io.evenkey.cli.starter.FirstLayout;
import io.evenkey.cli.starter.Interview;
import io.evenkey.cli.starter.Requirements;
import io.evenkey.cli.starter.StarterFiles;
import io.evenkey.client.plan.NewTable;
import io.evenkey.client.plan.Plan;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.json.DescribedIndex;
import io.evenkey.report.json.StarterJson;
import io.evenkey.report.sample.RecordSample;
import io.evenkey.report.terminal.Progress;
import io.evenkey.report.terminal.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey init}. */
@Command(
    name = "init",
    header = "Begin with a table: write its plan, its queries and a Java program.",
    description = {
      "",
      "Asks in a terminal what identifies a record, what is queried and how much is written, or"
          + " takes the answers as options. With --from, 'evenkey advise' chooses the layout from"
          + " the records of a file. Without it, the key begins with the fields that the main query"
          + " fixes, and the salt hashes them.",
      "",
      "Writes to DIR: plan.json for 'evenkey plan --import', queries.txt for 'evenkey advise', and "
          + "a Java program that writes a record and reads by the query of the greatest weight.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey init readings",
      "  evenkey init readings --record 'device:string + ts:timestamp' \\",
      "      --query 'device = ? newest first limit 20' --writes 5000",
      "  evenkey init readings --from readings.csv --query 'device = ? newest first limit 20'"
    },
    sortOptions = false)
final class InitCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory of the files (default: the current one); created if missing.")
  private Path directory = Path.of(".");

  @ArgGroup private Records records = new Records();

  @Option(
      names = "--query",
      paramLabel = "QUERY",
      description = "A query as 'evenkey advise' reads it; give it once per query.")
  private List<String> queries = List.of();

  @Option(names = "--table", paramLabel = "NAME", description = "Table (default: after DIR).")
  private @Nullable String table;

  @Option(
      names = "--family",
      paramLabel = "NAME",
      defaultValue = "d",
      description = "Its column family (default ${DEFAULT-VALUE}).")
  private String family = "d";

  @Option(
      names = "--writes",
      paramLabel = "N",
      description = "Rows written in a second at the peak (default 1000).")
  private @Nullable Double writes;

  @Option(names = "--rows", paramLabel = "N", description = "Rows in all (default 1e9).")
  private @Nullable Double rows;

  @Option(names = "--servers", paramLabel = "N", description = "Region servers (default 3).")
  private @Nullable Integer servers;

  @Mixin private DialectOptions dialect = new DialectOptions();

  @Option(names = "--force", description = "Overwrite existing files.")
  private boolean force;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  /** The source of the fields. */
  private static final class Records {
    @Option(
        names = "--record",
        paramLabel = "FIELDS",
        description = "Fields that identify a record: 'device:string + ts:timestamp'.")
    private @Nullable String line;

    @Option(
        names = "--from",
        paramLabel = "FILE",
        description = "Records in arrival order: CSV, TSV or JSON lines; plain, .gz or .zst.")
    private @Nullable Path file;
  }

  InitCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    boolean asks = console.canAsk() && !json;
    checkNumbers();
    if (!asks) {
      requireAnswers();
    }
    TableName name = UsageErrors.tableName(spec, table == null ? usualName() : table);
    Interview interview = new Interview(console.answers(), console.err());
    Input input = records.file == null ? null : Input.file(records.file);
    RecordSource source = input == null ? null : dialect.read(input);
    List<Field> fields = source == null ? fields(interview) : List.of();
    List<String> columns =
        source == null ? fields.stream().map(Field::name).toList() : source.columns();
    List<String> asked = queries.isEmpty() ? askQueries(interview, columns) : List.copyOf(queries);
    Workload read = QueryFile.parse(asked, columns);
    if (read.queries().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "no query: --query=" + asked + "; give a query, such as 'all'");
    }
    Workload workload = load(read, asks ? interview : null);
    Requirements wanted = new Requirements(name, family, asked, workload);
    ChosenLayout chosen =
        source == null || input == null
            ? new ChosenLayout(FirstLayout.of(fields, wanted), Map.of(), List.of(), List.of())
            : advised(source, input, wanted);
    ExampleRecord example = ExampleRecord.of(chosen.layout, chosen.known);
    RegionCount count = regions(wanted, chosen.layout, example);
    Plan plan =
        new Plan.Builder()
            .layout(chosen.layout)
            .regions(
                NewTable.spreadRegions(chosen.layout, count.regions(), wanted.workload().servers()))
            .families(List.of(family))
            .build();
    List<Path> written =
        StarterFiles.of(
                wanted,
                plan,
                chosen.layout,
                example,
                System.getProperty("user.name", ""),
                Instant.now().truncatedTo(ChronoUnit.SECONDS))
            .writeTo(directory, force);
    print(wanted, plan, chosen, example, count, written);
    return CommandLine.ExitCode.OK;
  }

  /**
   * The layout.
   *
   * @param known the values of a record of the file
   * @param warnings its drawbacks
   * @param notes what was done about the data, and what else would help
   */
  private record ChosenLayout(
      Layout layout, Map<String, String> known, List<String> warnings, List<String> notes) {}

  private void checkNumbers() {
    if (writes != null && !(writes > 0 && writes <= 1e12)) {
      throw UsageErrors.outOfRange(spec, "--writes", writes, "give rows a second, more than 0");
    }
    if (rows != null && !(rows >= 1 && rows <= 1e15)) {
      throw UsageErrors.outOfRange(spec, "--rows", rows, "give 1 to 1e15");
    }
    if (servers != null && (servers < 1 || servers > 1000)) {
      throw UsageErrors.outOfRange(spec, "--servers", servers, "give 1 to 1000");
    }
  }

  private void requireAnswers() {
    List<String> missing = new ArrayList<>();
    if (records.line == null && records.file == null) {
      missing.add("--record|--from");
    }
    if (queries.isEmpty()) {
      missing.add("--query");
    }
    if (!missing.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no terminal to ask in: missing="
              + String.join(",", missing)
              + "; give these options, or run it in a terminal without --json");
    }
  }

  private String usualName() {
    Path last = directory.toAbsolutePath().normalize().getFileName();
    String name = last == null ? "" : last.toString().replaceAll("[^A-Za-z0-9_]", "_");
    return name.matches("[A-Za-z0-9].*") ? name : "records";
  }

  private List<Field> fields(Interview interview) throws IOException {
    String line =
        records.line != null
            ? records.line
            : interview.ask(
                "What identifies a record? Its fields with their types, as in\n"
                    + "device:string + ts:timestamp (also int64, uuid, date, digits, …)\n>",
                "",
                InitCommand::recordFields);
    try {
      return recordFields(line);
    } catch (IllegalArgumentException e) {
      if (e instanceof LayoutException) {
        throw e;
      }
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static List<Field> recordFields(String line) {
    Layout layout = Layout.parse(line);
    if (!layout.isPlain() || layout.fields().isEmpty()) {
      throw new EvenkeyArgumentException(
          "a spread among the fields of a record: --record="
              + line
              + "; name the fields only, and the layout follows from the queries");
    }
    return layout.fields();
  }

  private List<String> askQueries(Interview interview, List<String> columns) throws IOException {
    console.note("Fields: " + String.join(", ", columns));
    return interview.askLines(
        "What is queried? One query a line, ? for a value; an empty line ends. For example\n"
            + columns.get(0)
            + " = ? newest first limit 20 : weight 60",
        line -> QueryFile.parse(List.of(line), columns));
  }

  private Workload load(Workload read, @Nullable Interview interview) throws IOException {
    double perSecond = read.writesPerSecond();
    double all = read.rows();
    int count = read.servers();
    if (interview != null && writes == null) {
      perSecond =
          number(interview, "How many rows are written in a second at the peak?", perSecond);
    }
    if (interview != null && rows == null) {
      all = number(interview, "How many rows will there be?", all);
    }
    if (interview != null && servers == null) {
      count = (int) number(interview, "How many region servers are there?", count);
    }
    return new Workload(
        read.queries(),
        writes == null ? perSecond : writes,
        rows == null ? all : rows,
        read.valueBytes(),
        read.growth(),
        servers == null ? count : servers);
  }

  private static double number(Interview interview, String question, double usual)
      throws IOException {
    String answer =
        interview.ask(
            question,
            String.valueOf((long) usual),
            text -> {
              if (!text.matches("[0-9]+(\\.[0-9]+)?([eE][0-9]+)?")
                  || Double.parseDouble(text) < 1
                  || Double.parseDouble(text) > 1e15) {
                throw new EvenkeyArgumentException(
                    "not a number from 1 to 1e15: answer=" + text + "; for example 5000");
              }
            });
    return Double.parseDouble(answer);
  }

  private ChosenLayout advised(RecordSource source, Input input, Requirements wanted)
      throws IOException {
    console.ifStopped(() -> Interruption.nothingChanged(spec));
    Sample sample;
    try (Progress bar = console.byteProgress("read", input.size())) {
      sample = RecordSample.of(source, input, wanted.workload(), bar::to);
    }
    Advice advice;
    try (Progress bar = console.progress("measure", 0, " layouts")) {
      advice = Advisor.usual().advise(sample, wanted.workload(), (done, of) -> bar.to(done));
    } catch (IllegalArgumentException e) {
      throw new EvenkeyException(String.valueOf(e.getMessage()), e);
    }
    Map<String, String> first = new HashMap<>();
    sample.columns().forEach(column -> first.put(column.name(), column.text(0)));
    Advice.Ranked winner = advice.winner();
    List<String> warnings = new ArrayList<>(sample.warnings());
    warnings.addAll(winner.warnings());
    advice.unserved().forEach(query -> warnings.add("not served: " + query));
    List<String> notes = new ArrayList<>(winner.notes());
    advice.remarks().stream().filter(remark -> !warnings.contains(remark)).forEach(notes::add);
    advice
        .proposed()
        .indexes()
        .forEach(
            index ->
                notes.add(
                    "an index pays once the table has rows: "
                        + DescribedIndex.addition(
                            wanted.table().getNameAsString(), index.index())));
    return new ChosenLayout(
        winner.evaluation().candidate().layout(), first, List.copyOf(warnings), List.copyOf(notes));
  }

  private static RegionCount regions(Requirements wanted, Layout layout, ExampleRecord example) {
    Workload load = wanted.workload();
    double bytes = load.valueBytes() + layout.encode(example.values()).length;
    return RegionCount.of(
        new TableLoad(
            load.rows() * bytes / 1e9,
            TableLoad.Weight.EVEN,
            load.writesPerSecond() * bytes / 1e6,
            load.servers()));
  }

  private void print(
      Requirements wanted,
      Plan plan,
      ChosenLayout chosen,
      ExampleRecord example,
      RegionCount count,
      List<Path> written) {
    if (json) {
      console.json(
          new StarterJson(
              wanted.table().getNameAsString(),
              chosen.layout.toString(),
              plan.regions(),
              example.texts(),
              written.stream().map(Path::toString).toList(),
              chosen.warnings,
              chosen.notes));
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("table", wanted.table().getNameAsString()));
    lines.add(List.of("layout", chosen.layout.toString()));
    lines.add(List.of("regions", regions(plan, count)));
    written.forEach(file -> lines.add(List.of("wrote", file.toString())));
    console.table(lines);
    console.warnings(chosen.warnings);
    chosen.notes.forEach(note -> console.say("note: " + note));
    console.out().println();
    console.out().println("next");
    next(wanted, chosen, example).forEach(line -> console.out().println("  " + line));
  }

  private static String regions(Plan plan, RegionCount count) {
    int planned = plan.regions() == null ? count.regions() : plan.regions();
    return planned < count.regions()
        ? planned
            + ", one for each bucket; by its size the table will have "
            + count.regions()
            + ", into which HBase splits it as it grows"
        : planned + ", by the rule: " + count.rules().get(0);
  }

  private List<String> next(Requirements wanted, ChosenLayout chosen, ExampleRecord example) {
    List<String> lines = new ArrayList<>();
    StringBuilder explain =
        new StringBuilder("evenkey explain ").append(Shell.quoted(chosen.layout.toString()));
    example
        .texts()
        .forEach((name, text) -> explain.append(" --set ").append(Shell.quoted(name + "=" + text)));
    lines.add(explain.toString());
    Path file = records.file;
    if (file == null) {
      lines.add(
          "evenkey advise --csv records.csv --queries "
              + Shell.quoted(directory.resolve(StarterFiles.QUERIES).toString()));
    }
    lines.add(
        "evenkey plan --import " + Shell.quoted(directory.resolve(StarterFiles.PLAN).toString()));
    String name = Shell.quoted(wanted.table().getNameAsString());
    lines.add("evenkey create " + name);
    // The data may still lack a number that its records would have to get.
    boolean hasFields =
        chosen.layout.fields().stream().allMatch(field -> chosen.known.containsKey(field.name()));
    if (file != null && hasFields) {
      lines.add(
          "evenkey import "
              + name
              + " --csv "
              + Shell.quoted(file.toString())
              + dialect.arguments());
    }
    return lines;
  }
}
