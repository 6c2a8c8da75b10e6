/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.client.plan.NewTable;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.migration.step.StepProposal;
import io.evenkey.jobs.migration.step.StepRegions;
import io.evenkey.jobs.migration.step.StepRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.GrowthJson;
import io.evenkey.report.json.MigrationJson;
import io.evenkey.report.terminal.Shell;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey grow}. */
@Rights("R and A on the table.")
@Command(
    name = "grow",
    header = "Change the number of buckets of a live table's salt, without rewriting a row.",
    description = {
      "",
      "Rows from a time or number on get the new number of buckets; earlier rows stay as they are."
          + " Proposes the earliest value that no stored row has reached: the next hour or day, or"
          + " the next round number. Changes the table only with --yes or after an answer at the"
          + " terminal. 'evenkey migrate --layout' with the shown layout does the same.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey grow readings --buckets 48",
      "  evenkey grow readings --buckets 48 --yes",
      "  evenkey grow orders --buckets 48 --field order_no --from 2000000 --yes"
    },
    sortOptions = false)
final class GrowCommand implements Callable<Integer> {
  private static final int MOST_BUCKETS = 65_536;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Option(
      names = "--buckets",
      paramLabel = "N",
      required = true,
      description = "Number of buckets of the rows from the step on.")
  private int buckets;

  @Option(
      names = "--from",
      paramLabel = "VALUE",
      description = "First value of the step (default: the earliest that works).")
  private @Nullable String from;

  @Option(
      names = "--field",
      paramLabel = "FIELD",
      description =
          "Field of the step (default: the field of earlier steps, otherwise the first time"
              + " field).")
  private @Nullable String field;

  @Mixin private StatementOptions stated = new StatementOptions();

  @Option(
      names = "--yes",
      description =
          "Take the step. Without this option, the command only shows it, or asks at a terminal.")
  private boolean yes;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  GrowCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (buckets < 1 || buckets > MOST_BUCKETS) {
      throw UsageErrors.outOfRange(spec, "--buckets", buckets, "give 1 to " + MOST_BUCKETS);
    }
    TableName table = argument.table();
    try (Cluster open = cluster.open();
        MigrationBar bar = new MigrationBar(console, table, json)) {
      console.ifStopped(
          () ->
              bar.stopped(
                  bar.isBegun()
                      ? "go on with: "
                          + Interruption.otherCommand(
                              spec,
                              "evenkey migrate " + Shell.quoted(table.toString()) + " --resume")
                      : "begin again with: " + Interruption.sameCommand(spec)));
      TableName physical = LastMigration.generation(open.connection(), open.registry(), table);
      Layout now = layout(open, physical);
      Field stepped = field(now);
      String value = value(open, physical, now, stepped, bar);
      Layout next =
          now.withStep(buckets, stepped.name(), value)
              .orElseThrow(
                  () ->
                      new EvenkeyException(
                          "salt cannot have steps: layout="
                              + now
                              + "; a salt over the key or over fields can, a random one cannot"));
      int[] regions = regions(open, physical, now, next);
      if (!json) {
        show(now, next, regions);
      }
      boolean taking = yes || !json && console.confirms("Take the step?");
      Migration taken = taking ? take(open, table, next, bar) : null;
      console.finished(
          "table=" + table + (taken == null ? "; nothing was changed" : "; the step is taken"));
      if (json) {
        json(table, now, next, regions, taken);
      } else {
        console
            .out()
            .println(
                taken != null
                    ? "taken: no row was rewritten"
                    : "not taken yet: repeat the command with --yes");
      }
    }
    return CommandLine.ExitCode.OK;
  }

  /** The numbers of regions now and afterwards. */
  private static int[] regions(Cluster open, TableName physical, Layout now, Layout next)
      throws IOException {
    AppendedSteps steps = AppendedSteps.parse(now.toString(), next.toString());
    try (Admin admin = open.connection().getAdmin()) {
      int before = admin.getRegions(physical).size();
      return new int[] {
        before, before + new StepRegions(open.connection(), physical, steps).planned()
      };
    }
  }

  private static Layout layout(Cluster open, TableName physical) throws IOException {
    try (Admin admin = open.connection().getAdmin()) {
      Layout layout = TableLayout.of(admin.getDescriptor(physical));
      if (layout == null) {
        throw new EvenkeyException(
            "table without a layout has no buckets: table="
                + physical
                + "; evenkey migrate gives it one");
      }
      return layout;
    }
  }

  private Field field(Layout layout) throws IOException {
    String named = field == null ? layout.steps().fieldName() : field;
    if (!named.isEmpty()) {
      return layout.fields().stream()
          .filter(one -> one.name().equals(named))
          .findFirst()
          .orElseThrow(
              () -> new EvenkeyException("no such field: field=" + named + " layout=" + layout));
    }
    List<Field> possible =
        layout.fields().stream().filter(one -> one.type().canHaveSteps()).toList();
    return possible.stream()
        .filter(StepProposal::isTime)
        .findFirst()
        .or(() -> possible.stream().findFirst())
        .orElseThrow(
            () ->
                new EvenkeyException(
                    "no field of the key can have steps: layout="
                        + layout
                        + "; a time, a whole number or digits(n) can"));
  }

  private String value(
      Cluster open, TableName physical, Layout now, Field stepped, MigrationListener listener)
      throws IOException {
    if (from != null) {
      return from;
    }
    if (!json) {
      console.note("sampling: the highest " + stepped.name() + " of the rows is looked for");
    }
    Object highest =
        new StepRows(open.connection(), physical, now, stepped, listener).highest().orElse(null);
    return StepProposal.earliest(stepped, highest, Instant.now());
  }

  private Migration take(Cluster open, TableName table, Layout next, MigrationListener listener)
      throws IOException {
    stated.statement().apply(open, table);
    // No file is made.
    MigrationSettings settings =
        MigrationSettings.in(new Path(System.getProperty("java.io.tmpdir", ".")));
    try (Migrator migrator =
        Migrator.begin(
            open.connection(),
            open.registry(),
            MigrationPlan.of(table, next),
            settings,
            listener)) {
      return migrator.run();
    }
  }

  private static String step(Layout next) {
    return next.steps().described(next.steps().count() - 1);
  }

  private void json(
      TableName table, Layout now, Layout next, int[] regions, @Nullable Migration taken) {
    console.json(
        new GrowthJson(
            table.getNameAsString(),
            now.toString(),
            next.toString(),
            step(next),
            regions[0],
            regions[1],
            taken != null,
            taken == null ? null : MigrationJson.of(taken)));
  }

  private void show(Layout now, Layout next, int[] regions) {
    console.out().println("before      " + now);
    console.out().println("after       " + next);
    console.out().println("step        " + step(next));
    console
        .out()
        .println(
            "regions     "
                + regions[0]
                + " now, "
                + regions[1]
                + " afterwards: for the new buckets "
                + NewTable.spreadRule());
  }
}
