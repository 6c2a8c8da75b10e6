/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.terminal.Amount;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey index sweep}. */
@Rights("R and A on the table, R and W on the index's.")
@Command(
    name = "sweep",
    header = "Remove entries of earlier values and of deleted rows; settle the others.",
    description = {
      "",
      "Reads the index and the rows of its entries, while clients write. An entry stays when its"
          + " row is deleted or gets another value. Readers do not return such an entry, but must"
          + " skip it. If rows change, run this from a timer: the more often, the fewer entries"
          + " readers skip.",
      "",
      "A sweep of an append-only index settles the entries of existing rows: from then on, readers "
          + "take the covered columns from them, without reading the row. Entries that are already "
          + "settled cost no read of a row.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey index sweep orders by_state"},
    sortOptions = false)
final class IndexSweepCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private IndexArgument index = new IndexArgument();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexSweepCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = index.table();
    IndexReport report;
    try (Cluster open = cluster.open();
        IndexBar bar = new IndexBar(console, index.name(), json)) {
      console.ifStopped(
          () ->
              bar.stopped(
                  "removed entries stay removed; begin again with: "
                      + Interruption.sameCommand(spec)));
      report =
          IndexVerification.sweep(open.connection(), open.registry(), table, index.name(), bar);
      console.finished("table=" + table + " index=" + index.name() + "; the index is swept");
    }
    if (json) {
      new IndexView(console, index.name(), true).show(report);
    } else {
      console
          .out()
          .printf(
              Locale.ROOT,
              "%s.%s: %s read, %,d removed, %,d settled%n",
              table,
              index.name(),
              Amount.of(report.entries(), "entry"),
              report.removed(),
              report.settled());
    }
    return CommandLine.ExitCode.OK;
  }
}
