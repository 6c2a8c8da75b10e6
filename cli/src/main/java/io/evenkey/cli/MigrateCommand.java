/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.FreeDisk;
import io.evenkey.report.cluster.WorkDirectory;
import io.evenkey.report.json.MigrationPreviewJson;
import java.io.IOException;
import java.util.List;
import java.util.Set;
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
import picocli.CommandLine.Spec;

/** {@code evenkey migrate}. */
@Rights("R and A on the table, C on its namespace for the next generation; --rename also A there.")
@Command(
    name = "migrate",
    header = "Migrate a live table to another layout, without stopping it.",
    description = {
      "",
      "Creates the next generation, copies the rows, compares both generations, repairs rows that"
          + " were written during the copy, and switches clients over during a short pause of"
          + " writes. After a kill at any moment, --resume continues; no acknowledged write is lost"
          + " or duplicated. Until --finish, --rollback returns to the old generation. The region"
          + " servers need Evenkey's guard; without it, see --accept-pause.",
      "",
      "With --layout it first shows what it would do: rows and size, regions before and after,"
          + " disk, time, pause, and what is missing. It begins with --yes, or after an answer at"
          + " the terminal. With --layout alone the migration stops when both generations are"
          + " equal; --switch and --finish continue it.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey migrate readings --layout 'salt(32, device) + device:string + ts:timestamp'",
      "  evenkey migrate readings --layout 'salt(32, device) + device:string + ts:timestamp' --yes",
      "  evenkey migrate readings --switch",
      "  evenkey migrate readings --finish",
      "  evenkey migrate readings --rename",
      "  evenkey migrate orders --layout 'salt(8, customer) + customer:string + id:string' \\",
      "      --change-key --from customer=d:customer",
      "  evenkey migrate readings --pace 20000"
    },
    sortOptions = false)
final class MigrateCommand implements Callable<Integer> {
  /** Options of the command that goes on after an interruption. */
  private static final Set<String> KEPT =
      Set.of("--work", "--switch", "--finish", "--rename", "--alone", "--json");

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @ArgGroup(exclusive = false)
  private @Nullable Begin begin;

  /** A new migration. */
  private static final class Begin {
    @Option(
        names = "--layout",
        required = true,
        paramLabel = "LAYOUT",
        description =
            "Layout of the next generation: the same fields, with another spread; other fields, or"
                + " another order of them, with --change-key.")
    private String layout = "";

    @Option(
        names = "--regions",
        paramLabel = "N",
        description =
            "Regions of the next generation (default: one for each bucket; fewer for a salt with"
                + " more than 16 buckets and more than 4 for each server; never fewer than now).")
    private @Nullable Integer regions;

    @Option(
        names = "--by",
        paramLabel = "HOW",
        defaultValue = "files",
        description =
            "Copy method: files, puts, or snapshot, which reads the source's files and needs the "
                + "permission to do so (default ${DEFAULT-VALUE}).")
    private Migration.By by = Migration.By.FILES;

    @Option(
        names = "--rewrite-from",
        description =
            "With a layout that appends a step in the past: clone the table, and rewrite only the"
                + " rows at or after the step.")
    private boolean rewriteFrom;

    @Option(
        names = "--copy",
        description =
            "Copy all rows, even if the layout only appends a step, which rewrites no row.")
    private boolean copy;

    @Option(
        names = "--accept-pause",
        description =
            "Migrate without guard, by table names: reads and writes pause for seconds "
                + "at the switch, and the table keeps its next generation's name.")
    private boolean acceptPause;

    @Option(
        names = "--change-key",
        description =
            "Change the row key: the present fields in another order, and fields from columns. From"
                + " the switch on, applications are rejected until they name the new key in"
                + " evenkey.key.TABLE.")
    private boolean changeKey;

    @Option(
        names = "--keep-settings",
        description =
            "Keep HBase's settings of the table, instead of the block encoding and Bloom filter"
                + " that suit the new layout.")
    private boolean keepSettings;

    @Option(
        names = "--from",
        paramLabel = "FIELD=COLUMN[:FORM],…",
        description = {
          "With --change-key: fields of the layout that are taken from columns, such as"
              + " customer=d:customer. FORM is text, int or long (default: text)."
        })
    private @Nullable String from;

    private @Nullable List<IndexColumn> keyColumns() {
      if (!changeKey) {
        return null;
      }
      return from == null ? List.of() : IndexParser.columns(from);
    }

    private MigrationPlan plan(TableName table, Migration.Pace pace, Stage goal) {
      MigrationPlan plan =
          new MigrationPlan(
              table,
              Layout.parse(layout),
              regions == null ? 0 : regions,
              by,
              pace,
              goal,
              acceptPause,
              rewriting(),
              keyColumns());
      return keepSettings ? plan.keepingSettings() : plan;
    }

    private MigrationPlan.Rewriting rewriting() {
      if (copy) {
        return MigrationPlan.Rewriting.ALL;
      }
      return rewriteFrom ? MigrationPlan.Rewriting.FROM_STEP : MigrationPlan.Rewriting.NONE;
    }
  }

