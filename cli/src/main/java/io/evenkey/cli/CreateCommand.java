/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.plan.NewTable;
import io.evenkey.layout.Layout;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.CreatedTableJson;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey create}. */
@Rights("C on the namespace.")
@Command(
    name = "create",
    header = "Create a table from its plan, pre-split into regions.",
    description = {
      "",
      "Creates the table with the layout in its descriptor, in one step, together with the "
          + "HBase settings that suit the layout. Prints each setting with its reason.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey create readings --families d",
    sortOptions = false)
final class CreateCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private TableArgument argument = new TableArgument();

  @Option(
      names = "--families",
      split = ",",
      paramLabel = "F,…",
      description = "Column families, instead of the planned ones.")
  private List<String> families = List.of();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  CreateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    try (Cluster open = cluster.openBriefly()) {
      NewTable planned = open.tables().planned(table, families);
      Layout layout = open.tables().create(planned).layout();
      CreatedTableJson created;
      try (Admin admin = open.connection().getAdmin()) {
        created = CreatedTableJson.of(planned, layout, admin.getRegionServers().size());
      }
      if (json) {
        console.json(created);
      } else {
        console.out().println("created  " + table);
        console.out().println("layout   " + layout);
        console.out().println("regions  " + created.regions());
        planned.reasons().forEach(reason -> console.out().println("setting  " + reason));
        console.warnings(created.warnings());
      }
    }
    return CommandLine.ExitCode.OK;
  }
}
