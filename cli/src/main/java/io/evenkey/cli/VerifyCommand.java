/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.client.internal.verify.Plausibility;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.jobs.compare.Comparison;
import io.evenkey.jobs.compare.ComparisonOptions;
import io.evenkey.jobs.compare.ComparisonResult;
import io.evenkey.jobs.compare.Difference;
import io.evenkey.jobs.index.UnguardedWrites;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.TableCheckJson;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey verify}. */
@Rights({
  "R, and C or A, on the table: the layout is in its descriptor.",
  "--against: R on both tables; --repair: also W on the other one."
})
@Command(
    name = "verify",
    header = "Check a table's layout, or compare two tables.",
    description = {
      "",
      "Clients reject a table whose layout differs between descriptor and registry, because a wrong"
          + " layout loses rows silently. This shows both layouts, and which one fits the rows;"
          + " --trust corrects the other.",
      "",
      "With --against, compares two tables with the same fields row by row and cell by cell,"
          + " timestamps included. The layouts may differ, and clients may write during the"
          + " comparison. After a kill at any moment, --resume continues.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey verify readings",
      "  evenkey verify readings --trust registry",
      "  evenkey verify readings --against readings_64"
    },
    sortOptions = false)
final class VerifyCommand implements Callable<Integer> {
  /** The side of a conflict that is correct. */
  enum TrustedSource {
    /** The table's descriptor. */
    DESCRIPTOR,
    /** The registry in ZooKeeper. */
    REGISTRY
  }

  private static final int LOOKS = 3;
  private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(1);

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Mixin private SampleOption sample = new SampleOption();

  @Option(
      names = "--trust",
      paramLabel = "SIDE",
      description = "Correct the other side from this one: ${COMPLETION-CANDIDATES}.")
  private @Nullable TrustedSource trust;

  @ArgGroup(exclusive = false, heading = "Two tables:%n")
  private @Nullable Against against;

  /** The other table of a comparison. */
  private static final class Against {
    @Option(
        names = "--against",
        required = true,
        paramLabel = "OTHER",
        description = "The table to compare TABLE with.")
    private String other = "";

    @Option(names = "--repair", description = "Change rows that differ in OTHER to match TABLE.")
    private boolean repair;

    @Option(names = "--resume", description = "Continue an interrupted comparison.")
    private boolean resume;

    @Option(
        names = "--checkpoint",
        paramLabel = "FILE",
        description = "Checkpoint file (default ./TABLE.OTHER.verify).")
    private @Nullable Path checkpoint;

    @Option(
        names = "--pause",
        paramLabel = "SECONDS",
        defaultValue = "2",
        description =
            "Wait before reading rows that differ again, three times in all (default"
                + " ${DEFAULT-VALUE}).")
    private int pause = 2;