  @Mixin private StatementOptions stated = new StatementOptions();

  @Option(
      names = "--yes",
      description =
          "Begin a new migration. Without this option, the command only shows it, or asks at a"
              + " terminal.")
  private boolean yes;

  @Option(names = "--status", description = "Show the migration's progress.")
  private boolean status;

  @Option(names = "--resume", description = "Continue an interrupted migration.")
  private boolean resume;

  @Option(names = "--switch", description = "Switch clients over; --rollback undoes it.")
  private boolean switchReads;

  @Option(
      names = "--finish",
      description = "End the migration; the old generation is kept, closed to clients.")
  private boolean finish;

  @Option(
      names = "--rename",
      description =
          "Give the current generation the table's own name, with --finish or later, by cloning a"
              + " snapshot: no data is copied. Reads do not pause; writes pause as long as at a"
              + " switch.")
  private boolean rename;

  @Option(names = "--rollback", description = "Return to the old generation.")
  private boolean rollback;

  @Option(
      names = "--alone",
      description =
          "Continue without the other cluster of a replicated table: on a peer whose source is"
              + " lost, or at the source when the peer was removed.")
  private boolean alone;

  @Option(
      names = "--pace",
      paramLabel = "ROWS/S",
      description = "Rate limit of the copy, also while it runs; 0 for unlimited.")
  private @Nullable Long pace;

