/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.index.IndexRemoval;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.DroppedIndexJson;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey index drop}. */
@Rights("A on the table and on the index's table.")
@Command(
    name = "drop",
    header = "Drop an index of a live table, whatever its state.",
    description = {
      "",
      "Clients stop reading it, then stop writing it; then its table is deleted. The rows of the"
          + " table stay. After a kill at any moment, the same command continues.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey index drop orders by_customer",
    sortOptions = false)
final class IndexDropCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private IndexArgument index = new IndexArgument();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  IndexDropCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = index.table();
    try (Cluster open = cluster.open();
        IndexBar bar = new IndexBar(console, index.name(), json)) {
      console.ifStopped(
          () -> bar.stopped("the same command goes on: " + Interruption.sameCommand(spec)));
      IndexRemoval.run(open.connection(), open.registry(), table, index.name(), bar);
      console.finished("table=" + table + " index=" + index.name() + "; the index is dropped");
    }
    if (json) {
      console.json(new DroppedIndexJson(table.getNameAsString(), index.name(), true));
    } else {
      console.out().println(table + "." + index.name() + ": dropped");
    }
    return CommandLine.ExitCode.OK;
  }
}
