/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.DescribedIndex;
import io.evenkey.report.json.IndexJson;
import io.evenkey.report.terminal.Amount;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey index show}. */
@Rights("C or A on the table: its indexes are in its descriptor.")
@Command(
    name = "show",
    header = "Show an index: its definition, its filling, its last verification and sweep.",
    footerHeading = "%nExample:%n",
    footer = "  evenkey index show orders by_customer",
    sortOptions = false)
final class IndexShowCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private IndexArgument index = new IndexArgument();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexShowCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = index.table();
    try (Cluster open = cluster.openBriefly();
        Admin admin = open.connection().getAdmin()) {
      TableName generation = LastMigration.generation(open.connection(), open.registry(), table);
      List<DescribedIndex> all =
          DescribedIndex.of(admin.getDescriptor(generation), open.registry());
      DescribedIndex shown =
          all.stream()
              .filter(one -> one.index().name().equals(index.name()))
              .findFirst()
              .orElseThrow(() -> unknown(table, all));
      int regions;
      try (RegionLocator locator = open.connection().getRegionLocator(shown.entries())) {
        regions = locator.getAllRegionLocations().size();
      }
      if (json) {
        console.json(IndexJson.of(shown).with(regions, null));
      } else {
        console.table(lines(shown, regions));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private IOException unknown(TableName table, List<DescribedIndex> all) {
    return new EvenkeyException(
        "no such index: table="
            + table
            + " index="
            + index.name()
            + " indexes="
            + all.stream().map(one -> one.index().name()).collect(Collectors.joining(","))
            + "; evenkey index list shows them");
  }

  private static List<List<String>> lines(DescribedIndex shown, int regions) {
    TableIndex index = shown.index();
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("index", shown.entries() + ", " + Amount.of(regions, "region")));
    lines.add(List.of("state", index.state().toString()));
    lines.add(List.of("rows", index.protocol().rows()));
    lines.add(List.of("layout", index.layout().toString()));
    index.columns().forEach(column -> lines.add(List.of("from", column.toString())));
    if (!index.covering().isEmpty()) {
      lines.add(
          List.of(
              "covering",
              index.covering().stream().map(Object::toString).collect(Collectors.joining(", "))));
    }
    if (!index.where().isEmpty()) {
      lines.add(List.of("where", index.where()));
    }
    IndexWork work = shown.work();
    lines.add(List.of("filled", filled(work)));
    lines.add(List.of("verified", verified(work)));
    lines.add(List.of("swept", swept(work == null ? null : work.swept())));
    return lines;
  }

  private static String filled(@Nullable IndexWork work) {
    if (work == null) {
      return "the registry has no record of it";
    }
    IndexWork.Filling filling = work.filling();
    return String.format(
        Locale.ROOT,
        "%s read, %s written, %s",
        Amount.of(filling.rows(), "row"),
        Amount.of(filling.entries(), "entry"),
        filling.finished() == null ? "not finished" : "finished " + filling.finished());
  }

  private static String verified(@Nullable IndexWork work) {
    IndexWork.Verification last = work == null ? null : work.verified();
    if (work == null || last == null) {
      return "never";
    }
    return String.format(
        Locale.ROOT,
        "%s: %s, %s; %s, %s left; %,d added, %,d removed",
        last.at(),
        Amount.of(last.rows(), "row"),
        Amount.of(last.entries(), "entry"),
        IndexView.found(last.found(), work.isSweptSinceVerified()),
        Amount.of(last.found().phantoms(), "phantom"),
        last.added(),
        last.removed());
  }

  private static String swept(IndexWork.@Nullable Sweep last) {
    return last == null
        ? "never"
        : String.format(
            Locale.ROOT,
            "%s, %s: %s, %,d removed, %,d settled",
            last.at(),
            Age.of(last.at(), Instant.now()),
            Amount.of(last.entries(), "entry"),
            last.removed(),
            last.settled());
  }
}
