/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.index.IndexAdoption;
import io.evenkey.jobs.index.IndexReport;
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

/** {@code evenkey index adopt}. */
@Rights("R and A on the table, R and W on the index's.")
@Command(
    name = "adopt",
    header = "Take over an index that was restored here from another cluster.",
    description = {
      "",
      "The snapshots or backups of a table and of its index come from two moments, so they differ."
          + " Clients do not read the index until this command has compared it with the rows and"
          + " repaired it. Restore both tables first, under their original names.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey index adopt orders by_customer"},
    sortOptions = false)
final class IndexAdoptCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private IndexArgument index = new IndexArgument();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexAdoptCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = index.table();
    IndexReport report;
    try (Cluster open = cluster.open();
        IndexBar bar = new IndexBar(console, index.name(), json)) {
      console.ifStopped(
          () -> bar.stopped("the same command goes on: " + Interruption.sameCommand(spec)));
      report = IndexAdoption.run(open.connection(), open.registry(), table, index.name(), bar);
      console.finished("table=" + table + " index=" + index.name() + "; the index is taken over");
    }
    new IndexView(console, index.name(), json).show(report);
    return CommandLine.ExitCode.OK;
  }
}
