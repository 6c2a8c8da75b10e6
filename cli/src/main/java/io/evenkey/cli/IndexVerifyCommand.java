/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey index verify}. */
@Rights({"R and A on the table, R on the index's.", "--repair: also W on the index's table."})
@Command(
    name = "verify",
    header = "Compare a table with an index of it, in both directions.",
    description = {
      "",
      "Looks for each row in the index, and for the row of each entry, while clients write. A row"
          + " without its entry is an error: readers of the index do not see the row. An entry"
          + " without its row is what a delete leaves; readers skip it.",
      "",
      "A repair does not add rows whose values the index cannot hold (unfit), or whose cells have "
          + "labels or rights of their own (secured): write them again.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey index verify orders by_customer",
      "  evenkey index verify orders by_customer --repair"
    },
    sortOptions = false)
final class IndexVerifyCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private IndexArgument index = new IndexArgument();

  @Option(
      names = "--repair",
      description = "Add missing entries, and remove entries without a row.")
  private boolean repair;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexVerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = index.table();
    IndexReport report;
    try (Cluster open = cluster.open();
        IndexBar bar = new IndexBar(console, index.name(), json)) {
      console.ifStopped(() -> bar.stopped("begin again with: " + Interruption.sameCommand(spec)));
      report =
          IndexVerification.run(
              open.connection(), open.registry(), table, index.name(), repair, bar);
      console.finished("table=" + table + " index=" + index.name() + "; the index is verified");
    }
    new IndexView(console, index.name(), json).show(report);
    if (!report.isComplete()) {
      throw new EvenkeyException(
          "index differs from its table: table="
              + table
              + " index="
              + index.name()
              + " "
              + report.leftCounts()
              + "; "
              + report.remedies());
    }
    return CommandLine.ExitCode.OK;
  }
}
