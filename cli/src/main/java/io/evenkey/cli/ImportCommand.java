/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.jobs.load.DuplicateKeyPolicy;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.load.RecordRows;
import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.jobs.records.Dialect;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.WorkDirectory;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey import}. */
@Rights({
  "W on the table; without --family and --column also C or A, to see its families.",
  "--bulk: C or A on the table, and the files readable and writable by the servers' user."
})
@Command(
    name = "import",
    header = "Load records into a table.",
    description = {
      "",
      "Reads CSV or TSV with a header, or one JSON object per line; plain, gzip or Zstandard; "
          + "Parquet; and Avro. The layout names the columns of the key; the others become cells: "
          + "as text, with the type of the file's schema, or with the type in --column. A missing "
          + "value writes no cell.",
      "",
      "After a kill at any moment, --resume continues without losing or duplicating records. "
          + "Records with the same key, of which HBase keeps only one, are counted and listed.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey import readings --csv readings.csv.gz --column d:temp=temperature:float64",
      "  zcat logs.ndjson.gz | evenkey import logs --csv - --format ndjson"
    },
    sortOptions = false)
final class ImportCommand implements Callable<Integer> {
  private static final double REJECT_SHARE = 0.01;
  private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(1);

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Option(
      names = {"--csv", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "Records; repeatable; - reads standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES}; default: by the file's name.")
  private @Nullable Format format;

  @Mixin private DialectOptions dialect = new DialectOptions();

  @Option(
      names = "--column",
      paramLabel = "F:Q=NAME[:TYPE]",
      converter = CellColumnConverter.class,
      description =
          "Load column NAME of the file into family F, qualifier Q; TYPE is string, int16, int32,"
              + " int64, float32, float64, decimal, bool or bytes, in HBase's own encoding. If"
              + " given, no other columns are loaded.")
  private List<CellColumn> columns = List.of();

  @Option(names = "--family", paramLabel = "F", description = "Default column family.")
  private @Nullable String family;

  @Mixin private TimeUnitOption timeUnit = new TimeUnitOption();

  @Option(
      names = "--on-collision",
      paramLabel = "WHAT",
      defaultValue = "report",
      converter = DuplicateKeyPolicyConverter.class,
      description = "For duplicate keys: fail, report or keep-first (default ${DEFAULT-VALUE}).")
  private DuplicateKeyPolicy onCollision = DuplicateKeyPolicy.REPORT;

  @Option(
      names = "--max-rejects",
      paramLabel = "N",
      description =
          "Stop after more than N rejected records. Default: exit code 1 if more than 1 of 100"
              + " records is rejected, and stop once more than 1000 are.")
  private @Nullable Long maxRejects;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description = "File of rejected records (default FILE.rejects.csv).")
  private @Nullable Path rejects;

