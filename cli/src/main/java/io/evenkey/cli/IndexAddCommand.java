/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.WorkDirectory;
import io.evenkey.report.terminal.Amount;
import java.io.IOException;
import java.util.List;
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

/** {@code evenkey index add}. */
@Rights("R and A on the table, C on its namespace.")
@Command(
    name = "add",
    header = "Add an index to a live table.",
    description = {
      "",
      "Creates the table of the index, TABLE.INDEX, makes all clients write entries, adds the"
          + " entries of existing rows, and looks for each row in the index. Then clients may read"
          + " it. Clients do not pause. After a kill at any moment, the same command continues.",
      "",
      "Fields of LAYOUT are fields of the table's key, with the same names and types, or come from"
          + " columns that --from names. The rest of the table's key is appended, so that each row"
          + " has its own entry. A row that lacks one of these columns has no entry.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey index add orders by_customer 'salt(8) + customer:string + ts:timestamp desc' \\",
      "      --from customer=d:customer --covering d:amount,d:state",
      "  evenkey index add orders open_ones 'salt(8) + state:string + ts:timestamp' --mutable \\",
      "      --from state=d:state --where \"state = 'open'\"",
      "  evenkey index add orders by_amount 'salt(8) + amount:int64' --from amount=d:amount:long"
    },
    sortOptions = false)
final class IndexAddCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private IndexArgument index = new IndexArgument();

  @Parameters(index = "2", paramLabel = "LAYOUT", description = "The layout of the index's keys.")
  private String layout = "";

  @Option(
      names = "--from",
      paramLabel = "FIELD=F:Q[:FORM],…",
      description = "The columns that fields of LAYOUT are taken from; FORM is text, int or long.")
  private @Nullable String from;

  @Option(
      names = "--covering",
      paramLabel = "F:Q,…",
      description = "Columns to copy into the entries.")
  private @Nullable String covering;

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description =
          "Only rows that meet this condition on fields of LAYOUT get entries (default: all rows).")
  private String where = "";

  @ArgGroup private Changes changes = new Changes();

  /** The protocol of rows; events by default. */
  static final class Changes {
    @Option(
        names = "--mutable",
        description =
            "The indexed columns of a row may change, also one at a time. Without this option, a"
                + " put must have all of them, and they must never change.")
    private boolean mutable;

    @Option(
        names = "--append-only",
        description =
            "Rows are never changed or deleted, but may expire. Covered columns "
                + "are then read without the row.")
    private boolean appendOnly;

    private IndexProtocol protocol() {
      if (mutable) {
        return IndexProtocol.MUTABLE;
      }
      return appendOnly ? IndexProtocol.APPEND_ONLY : IndexProtocol.EVENTS;
    }
  }

  @Option(
      names = "--regions",
      paramLabel = "N",
      description = "Regions of the index's table (default: one for each bucket, see 'migrate').")
  private int regions;

  /** The way of the filling. */
  private enum Filling {
    PUTS,
    FILES
  }

  @Option(
      names = "--by",
      paramLabel = "HOW",
      defaultValue = "puts",
      description =
          "Filling method: puts, or files, which MapReduce jobs write and HBase takes over (default"
              + " ${DEFAULT-VALUE}).")
  private Filling by = Filling.PUTS;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Parent of the files' temporary directories; best on HBase's own file system.")
  private @Nullable String work;

  @Option(
      names = "--pace",
      paramLabel = "ROWS/S",
      description =
          "Rate limit of the filling, and then of the comparison; 0 for unlimited (default)."
              + " Sampling rows for the split keys of the index's table is not limited.")
  private long pace;

  @Mixin private StatementOptions stated = new StatementOptions();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexAddCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = index.table();
    if (regions < 0) {
      throw UsageErrors.outOfRange(spec, "--regions", regions, "give 1 region or more");
    }
    if (work != null && by != Filling.FILES) {
      throw new ParameterException(spec.commandLine(), "--work is for files: add --by files");
    }
    if (pace < 0) {
      throw UsageErrors.outOfRange(spec, "--pace", pace, "give 0 or more rows a second");
    }
    List<IndexColumn> columns = from == null ? List.of() : IndexParser.columns(from);
    List<ColumnName> covered = covering == null ? List.of() : IndexParser.covering(covering);
    TableIndex added =
        TableIndex.of(index.name(), changes.protocol(), Layout.parse(layout), columns, covered)
            .where(where);
    if (!where.isEmpty()) {
      console.warningNotes(OddTimes.warnings(added.layout().where(where)));
    }
    IndexReport report;
    try (Cluster open = cluster.open();
        WorkDirectory directory = by == Filling.FILES ? WorkDirectory.of(work) : null;
        IndexBar bar = new IndexBar(console, index.name(), json)) {
      console.ifStopped(
          () ->
              bar.stopped(
                  "clients write its entries from the first step on; go on with: "
                      + Interruption.sameCommand(spec)));
      stated.statement().apply(open, table);
      report =
          new IndexAddition(
                  table, added, regions, pace, directory == null ? null : directory.path())
              .run(open.connection(), open.registry(), bar);
      console.finished("table=" + table + " index=" + index.name() + "; clients read the index");
    }
    if (json) {
      new IndexView(console, index.name(), true).show(report);
    } else {
      console
          .out()
          .printf(
              "%s.%s: clients read it; %s, none of them without its entry%n",
              table, index.name(), Amount.of(report.rows(), "row"));
    }
    return CommandLine.ExitCode.OK;
  }
}
