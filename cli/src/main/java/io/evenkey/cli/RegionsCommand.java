/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.generation.MisreadLinks;
import io.evenkey.jobs.migration.step.RegionMerge;
import io.evenkey.jobs.migration.step.RegionMerges;
import io.evenkey.jobs.migration.step.RegionUse;
import io.evenkey.jobs.migration.step.RegionUses;
import io.evenkey.jobs.migration.step.UsedRegion;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.RepairedLinksJson;
import io.evenkey.report.json.UsedRegionsJson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey regions}. */
@Rights(
    "C or A on the table; R if its salt has steps. With --tidy --yes, R and A. With --repair-links,"
        + " A, and the right to write HBase's files.")
@Command(
    name = "regions",
    header = "List the regions of a table, and merge regions that earlier steps left empty.",
    description = {
      "",
      "Shows for each region whether it can hold rows of the present or a later step of the salt,"
          + " or only rows of earlier steps. After those have expired by TTL, --tidy shows which"
          + " regions can be merged, and --tidy --yes merges them.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey regions readings",
      "  evenkey regions readings --tidy",
      "  evenkey regions readings --tidy --yes",
      "  evenkey regions readings --repair-links --conf /etc/hbase/conf"
    },
    sortOptions = false)
final class RegionsCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Option(
      names = "--tidy",
      description = "Show how empty regions of earlier steps are merged into their neighbours.")
  private boolean tidy;

  @Option(names = "--yes", description = "With --tidy: merge them.")
  private boolean yes;

  @Option(
      names = "--repair-links",
      description =
          "Repair regions that HBase cannot open, because it misreads links to another table's"
              + " files: copy each linked file. If all regions are open, request a major"
              + " compaction, which replaces the links. Needs HBase's files (hbase.rootdir).")
  private boolean repairLinks;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  RegionsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (yes && !tidy) {
      throw new ParameterException(spec.commandLine(), "--yes merges regions; give --tidy too");
    }
    if (repairLinks) {
      return repairLinks();
    }
    TableName table = argument.table();
    try (Cluster open = cluster.open();
        MigrationBar bar = new MigrationBar(console, table, json)) {
      console.ifStopped(
          () ->
              yes
                  ? "merged regions stay merged; go on with: " + Interruption.sameCommand(spec)
                  : Interruption.nothingChanged(spec));
      TableName physical = LastMigration.generation(open.connection(), open.registry(), table);
      Layout layout = layout(open, physical);
      RegionMerges merges = new RegionMerges(open.connection(), physical);
      if (tidy) {
        checkTidy(open, table, layout);
        merges.check();
      }
      List<UsedRegion> regions = find(open, physical, layout, bar);
      List<RegionMerge> planned =
          tidy && layout != null ? RegionMerge.plan(layout, regions) : List.of();
      if (yes) {
        merges.run(planned);
      }
      console.finished(
          "table=" + table + (yes ? "; all regions are merged" : "; nothing was changed"));
      if (json) {
        console.json(document(table, layout, regions, planned));
      } else if (tidy) {
        showMerges(layout, regions, planned);
      } else {
        showRegions(layout, regions);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private int repairLinks() throws IOException {
    if (tidy) {
      throw new ParameterException(
          spec.commandLine(), "--tidy and --repair-links are two commands; give one of them");
    }
    TableName table = argument.table();
    try (Cluster open = cluster.open();
        Admin admin = open.connection().getAdmin()) {
      TableName physical = LastMigration.generation(open.connection(), open.registry(), table);
      int parts = MisreadLinks.repair(open.connection().getConfiguration(), physical);
      if (parts == 0) {
        admin.majorCompact(physical);
      }
      if (json) {
        console.json(new RepairedLinksJson(physical.getNameAsString(), parts));
      } else {
        console
            .out()
            .println(
                parts == 0
                    ? "major compaction requested; evenkey doctor says when no link is left"
                    : "files renamed: "
                        + parts
                        + "; HBase opens the regions by itself, then repeat the command");
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private static @Nullable Layout layout(Cluster open, TableName physical) throws IOException {
    try (Admin admin = open.connection().getAdmin()) {
      return TableLayout.of(admin.getDescriptor(physical));
    }
  }

  private static void checkTidy(Cluster open, TableName table, @Nullable Layout layout)
      throws IOException {
    if (layout == null || layout.steps().isNone()) {
      throw new EvenkeyException(
          "salt without steps leaves no regions behind: table=" + table + " layout=" + layout);
    }
    Migration last = open.registry().migrations().get(table).map(Versioned::value).orElse(null);
    if (last != null && !last.stage().isOver()) {
      throw new EvenkeyException(
          "table is under migration: table="
              + table
              + " stage="
              + last.stage()
              + "; merge its regions when that is over: evenkey migrate "
              + table
              + " --status");
    }
  }

  private static List<UsedRegion> find(
      Cluster open, TableName physical, @Nullable Layout layout, MigrationListener listener)
      throws IOException {
    if (layout != null) {
      return new RegionUses(open.connection(), physical, layout, listener).find(Instant.now());
    }
    try (Admin admin = open.connection().getAdmin()) {
      return admin.getRegions(physical).stream()
          .sorted(RegionInfo.COMPARATOR)
          .map(region -> new UsedRegion(region, RegionUse.CURRENT))
          .toList();
    }
  }

  private static String begins(@Nullable Layout layout, RegionInfo region) {
    byte[] start = region.getStartKey();
    return start.length == 0
        ? "(first row)"
        : layout == null ? ByteText.printable(start) : layout.label(start);
  }

  private static String named(RegionUse use) {
    return switch (use) {
      case CURRENT -> "present step";
      case EARLIER -> "earlier steps";
      case EMPTY -> "earlier steps, empty";
    };
  }

  private void showRegions(@Nullable Layout layout, List<UsedRegion> regions) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("REGION", "ROWS OF", "BEGINS WITH"));
    for (UsedRegion region : regions) {
      rows.add(
          List.of(
              region.info().getEncodedName(), named(region.use()), begins(layout, region.info())));
    }
    console.table(rows);
  }

  private void showMerges(
      @Nullable Layout layout, List<UsedRegion> regions, List<RegionMerge> merges) {
    long left = regions.stream().filter(region -> region.use() == RegionUse.EARLIER).count();
    if (merges.isEmpty()) {
      console.out().println("no region of an earlier step is empty: with_rows=" + left);
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("EMPTY REGION", "INTO REGION", "BEGINS WITH"));
    int empty = 0;
    for (RegionMerge merge : merges) {
      for (RegionInfo region : merge.empty()) {
        empty++;
        rows.add(
            List.of(
                region.getEncodedName(), merge.into().getEncodedName(), begins(layout, region)));
      }
    }
    console.table(rows);
    console
        .out()
        .println(
            String.format(
                Locale.ROOT,
                "regions     %d, %d %s merged",
                regions.size(),
                regions.size() - empty,
                yes ? "now that these are" : "when these are"));
    console.out().println("kept        " + left + " of earlier steps that have rows");
    if (!yes) {
      console.out().println("not merged yet: repeat the command with --yes");
    }
  }

  private UsedRegionsJson document(
      TableName table,
      @Nullable Layout layout,
      List<UsedRegion> regions,
      List<RegionMerge> merges) {
    return new UsedRegionsJson(
        table.getNameAsString(),
        layout == null ? null : layout.toString(),
        regions.stream()
            .map(
                region ->
                    new UsedRegionsJson.UsedRegionJson(
                        region.info().getEncodedName(),
                        ByteText.hex(region.info().getStartKey()),
                        begins(layout, region.info()),
                        region.use().name().toLowerCase(Locale.ROOT)))
            .toList(),
        tidy
            ? merges.stream()
                .map(
                    merge ->
                        new UsedRegionsJson.RegionMergeJson(
                            merge.empty().stream().map(RegionInfo::getEncodedName).toList(),
                            merge.into().getEncodedName()))
                .toList()
            : null,
        tidy ? yes : null);
  }
}