  @Option(
      names = "--force",
      description = "At the first reject, overwrite an existing file of rejects.")
  private boolean force;

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "Checkpoint file (default FILE.TABLE.checkpoint).")
  private @Nullable Path checkpoint;

  @Option(names = "--resume", description = "Continue an interrupted import from its checkpoint.")
  private boolean resume;

  @Option(names = "--restart", description = "Start an interrupted import over.")
  private boolean restart;

  @Option(
      names = "--writers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Batches written in parallel (default ${DEFAULT-VALUE}).")
  private int writers = 4;

  @Option(
      names = "--bulk",
      description =
          "Write HFiles in a MapReduce job, on YARN or in this process, and bulk load them: the "
              + "table gets all records or none. For large imports.")
  private boolean bulk;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "With --bulk: parent of a temporary directory for the HFiles; best on HBase's own file "
              + "system.")
  private @Nullable String work;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  private final InputStream stdin = System.in;

  ImportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    checkNumbers();
    List<Input> inputs = inputs();
    inputs.stream()
        .map(input -> isDelimited(formatOf(input)) ? dialect.guess(formatOf(input)) : "")
        .filter(guess -> !guess.isEmpty())
        .distinct()
        .forEach(console::note);
    try (Cluster open = cluster.open()) {
      SpreadTable spread = open.openToWrite(table);
      List<String> families = TableFamilies.of(open, spread.generation());
      LoadOptions options = options(table, inputs, family(families), families);
      LoadResult result =
          bulk ? bulk(open, spread, inputs, options) : put(open, spread, inputs, options);
      new LoadView(console, json).show(table, options, bulk, result);
      result.check(options);
    }
    return CommandLine.ExitCode.OK;
  }

  private LoadResult put(Cluster open, SpreadTable spread, List<Input> inputs, LoadOptions options)
      throws IOException {
    List<RecordSource> sources = new ArrayList<>();
    for (Input input : inputs) {
      sources.add(dialect.read(input, formatOf(input)));
    }
    Loader loader = Loader.of(spread.generation(), spread.layout(), inputs, sources, options);
    AtomicLong loaded = new AtomicLong();
    if (!json) {
      console.note("write: records are encoded and put into " + spread.name());
    }
    try (Progress bar = console.byteProgress("import " + spread.name(), size(inputs))) {
      console.ifStopped(() -> stopped(spread.name(), loaded.get(), options));
      long start = System.nanoTime();
      return loader.run(
          open.connection(),
          (records, skew) -> {
            loaded.set(records);
            bar.to(
                inputs.stream().mapToLong(Input::bytesRead).sum(),
                String.format(
                    Locale.ROOT,
                    "%s, %s/s, skew %.2f",
                    Amount.of(records, "row"),
                    Amount.of(Math.round(records / ((System.nanoTime() - start) / 1e9)), "row"),
                    skew));
          });
    }
  }

  private String stopped(TableName table, long records, LoadOptions options) {
    boolean goesOn = Files.exists(options.checkpoint());
    String done = "table=" + table + String.format(Locale.ROOT, " records=%,d; ", records);
    // The checkpoint is written before the first record and deleted after the last.
    if (records > 0 && !goesOn) {
      return done + "all records are written";
    }
    return done
        + (files.contains(Input.STDIN) ? "with the same input from its beginning, " : "")
        + "go on with: "
        + (goesOn ? Interruption.commandWith(spec, "--resume") : Interruption.sameCommand(spec));
  }

  private LoadResult bulk(Cluster open, SpreadTable spread, List<Input> inputs, LoadOptions options)
      throws IOException {
    List<org.apache.hadoop.fs.Path> paths = new ArrayList<>();
    for (Input input : inputs) {
      Path file = input.path();
      if (file == null) {
        throw new ParameterException(
            spec.commandLine(), "--bulk reads files, which tasks can open: --csv -; name a file");
      }
      // The fields of the layout and of --column are checked before a job is started.
      RecordSource records = dialect.read(input, formatOf(input));
      RecordRows.of(
          records,
          spread.layout(),
          options.columns(),
          options.family(),
          options.families(),
          options.times());
      paths.add(new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()));
    }
    BulkLoad load =
        BulkLoad.of(spread.generation(), spread.layout(), paths, format, options)
            .named(spread.name());
    try (WorkDirectory directory = WorkDirectory.of(work);
        BulkBar bar = new BulkBar(console, spread.name(), json)) {
      console.ifStopped(
          () ->
              "the table has the records only if HBase had begun to take the files over:"
                  + " table="
                  + spread.name()
                  + "; begin again with: "
                  + Interruption.sameCommand(this.spec));
      return load.run(open.connection(), directory.path(), bar);
    }
  }

  private @Nullable Dialect dialectOf(List<Input> inputs) throws InputException {
    Dialect first = dialect.of(inputs.get(0), formatOf(inputs.get(0)));
    for (Input input : inputs) {
      if (!Objects.equals(first, dialect.of(input, formatOf(input)))) {
        throw new ParameterException(
            spec.commandLine(),
            "options of delimited text for files of several formats: file="
                + input.name()
                + "; import them one after another, or name their format with --format");
      }
    }
    return first;
  }

  private static boolean isDelimited(Format format) {
    return format.dialect() != null;
  }

  private Format formatOf(Input input) {
    return format == null ? Format.of(input.name()) : format;
  }

  private void checkNumbers() {
    if (maxRejects != null && maxRejects < 0) {
      throw UsageErrors.outOfRange(spec, "--max-rejects", maxRejects, "allow 0 or more");
    }
    if (writers < 1 || writers > 64) {
      throw UsageErrors.outOfRange(spec, "--writers", writers, "use 1 to 64");
    }
    if (resume && restart) {
      throw new ParameterException(
          spec.commandLine(), "--resume and --restart contradict each other; give one of them");
    }
    if (bulk && (resume || restart || checkpoint != null)) {
      throw new ParameterException(
          spec.commandLine(),
          "--bulk loads all or nothing, and keeps no checkpoint; run it again without --resume,"
              + " --restart and --checkpoint");
    }
  }

  private List<Input> inputs() throws InputException {
    List<Input> inputs = new ArrayList<>();
    for (String file : files) {
      inputs.add(file.equals(Input.STDIN) ? Input.stream(file, stdin) : Input.file(Path.of(file)));
    }
    return inputs;
  }

  private static long size(List<Input> inputs) {
    return inputs.stream().anyMatch(input -> input.path() == null)
        ? 0
        : inputs.stream().mapToLong(Input::size).sum();
  }

  private String family(List<String> families) {
    if (!families.isEmpty()) {
      for (CellColumn column : columns) {
        checkFamily(column.family(), families);
      }
      if (family != null) {
        checkFamily(family, families);
      }
    }
    if (family != null) {
      return family;
    } else if (!columns.isEmpty()) {
      return columns.get(0).family();
    } else if (families.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "column families not known: this user may not see the table's descriptor; name one with"
              + " --family");
    }
    // With several, each column has to name its own.
    return families.size() > 1 ? "" : families.get(0);
  }

  private void checkFamily(String named, List<String> families) {
    if (!families.contains(named)) {
      throw new ParameterException(
          spec.commandLine(),
          "table has no such family: family=" + named + "; it has " + String.join(", ", families));
    }
  }

  private LoadOptions options(
      TableName table, List<Input> inputs, String usual, List<String> families)
      throws InputException {
    Path first = inputs.get(0).path();
    // In the file's directory; for standard input, in the working directory.
    String beside = first == null ? table.getQualifierAsString() : first.toString();
    return LoadOptions.to(
            rejects == null ? Path.of(beside + ".rejects.csv") : rejects,
            checkpoint == null
                ? Path.of(beside + "." + table.getQualifierAsString() + ".checkpoint")
                : checkpoint)
        .dialect(dialectOf(inputs))
        .columns(columns)
        .family(usual)
        .families(families)
        .times(timeUnit.times())
        .onCollision(onCollision)
        .maxRejects(maxRejects == null ? 0 : maxRejects)
        .rejectShare(maxRejects == null ? REJECT_SHARE : 0)
        .begin(begin())
        .replace(force)
        .writers(writers)
        .checkpointEvery(CHECKPOINT_EVERY)
        .build();
  }

  private LoadOptions.Begin begin() {
    if (restart) {
      return LoadOptions.Begin.RESTART;
    }
    return resume ? LoadOptions.Begin.RESUME : LoadOptions.Begin.FRESH;
  }
}
