/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.WrittenRowJson;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey put}. */
@Rights("W on the table.")
@Command(
    name = "put",
    header = "Write one row.",
    description = {
      "",
      "Names with a colon are columns, FAMILY:QUALIFIER[:TYPE]; the others are key fields.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  evenkey put readings device=d1 ts=2026-01-31T08:30Z d:temp:float64=21.5",
    sortOptions = false)
final class PutCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "NAME=VALUE",
      description = "The key's fields, and the columns.")
  private List<String> arguments = List.of();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  PutCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    KeyArguments key = KeyArguments.of(spec, arguments);
    if (key.columns().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "no column: HBase has no empty rows; add FAMILY:QUALIFIER=value");
    }
    try (Cluster open = cluster.openBriefly()) {
      SpreadTable spread = open.openToWrite(table);
      Put put = new Put(key.key(spec, spread.layout()));
      console.warningNotes(key.warnings(spread.layout()));
      key.columns().forEach((column, text) -> add(put, column, text));
      spread.put(put);
      if (json) {
        console.json(new WrittenRowJson(table.getNameAsString(), ByteText.hex(put.getRow())));
      } else {
        console.out().println("written: " + key.fields());
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void add(Put put, String name, String text) {
    try {
      CellColumn column = CellColumn.parse(name);
      put.addColumn(column.familyBytes(), column.qualifierBytes(), column.type().encode(text));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "value " + e.getMessage() + ": " + name + "=" + text);
    }
  }
}