    @Option(
        names = "--max-differences",
        paramLabel = "N",
        defaultValue = "10000",
        description = "Stop after N differences (default ${DEFAULT-VALUE}).")
    private int most = 10_000;
  }

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  VerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    if (against != null) {
      return compare(table, against);
    }
    int rows = sample.rows();
    console.ifStopped(
        () ->
            trust == null
                ? Interruption.nothingChanged(spec)
                : "begin again with: " + Interruption.sameCommand(spec));
    try (Cluster open = cluster.open()) {
      TableName stored = LastMigration.generation(open.connection(), open.registry(), table);
      TableCheck check = TableCheck.of(open.connection(), open.registry(), stored, rows);
      if (trust == TrustedSource.DESCRIPTOR) {
        check.trustDescriptor(open.registry());
      } else if (trust == TrustedSource.REGISTRY) {
        check.trustRegistry(open.connection(), open.registry());
      }
      TableCheck now =
          trust == null ? check : TableCheck.of(open.connection(), open.registry(), stored, rows);
      boolean usable = now.isUsable(CheckSettings.of(open.connection().getConfiguration()));
      show(now, usable);
      if (!now.isSound()) {
        throw new EvenkeyException(problem(now, usable));
      }
      List<String> unguarded = UnguardedWrites.problems(open.connection(), open.registry(), table);
      if (!unguarded.isEmpty()) {
        throw new EvenkeyException(unguarded.get(0));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private Integer compare(TableName table, Against with) throws IOException {
    TableName other = UsageErrors.tableName(spec, with.other);
    if (with.pause < 0 || with.pause > 3_600) {
      throw UsageErrors.outOfRange(spec, "--pause", with.pause, "give 0 to 3600 seconds");
    }
    if (with.most < 1) {
      throw UsageErrors.outOfRange(spec, "--max-differences", with.most, "allow 1 or more");
    }
    // Region servers send tags, such as a TTL, only to a connection that requests them.
    try (Cluster open = Cluster.open(CellTags.read(cluster.configuration(Patience.WORK)))) {
      return compare(open, table, other, with);
    }
  }

  private Integer compare(Cluster open, TableName table, TableName other, Against with)
      throws IOException {
    Path checkpoint =
        with.checkpoint == null
            ? Path.of(table.getQualifierAsString() + "." + other.getQualifierAsString() + ".verify")
            : with.checkpoint;
    ComparisonOptions options =
        ComparisonOptions.DEFAULT
            .checkpoint(checkpoint, CHECKPOINT_EVERY)
            .resume(with.resume)
            .looks(LOOKS, Duration.ofSeconds(with.pause))
            .most(with.most);
    // A table that is only read may be a generation, named by its physical name.
    Comparison comparison =
        with.repair
            ? Comparison.of(open.tables().open(table), open.tables().open(other), options)
            : Comparison.of(generation(open, table), generation(open, other), options);
    ComparisonResult result;
    AtomicLong compared = new AtomicLong();
    heading("compare: each row is looked for in both tables; rows that differ are read again");
    try (Progress bar = console.progress("compare " + table, 0)) {
      console.ifStopped(() -> stopped(table, compared.get(), checkpoint));
      result =
          comparison.run(
              rows -> {
                compared.set(rows);
                bar.to(rows);
              });
    }
    console.ifStopped(
        () ->
            (with.repair ? "repaired rows stay repaired" : "nothing was changed")
                + "; begin again with: "
                + Interruption.sameCommand(spec));
    if (with.repair && !result.differences().isEmpty()) {
      heading("repair: rows of " + other + " that differ are changed to match " + table);
    }
    List<Difference> left =
        with.repair ? comparison.repair(result.differences()) : result.differences();
    console.finished("table=" + table + "; the comparison is done");
    new ComparisonView(console, json).show(table, other, result, left, with.repair);
    if (!left.isEmpty() || !result.complete()) {
      throw new EvenkeyException(problem(table, other, result, left, with.repair));
    }
    return CommandLine.ExitCode.OK;
  }

  private void heading(String stage) {
    if (!json) {
      console.note(stage);
    }
  }

  private String stopped(TableName table, long rows, Path checkpoint) {
    return "nothing was changed: table="
        + table
        + String.format(Locale.ROOT, " rows_compared=%,d; go on with: ", rows)
        + (Files.exists(checkpoint)
            ? Interruption.commandWith(spec, "--resume")
            : Interruption.sameCommand(spec));
  }

  private static SpreadTable generation(Cluster open, TableName physical) throws IOException {
    try {
      return open.tables().generation(physical);
    } catch (AccessDeniedException e) {
      // Without permission to read its descriptor, the user can still read the table's rows.
      SpreadTable table = open.tables().open(physical);
      if (!table.generation().equals(physical)) {
        throw e;
      }
      return table;
    }
  }

  private static String problem(
      TableName table,
      TableName other,
      ComparisonResult result,
      List<Difference> left,
      boolean repaired) {
    String rows =
        table + " " + other + " rows=" + left.size() + (result.complete() ? "" : " or more");
    if (result.complete() && left.stream().allMatch(Difference::isBusy)) {
      return "rows that are written all the time cannot be compared: "
          + rows
          + "; compare again when no client writes to them";
    }
    return "tables differ: "
        + rows
        + (repaired
            ? "; compact " + other + " if it has tombstones, then repair again"
            : "; --repair changes the rows of " + other + " to match " + table);
  }

  private static String problem(TableCheck check, boolean usable) {
    if (!check.agrees()) {
      return "descriptor and registry disagree: table="
          + check.name()
          + "; --trust descriptor or --trust registry corrects the other";
    }
    FittingRows fit = check.inDescriptor();
    return "rows that were not written under the table's layout: table="
        + check.name()
        + (fit == null ? "" : " rows=" + fit.rows() + " foreign=" + fit.foreign())
        + (fit == null || fit.misfits().isEmpty() ? "" : " row=" + fit.misfits().get(0))
        + (usable
            ? "; the table can be used, without these rows: move or delete them with HBase's own"
                + " client"
            : "; clients reject the table: evenkey adopt "
                + check.name()
                + " detects the layout of its rows");
  }

  private void show(TableCheck check, boolean usable) {
    if (json) {
      console.json(TableCheckJson.of(check, usable, doubts(check)));
      return;
    }
    console
        .out()
        .printf(
            Locale.ROOT,
            "rows read   %,d, of %,d of %s%n",
            check.rows().rows().size(),
            check.rows().looked(),
            Amount.of(check.rows().regions(), "region"));
    console.out().println("descriptor  " + text(check.inDescriptor(), null));
    console.out().println("registry    " + text(check.inRegistry(), check.recorded()));
    FittingRows fit = check.inDescriptor();
    if (fit != null && fit.foreign() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT, "foreign     %,d of %s%n", fit.foreign(), Amount.of(fit.rows(), "row"));
      fit.misfits().forEach(row -> console.out().println("            " + row));
    }
    doubts(check).forEach(doubt -> console.out().println("doubtful    " + doubt));
    console.out().println(check.isSound() ? "sound" : usable ? "usable, NOT SOUND" : "NOT SOUND");
  }

  private static List<String> doubts(TableCheck check) {
    FittingRows fit = check.inDescriptor();
    return fit == null ? List.of() : Plausibility.doubts(fit.layout(), check.rows().rows());
  }

  private static String text(@Nullable FittingRows fit, @Nullable String line) {
    if (fit == null) {
      return line == null ? "no layout" : line + "   (not a layout)";
    }
    return String.format(
        Locale.ROOT,
        "%s   fits %,d of %s",
        fit.layout(),
        fit.fitting(),
        Amount.of(fit.rows(), "row"));
  }
}
