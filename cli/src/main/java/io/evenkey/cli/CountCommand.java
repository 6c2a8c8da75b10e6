/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.export.Exporter;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.RowCountJson;
import io.evenkey.report.terminal.Progress;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkey count}. */
@Rights("R on the table.")
@Command(
    name = "count",
    header = "Count rows of a table.",
    description = {
      "",
      "Scans all buckets at once. Region servers send row keys only, no values.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey count readings --where \"device = 'd1' and ts >= 2026-01-01\"",
    sortOptions = false)
final class CountCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Mixin private QueryOptions query = new QueryOptions();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  CountCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    RowQuery rows = query.query();
    console.ifStopped(() -> Interruption.nothingChanged(spec));
    try (Cluster open = cluster.openBriefly()) {
      SpreadTable spread = open.tables().open(table);
      console.warningNotes(rows.warnings(spread));
      long count;
      try (Progress bar = console.progress("count " + table, 0)) {
        count = Exporter.count(spread, rows, bar::to);
      }
      if (json) {
        console.json(new RowCountJson(table.getNameAsString(), count));
      } else {
        console.out().println(count);
      }
    }
    return CommandLine.ExitCode.OK;
  }
}
