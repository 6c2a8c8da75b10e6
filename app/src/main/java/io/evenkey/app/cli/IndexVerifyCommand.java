/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey index verify}. */
@Rights({"R and A on the table, R on the index's.", "--repair: also W on the index's table."})
@Command(
    name = "verify",
    header = "Compare a table with an index of it, in both directions.",
    description = {
      "",
      "Looks for each row in the index, and for the row of each entry, while clients write. Rows "
          + "without their entry are an error: readers of the index do not see them. Entries without "
          + "their row are what deletes leave; readers do not return them, but have to pass them.",
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
      report =
          IndexVerification.run(
              open.connection(), open.registry(), table, index.name(), repair, bar);
    }
    new IndexView(console, index.name(), json).show(report);
    if (report.phantoms() > 0) {
      throw new IOException(
          "entries of an append-only index are without their row: table="
              + table
              + " index="
              + index.name()
              + " entries="
              + report.phantoms()
              + "; --repair removes them");
    }
    if (!report.isComplete()) {
      throw new IOException(
          "rows are without their entry: table="
              + table
              + " index="
              + index.name()
              + " rows="
              + (report.missing() - report.added())
              + (repair ? "; drop the index, and add it again" : "; --repair adds them"));
    }
    return CommandLine.ExitCode.OK;
  }
}