  @Option(
      names = "--latency",
      paramLabel = "MS",
      description = "Slow the copy down when reads take longer, also while it runs; 0 to disable.")
  private @Nullable Long latency;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = {
        "Parent of the copy's temporary directories; best on HBase's own file system."
      })
  private @Nullable String work;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  MigrateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    check();
    TableName table = argument.table();
    try (Cluster open = cluster.open()) {
      MigrationView view = new MigrationView(console, json);
      if (status) {
        view.end(stored(open, table).value());
      } else if (begin == null && !resume && !switchReads && !finish && !rename && !rollback) {
        setPace(open, table);
        view.end(stored(open, table).value());
      } else if (begin == null) {
        view.end(migration(open, table, null, view));
      } else {
        MigrationPlan plan = begin.plan(table, pace(Migration.Pace.FREE), goal(Stage.READY));
        if (isWanted(open, table, plan)) {
          view.end(migration(open, table, plan, view));
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  /** Shows what the migration would do, unless a program begins it, and asks. */
  private boolean isWanted(Cluster open, TableName table, MigrationPlan plan) throws IOException {
    if (json && yes) {
      return true;
    }
    MigrationPreview preview = preview(open, table, plan);
    FreeDisk free = FreeDisk.of(open.configuration());
    if (json) {
      console.json(MigrationPreviewJson.of(table, preview, free == null ? null : free.megabytes()));
      return false;
    }
    if (!preview.obstacles().isEmpty()) {
      preview.obstacles().stream().skip(1).forEach(console::note);
      throw new MigrationException(preview.obstacles().get(0));
    }
    PreviewView view =
        yes
            ? new PreviewView(console.err(), console.columns(), preview, free)
            : new PreviewView(console.out(), console.outColumns(), preview, free);
    view.show();
    if (yes || console.confirms("Begin the migration?")) {
      return true;
    }
    console.out().println("not begun yet: repeat the command with --yes");
    return false;
  }

  private MigrationPreview preview(Cluster open, TableName table, MigrationPlan plan)
      throws IOException {
    try (MigrationBar bar = new MigrationBar(console, table, json)) {
      return stated
          .statement()
          .applied(Migrator.preview(open.connection(), open.registry(), plan, bar));
    }
  }

  private void check() {
    int ways = (begin != null ? 1 : 0) + (status ? 1 : 0) + (resume ? 1 : 0) + (rollback ? 1 : 0);
    boolean forward = switchReads || finish || rename;
    if (ways > 1 || (rollback || status) && forward) {
      throw new ParameterException(
          spec.commandLine(),
          "give one of --layout, --status, --resume and --rollback; --switch, --finish and --rename"
              + " go with --layout or alone");
    }
    if (rename && !finish && (begin != null || resume || switchReads)) {
      throw new ParameterException(
          spec.commandLine(), "--rename follows a migration that is finished: add --finish");
    }
    if (ways == 0 && !forward && pace == null && latency == null) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing to do: give --layout to begin, or one of --status, --resume, --switch, --finish,"
              + " --rename, --rollback, --pace and --latency");
    }
    if (begin == null && yes) {
      throw new ParameterException(
          spec.commandLine(), "--yes begins a new migration: add --layout");
    }
    if (alone && (begin != null || status || ways == 0 && !switchReads && !finish)) {
      throw new ParameterException(
          spec.commandLine(),
          "--alone is for a migration that was begun: add --resume, --switch, --finish or"
              + " --rollback");
    }
    if (begin == null && stated.statement().othersStopped()) {
      throw new ParameterException(
          spec.commandLine(), "--others-stopped is for a new migration: add --layout");
    }
    if (begin == null && !(rename && !finish) && stated.statement().replicationEnded()) {
      throw new ParameterException(
          spec.commandLine(),
          "--replication-ended is for a new migration or --rename alone: add one of --layout and --rename");
    }
    if (begin != null && begin.copy && begin.rewriteFrom) {
      throw new ParameterException(
          spec.commandLine(), "give one of --copy and --rewrite-from, or none");
    }
    if (begin != null && begin.from != null && !begin.changeKey) {
      throw new ParameterException(
          spec.commandLine(), "--from names columns of another row key: add --change-key");
    }
    if (begin != null && begin.changeKey && (begin.rewriteFrom || begin.acceptPause)) {
      throw new ParameterException(
          spec.commandLine(),
          "--change-key copies all rows, and needs the guard: leave --rewrite-from and"
              + " --accept-pause out");
    }
    if (begin != null && begin.regions != null && begin.regions < 1) {
      throw UsageErrors.outOfRange(spec, "--regions", begin.regions, "give 1 region or more");
    }
    if (pace != null && pace < 0) {
      throw UsageErrors.outOfRange(spec, "--pace", pace, "give 0 or more rows a second");
    }
    if (latency != null && latency < 0) {
      throw UsageErrors.outOfRange(spec, "--latency", latency, "give 0 or more milliseconds");
    }
  }

  private static Versioned<Migration> stored(Cluster open, TableName table) throws IOException {
    return open.registry()
        .migrations()
        .get(table)
        .orElseThrow(
            () ->
                new EvenkeyException(
                    "table was never migrated: table=" + table + "; begin with --layout"));
  }

  private Migration.Pace pace(Migration.Pace now) {
    return new Migration.Pace(
        pace == null ? now.rowsPerSecond() : pace, latency == null ? now.latencyMs() : latency);
  }

  private void setPace(Cluster open, TableName table) throws IOException {
    if (pace != null || latency != null) {
      Versioned<Migration> now = stored(open, table);
      open.registry()
          .migrations()
          .store(now.value().withPace(pace(now.value().pace())), now.version());
    }
  }

  private Stage goal(Stage usual) {
    return finish ? Stage.FINISHED : switchReads ? Stage.SWITCHED : usual;
  }

  private Migration migration(
      Cluster open, TableName table, @Nullable MigrationPlan plan, MigrationView view)
      throws IOException {
    try (WorkDirectory directory = WorkDirectory.of(work);
        MigrationBar bar = new MigrationBar(console, table, json)) {
      console.ifStopped(() -> bar.stopped(goOn(bar.isBegun())));
      if (plan != null || resume) {
        console.note(
            "the copy writes its files to new directories in "
                + directory.path()
                + (work == null
                    ? "; delete it if this process is killed"
                    : "; if this process is killed, --resume with the same --work deletes them"));
      }
      MigrationSettings settings = MigrationSettings.in(directory.path());
      if (rename && !finish) {
        stated.statement().apply(open, table);
        return finished(renamed(open, table, settings, bar));
      }
      Migration migration;
      try (Migrator migrator = migrator(open, table, plan, settings, bar)) {
        migration = migrator.run();
      }
      if (!rename || migration.kind() instanceof Kind.Renaming) {
        return finished(migration);
      }
      view.copied(migration);
      return finished(renamed(open, table, settings, bar));
    }
  }

  private Migration finished(Migration migration) {
    console.finished("table=" + migration.table() + " stage=" + migration.stage());
    return migration;
  }

  private String goOn(boolean begun) {
    return "go on with: "
        + (begun && !rollback && (finish || !rename)
            ? Interruption.command(spec, KEPT, "--resume")
                + (switchReads || finish ? "" : "; or go back with --rollback instead")
            : Interruption.sameCommand(spec));
  }

  private static Migration renamed(
      Cluster open, TableName table, MigrationSettings settings, MigrationListener listener)
      throws IOException {
    Migration last = stored(open, table).value();
    boolean begun = last.kind() instanceof Kind.Renaming && !last.stage().isOver();
    try (Migrator migrator =
        begun
            ? Migrator.resume(open.connection(), open.registry(), table, settings, listener)
            : Migrator.rename(open.connection(), open.registry(), table, settings, listener)) {
      return migrator.run();
    }
  }

  private Migrator migrator(
      Cluster open,
      TableName table,
      @Nullable MigrationPlan plan,
      MigrationSettings settings,
      MigrationListener listener)
      throws IOException {
    if (plan != null) {
      stated.statement().apply(open, table);
      return Migrator.begin(open.connection(), open.registry(), plan, settings, listener);
    }
    setPace(open, table);
    if (alone) {
      Migrator.continueAlone(open.connection(), open.registry(), table);
    }
    Migrator migrator =
        Migrator.resume(open.connection(), open.registry(), table, settings, listener);
    if (rollback || switchReads || finish) {
      migrator.aimFor(rollback ? Stage.ROLLED_BACK : goal(Stage.READY));
    }
    return migrator;
  }
}
