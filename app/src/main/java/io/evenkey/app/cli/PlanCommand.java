package io.evenkey.app.cli;

import io.evenkey.client.NewTable;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.RegistryFile;
import io.evenkey.client.registry.Scope;
import io.evenkey.client.registry.Versioned;
import io.evenkey.jobs.input.CsvSource;
import io.evenkey.jobs.input.KeyColumns;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.Workload;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey plan}. */
@Command(
    name = "plan",
    header = "Say how a table is to be created, in ZooKeeper.",
    description = {
      "",
      "Whoever creates the table then, by 'evenkey create' or by an application through",
      "Evenkey's connection, gets it as planned: with its layout, cut into regions.",
      "A plan for NAMESPACE:* holds for its tables, in what their own plans leave open.",
      "",
      "With options, stores them over what was planned; without, shows the plan; without a",
      "table, shows all. Regions: as told, or by the rules of 'evenkey size' from --gb, or for",
      "a small table, always so that each region has as many buckets as the others.",
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
  private static final int SHOWN = 6;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "A table, or NAMESPACE:* for all of a namespace.")
  private @Nullable String target;

  @Option(names = "--layout", paramLabel = "LINE", description = "How its row keys are made.")
  private @Nullable String line;

  @Option(names = "--regions", paramLabel = "N", description = "Into how many regions it is cut.")
  private @Nullable Integer regions;

  @Option(
      names = "--gb",
      paramLabel = "N",
      description = "Gigabytes it will grow to, for the number of regions.")
  private @Nullable Double gigabytes;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "How it is cut: ${COMPLETION-CANDIDATES}; see 'evenkey splits'.")
  private @Nullable SplitAlgorithm algorithm;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Records to take a sample of rows from, to cut it by.")
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
      description = "How its files are compressed: a codec that the servers have.")
  private @Nullable String compression;

  @Option(
      names = "--whole-buckets",
      negatable = true,
      description = "Let HBase split regions between buckets only.")
  private @Nullable Boolean wholeBuckets;

  @Option(names = "--remove", description = "Take the plan away.")
  private boolean remove;

  @Option(names = "--history", description = "Show the last versions of the plan.")
  private boolean history;

  @Option(names = "--export", paramLabel = "FILE", description = "Write all plans to a file.")
  private @Nullable Path exportTo;

  @Option(names = "--import", paramLabel = "FILE", description = "Store all plans of a file.")
  private @Nullable Path importFrom;

  @Option(names = "--replace", description = "With --import: over plans that say something else.")
  private boolean replace;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  PlanCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    // What is wrong by itself is told before anything is connected to.
    Plan wanted = wanted();
    Scope scope = target == null ? null : cluster.scope(target);
    if (scope == null && !wanted.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "no table named; name the one to plan");
    }
    try (Cluster open = cluster.open()) {
      if (exportTo != null) {
        Files.write(exportTo, RegistryFile.of(open.registry()).toJson());
      } else if (importFrom != null) {
        RegistryFile file =
            RegistryFile.parse(Files.readAllBytes(importFrom), importFrom.toString());
        RegistryFile.Outcome outcome = file.storeIn(open.registry(), replace);
        console.note(
            "plans stored: "
                + outcome.stored()
                + ", there already: "
                + outcome.unchanged()
                + "; layouts recorded: "
                + outcome.recorded());
      } else if (scope == null) {
        list(open.registry().plans());
      } else if (history) {
        list(scope, open.registry().history(scope));
      } else {
        show(open, scope, change(open, scope, wanted));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private Plan wanted() {
    try {
      return new Plan(
          line == null ? null : Layout.parse(line),
          regions,
          algorithm,
          List.of(),
          families,
          compression,
          wholeBuckets);
    } catch (io.evenkey.layout.text.LayoutException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private Versioned<Plan> change(Cluster open, Scope scope, Plan wanted) throws IOException {
    Registry registry = open.registry();
    Versioned<Plan> now = registry.plan(scope);
    if (remove) {
      return registry.store(scope, Plan.EMPTY, now.version());
    }
    if (wanted.isEmpty() && gigabytes == null && csv == null) {
      return now;
    }
    Plan plan = wanted.over(now.value());
    if (scope instanceof Scope.Table table) {
      plan = cut(open, plan, wanted);
      // Planned here is what can be created: better said now than then.
      Plan whole = plan.over(registry.plan(Scope.namespaceOf(table.name())).value());
      if (whole.layout() != null) {
        open.tables()
            .planned(table.name(), whole, whole.families().isEmpty() ? List.of("d") : List.of());
      }
    }
    return registry.store(scope, plan, now.version());
  }

  private Plan cut(Cluster open, Plan plan, Plan wanted) throws IOException {
    Layout layout = plan.layout();
    if (layout == null) {
      return plan;
    }
    Plan counted = plan;
    if (gigabytes != null || plan.regions() == null) {
      int servers;
      try (var admin = open.connection().getAdmin()) {
        servers = admin.getRegionServers().size();
      }
      double size = gigabytes == null ? 1 : gigabytes;
      if (!(size > 0) || Double.isInfinite(size)) {
        throw Misuse.outOfRange(spec, "--gb", size, "give the size in gigabytes, more than 0");
      }
      RegionCount count = RegionCount.of(new Workload(size, Workload.Weight.EVEN, 0, servers));
      int regionCount =
          csv == null ? NewTable.evenRegions(layout, count.regions()) : count.regions();
      counted = plan.withRegions(regionCount);
      console.note(
          regionCount
              + " regions, on "
              + servers
              + " servers: "
              + count.rules().get(0)
              + (regionCount > count.regions() ? "; raised so that all have as many buckets" : ""));
      if (regionCount < count.regions()) {
        console.note(
            "one for each bucket; for "
                + count.regions()
                + ", which cut buckets too, give a sample of the rows with --csv");
      }
    }
    if (csv == null) {
      return wanted.layout() != null || wanted.regions() != null || gigabytes != null
          ? counted.withSplits(List.of())
          : counted;
    }
    RowSample sample = KeyColumns.of(CsvSource.of(csv), layout).quantiles().sample();
    Integer count = counted.regions();
    boolean byBucket = counted.algorithm() != SplitAlgorithm.SAMPLE && layout.spread().width() > 0;
    SplitPlan splits =
        byBucket
            ? SplitAlgorithm.byBucket(layout.spread(), count == null ? 1 : count, sample)
            : SplitAlgorithm.bySample(sample, count == null ? 1 : count);
    return counted.withSplits(splits.keys().stream().map(ByteString::of).toList());
  }

  private void list(Map<Scope, Versioned<Plan>> plans) {
    if (json) {
      Map<String, Object> document = new LinkedHashMap<>();
      plans.forEach((scope, plan) -> document.put(scope.toString(), json(plan)));
      console.json(Map.of("plans", document));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TABLE", "REGIONS", "FAMILIES", "LAYOUT"));
    plans.forEach(
        (scope, plan) ->
            rows.add(
                List.of(
                    scope.toString(),
                    regionsOf(plan.value()),
                    String.join(",", plan.value().families()),
                    plan.value().layout() == null ? "" : plan.value().layout().toString())));
    console.table(rows);
  }

  private static String regionsOf(Plan plan) {
    if (!plan.splits().isEmpty()) {
      return String.valueOf(plan.splits().size() + 1);
    }
    return plan.regions() == null ? "" : plan.regions().toString();
  }

  private void list(Scope scope, List<Versioned<Plan>> versions) {
    if (json) {
      console.json(
          Map.of(
              "table", scope.toString(), "versions", versions.stream().map(this::json).toList()));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("VERSION", "AT", "BY", "REGIONS", "LAYOUT"));
    for (Versioned<Plan> version : versions) {
      Plan plan = version.value();
      rows.add(
          List.of(
              String.valueOf(version.version()),
              version.at().toString(),
              version.author(),
              regionsOf(plan),
              plan.layout() == null ? "(nothing planned)" : plan.layout().toString()));
    }
    console.table(rows);
  }

  private Map<String, Object> json(Versioned<Plan> stored) {
    Plan plan = stored.value();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("layout", plan.layout() == null ? null : plan.layout().toString());
    document.put("regions", plan.regions());
    document.put("algorithm", plan.algorithm() == null ? null : plan.algorithm().toString());
    document.put("splits_hex", plan.splits().stream().map(ByteString::toString).toList());
    document.put("families", plan.families());
    document.put("compression", plan.compression());
    document.put("whole_buckets", plan.wholeBuckets());
    document.put("version", stored.version());
    return document;
  }

  private void show(Cluster open, Scope scope, Versioned<Plan> stored) throws IOException {
    if (json) {
      Map<String, Object> document = json(stored);
      document.put("table", scope.toString());
      console.json(document);
      return;
    }
    if (stored.value().isEmpty()) {
      console.out().println("nothing is planned for " + scope);
    } else {
      console.out().println("plan for   " + scope + ", version " + stored.version());
      describe(stored.value());
    }
    if (scope instanceof Scope.Table table) {
      Plan all = open.registry().planFor(table.name());
      if (!all.equals(stored.value())) {
        console.out().println("with what is planned for its namespace:");
        describe(all);
      }
      if (all.layout() != null) {
        console.warnings(all.layout().warnings());
      }
    }
  }

  private void describe(Plan plan) {
    if (plan.layout() != null) {
      console.out().println("layout     " + plan.layout());
    }
    if (plan.regions() != null || !plan.splits().isEmpty()) {
      console.out().println("regions    " + regionsOf(plan));
    }
    if (plan.algorithm() != null) {
      console.out().println("algorithm  " + plan.algorithm());
    }
    if (!plan.splits().isEmpty()) {
      console
          .out()
          .println(
              "splits     "
                  + plan.splits().subList(0, Math.min(SHOWN, plan.splits().size()))
                  + (plan.splits().size() > SHOWN ? " …" : ""));
    }
    if (!plan.families().isEmpty()) {
      console.out().println("families   " + String.join(", ", plan.families()));
    }
    if (plan.compression() != null) {
      console.out().println("compress   " + plan.compression());
    }
    if (Boolean.TRUE.equals(plan.wholeBuckets())) {
      console.out().println("splitting  between buckets only");
    }
  }
}
