/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.RegistryFile;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.NewTable;
import io.evenkey.client.plan.OptimizationGoal;
import io.evenkey.client.plan.Plan;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.split.BucketRows;
import io.evenkey.jobs.split.TargetSplits;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitException;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.terminal.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey plan}. */
@Rights("None: plans are in ZooKeeper.")
@Command(
    name = "plan",
    header = "Store in ZooKeeper how a table is to be created.",
    description = {
      "",
      "'evenkey create', or an application through Evenkey's connection, then creates the "
          + "table from its plan: with its layout, pre-split into regions. A plan for NAMESPACE:* "
          + "supplies the values that the plans of the namespace's tables leave open.",
      "",
      "With options, updates the plan; without, shows it; without a table, shows all plans. "
          + "The number of regions is the given one, or follows from --gb by the rules of 'evenkey "
          + "size', or suits a small table. Every region gets the same number of buckets.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey plan readings --layout 'salt(16, device) + device:string + ts:timestamp desc' \\",
      "      --regions 16 --families d",
      "  evenkey plan 'shop:*' --compression ZSTD",
      "  evenkey plan --export plans.json"
    },
    sortOptions = false)
final class PlanCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "A table, or NAMESPACE:* for all tables of a namespace.")
  private @Nullable String target;

  @Option(names = "--layout", paramLabel = "LINE", description = "The layout of its row keys.")
  private @Nullable String line;

  @Option(names = "--regions", paramLabel = "N", description = "Number of regions.")
  private @Nullable Integer regions;

  @Option(
      names = "--gb",
      paramLabel = "N",
      description = "Expected size in gigabytes, to derive the number of regions.")
  private @Nullable Double gigabytes;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "Split algorithm: ${COMPLETION-CANDIDATES}; see 'evenkey splits'.")
  private @Nullable SplitAlgorithm algorithm;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Records to sample for the split points, in any format of import.")
  private @Nullable Path csv;

  @Option(
      names = "--families",
      split = ",",
      paramLabel = "F,…",
      description = "Its column families.")
  private List<String> families = List.of();

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description = "Compression codec of its HFiles; the region servers must have it.")
  private @Nullable String compression;

  @Option(
      names = "--whole-buckets",
      negatable = true,
      description = "Let HBase split regions between buckets only.")
  private @Nullable Boolean wholeBuckets;

  @Option(
      names = "--optimize-for",
      paramLabel = "GOAL",
      description =
          "Property that its block encoding is chosen for: ${COMPLETION-CANDIDATES} "
              + "(default: reads).")
  private @Nullable OptimizationGoal goal;

  @Option(names = "--remove", description = "Remove the plan.")
  private boolean remove;

  @Option(names = "--history", description = "Show the last versions of the plan.")
  private boolean history;

  @Option(names = "--export", paramLabel = "FILE", description = "Write all plans to a file.")
  private @Nullable Path exportTo;

  @Option(names = "--force", description = "With --export: replace an existing file.")
  private boolean force;

  @Option(names = "--import", paramLabel = "FILE", description = "Store all plans of a file.")
  private @Nullable Path importFrom;

  @Option(names = "--replace", description = "With --import: overwrite plans that differ.")
  private boolean replace;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private DialectOptions dialect = new DialectOptions();

  @Mixin private TimeUnitOption timeUnit = new TimeUnitOption();

  @Mixin private ClusterOption cluster = new ClusterOption();

  PlanCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    // Errors that need no cluster are reported before connecting.
    Plan wanted = wanted();
    Scope scope = target == null ? null : UsageErrors.scope(spec, target);
    boolean cuts = gigabytes != null || csv != null;
    if (scope == null && (cuts || !wanted.isEmpty())) {
      throw new ParameterException(spec.commandLine(), "no table named; name the one to plan");
    }
    if (cuts && scope instanceof Scope.Namespace) {
      throw new ParameterException(
          spec.commandLine(), "--gb and --csv cut one table: " + scope + "; name the table");
    }
    OutputFile output = exportTo == null ? null : OutputFile.at(exportTo, force);
    PlanView view = new PlanView(console, json);
    try (Cluster open = cluster.openBriefly()) {
      if (output != null) {
        output.write(RegistryFile.of(open.registry()).toJson());
      } else if (importFrom != null) {
        RegistryFile file =
            RegistryFile.parse(Files.readAllBytes(importFrom), importFrom.toString());
        RegistryFile.Outcome outcome = file.storeIn(open.registry(), replace);
        console.note(
            "plans stored: "
                + outcome.stored()
                + ", unchanged: "
                + outcome.unchanged()
                + "; layouts recorded: "
                + outcome.recorded());
      } else if (scope == null) {
        view.plans(open.registry().plans().all());
      } else if (history) {
        view.history(scope, open.registry().plans().history(scope));
      } else {
        Versioned<Plan> plan = change(open, scope, wanted);
        view.plan(
            scope,
            plan,
            scope instanceof Scope.Table table
                ? open.registry().plans().effective(table.name())
                : plan.value());
      }
    }
    return CommandLine.ExitCode.OK;
  }

  // Of a JSON document, nothing else is on the output.
  private void warn(List<String> warnings) {
    if (json) {
      warnings.forEach(warning -> console.note("warning: " + warning));
    } else {
      console.warnings(warnings);
    }
  }

  private Plan wanted() {
    try {
      return new Plan.Builder()
          .layout(line == null ? null : Layout.parse(line))
          .regions(regions)
          .algorithm(algorithm)
          .families(families)
          .compression(compression)
          .wholeBuckets(wholeBuckets)
          .optimizeFor(goal)
          .build();
    } catch (LayoutException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private Versioned<Plan> change(Cluster open, Scope scope, Plan wanted) throws IOException {
    Registry registry = open.registry();
    Versioned<Plan> now = registry.plans().get(scope);
    if (remove) {
      return registry.plans().store(scope, Plan.EMPTY, now.version());
    }
    if (wanted.isEmpty() && gigabytes == null && csv == null) {
      return now;
    }
    Plan plan = wanted.over(now.value());
    if (scope instanceof Scope.Table table) {
      plan = cut(open, table.name(), plan, wanted);
      open.checkCreatable(table.name(), plan);
      warn(open, table.name(), plan);
    }
    return registry.plans().store(scope, plan, now.version());
  }

  private void warn(Cluster open, TableName table, Plan plan) throws IOException {
    Layout planned = plan.layout();
    if (plan.regions() != null) {
      try (var admin = open.connection().getAdmin()) {
        int servers = admin.getRegionServers().size();
        warn(RegionWarning.of(plan.regions(), servers));
        warn(planned == null ? List.of() : planned.warnings(plan.regions(), servers));
      }
    }
    if (planned == null) {
      return;
    }
    try {
      Layout now = open.tables().open(table).layout();
      if (!now.equals(planned)) {
        warn(
            List.of(
                "the table exists with another layout, which a plan does not change: table="
                    + table
                    + " layout="
                    + now
                    + "; 'evenkey migrate "
                    + table
                    + " --layout …' does"));
      }
    } catch (TableLayoutException e) {
      warn(List.of("the table exists: " + e.getMessage()));
    } catch (TableNotFoundException | AccessDeniedException e) {
      // It is planned before it is created, and by those who may not read it.
    }
  }

  private Plan cut(Cluster open, TableName table, Plan plan, Plan wanted) throws IOException {
    Layout own = plan.layout();
    boolean cuts = gigabytes != null || csv != null;
    Layout layout = own != null || !cuts ? own : open.registry().plans().effective(table).layout();
    if (layout == null) {
      if (cuts) {
        throw new ParameterException(
            spec.commandLine(),
            "no layout to cut the table by: " + table + "; give it by --layout");
      }
      return plan;
    }
    RowSample sample = csv == null ? null : sample(layout, csv);
    boolean counts = gigabytes != null || plan.regions() == null;
    Plan counted = counts ? plan.withRegions(count(open, layout, plan, sample)) : plan;
    if (sample == null) {
      return wanted.layout() != null || wanted.regions() != null || gigabytes != null
          ? counted.withSplits(List.of())
          : counted;
    }
    warn(BucketRows.of(layout, sample).warnings());
    int regionCount = counted.regions() == null ? 1 : counted.regions();
    SplitPlan splits = cut(layout, plan, regionCount, sample);
    return counted.withSplits(splits.keys().stream().map(ByteString::of).toList());
  }

  private RowSample sample(Layout layout, Path file) throws IOException {
    return timeUnit.rows(dialect.read(Input.file(file)), layout, console).sample();
  }

  /** The number of regions for the size; as many as buckets if only a sample could cut them. */
  private int count(Cluster open, Layout layout, Plan plan, @Nullable RowSample sample)
      throws IOException {
    double size = gigabytes == null ? 1 : gigabytes;
    if (!(size > 0) || Double.isInfinite(size)) {
      throw UsageErrors.outOfRange(spec, "--gb", size, "give the size in gigabytes, more than 0");
    }
    int servers;
    try (var admin = open.connection().getAdmin()) {
      servers = admin.getRegionServers().size();
    }
    RegionCount count = RegionCount.of(new TableLoad(size, TableLoad.Weight.EVEN, 0, servers));
    int spread = NewTable.spreadRegions(layout, count.regions(), servers);
    boolean splitsBuckets =
        count.regions() > spread && sample != null && isCut(layout, plan, count.regions(), sample);
    int regionCount = splitsBuckets ? count.regions() : spread;
    console.note(
        Amount.of(regionCount, "region")
            + ", on "
            + Amount.of(servers, "server")
            + ": "
            + count.rules().get(0)
            + (regionCount > count.regions() ? "; raised: " + NewTable.spreadRule() : ""));
    if (regionCount < count.regions()) {
      console.note(
          "one for each bucket; for "
              + count.regions()
              + ", which also split buckets, give "
              + (sample == null ? "a sample of the rows with --csv" : "more rows in " + csv));
    }
    return regionCount;
  }

  private static boolean isCut(Layout layout, Plan plan, int regionCount, RowSample sample) {
    try {
      return cut(layout, plan, regionCount, sample).regions() == regionCount;
    } catch (SplitException e) {
      return false;
    }
  }

  private static SplitPlan cut(Layout layout, Plan plan, int regionCount, RowSample sample) {
    return plan.algorithm() != SplitAlgorithm.SAMPLE && layout.spread().width() > 0
        ? TargetSplits.cut(layout, regionCount, sample)
        : SplitAlgorithm.bySample(sample, regionCount);
  }
}
