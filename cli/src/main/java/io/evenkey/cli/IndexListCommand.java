/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.protocol.guard.GuardMode;
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
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkey index list}. */
@Rights("C or A on the tables: indexes are in their descriptors.")
@Command(
    name = "list",
    header = "List the indexes of a table, or of all tables.",
    description = {
      "",
      "Shows the state of each index, how far its filling is, and its last verification and sweep.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey index list", "  evenkey index list orders --json"},
    sortOptions = false)
final class IndexListCommand implements Callable<Integer> {
  private final Console console;

  @CommandLine.Spec
  private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "The table; all tables if it is left out.")
  private @Nullable String name;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexListCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    List<DescribedIndex> all = new ArrayList<>();
    try (Cluster open = cluster.openBriefly();
        Admin admin = open.connection().getAdmin()) {
      List<TableDescriptor> tables =
          name == null
              ? admin.listTableDescriptors()
              : List.of(
                  admin.getDescriptor(
                      LastMigration.generation(
                          open.connection(), open.registry(), UsageErrors.tableName(spec, name))));
      for (TableDescriptor table : tables) {
        // A generation that clients do not use any more still has them in its descriptor.
        if (TableGuard.state(table).mode() != GuardMode.CLOSED) {
          all.addAll(DescribedIndex.of(table, open.registry()));
        }
      }
    }
    if (json) {
      console.json(new IndexJson.Indexes(all.stream().map(IndexJson::of).toList()));
    } else {
      show(all);
    }
    return CommandLine.ExitCode.OK;
  }

  private void show(List<DescribedIndex> all) {
    if (all.isEmpty()) {
      console.out().println("no indexes" + (name == null ? "" : ": table=" + name));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TABLE", "INDEX", "STATE", "FILLED", "VERIFIED", "SWEPT", "DEFINITION"));
    for (DescribedIndex one : all) {
      TableIndex index = one.index();
      rows.add(
          List.of(
              one.table().getNameAsString(),
              index.name(),
              index.state().toString(),
              filled(one.work()),
              verified(one.work()),
              swept(one.work()),
              definition(index)));
    }
    console.table(rows);
  }

  private static String definition(TableIndex index) {
    String text = index.toString();
    return text.substring(text.indexOf(" as ") + " as ".length());
  }

  private static String filled(@Nullable IndexWork work) {
    if (work == null) {
      return "-";
    }
    String rows = Amount.of(work.filling().rows(), "row");
    return work.filling().finished() == null ? rows + " so far" : rows;
  }

  private static String verified(@Nullable IndexWork work) {
    IndexWork.Verification last = work == null ? null : work.verified();
    if (work == null || last == null) {
      return "-";
    }
    return String.format(
        Locale.ROOT,
        "%s: %s%s%s",
        last.at(),
        IndexView.found(last.found(), work.isSweptSinceVerified()),
        left(last.toRepair(), "to repair"),
        left(last.found().toWriteAgain(), "to write again"));
  }

  private static String left(long count, String what) {
    return count == 0 ? "" : String.format(Locale.ROOT, ", %,d %s", count, what);
  }

  private static String swept(@Nullable IndexWork work) {
    IndexWork.Sweep last = work == null ? null : work.swept();
    return last == null
        ? "-"
        : String.format(
            Locale.ROOT,
            "%s, %s: %,d removed",
            last.at(),
            Age.of(last.at(), Instant.now()),
            last.removed());
  }
}
