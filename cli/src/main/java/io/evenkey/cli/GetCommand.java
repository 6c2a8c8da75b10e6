/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.cell.CellType;
import io.evenkey.jobs.export.RowObjects;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.query.Rows;
import io.evenkey.jobs.records.CellName;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey get}. */
@Rights("R on the table.")
@Command(
    name = "get",
    header = "Show one row.",
    description = {"", "Exit code 1 if the row does not exist.", ""},
    footerHeading = "%nExample:%n",
    footer = "  evenkey get readings device=d1 ts=2026-01-31T08:30Z --column d:temp:float64",
    sortOptions = false)
final class GetCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FIELD=VALUE",
      description = "The key's fields.")
  private List<String> arguments = List.of();

  @Option(
      names = "--column",
      paramLabel = "F:Q[=NAME][:TYPE]",
      converter = CellColumnConverter.class,
      description = "Name and type of a column; the other columns are shown as text.")
  private List<CellColumn> columns = List.of();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  GetCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    KeyArguments key = KeyArguments.of(spec, arguments);
    try (Cluster open = cluster.openBriefly()) {
      SpreadTable spread = open.tables().open(table);
      byte[] logical = key.key(spec, spread.layout());
      console.warningNotes(key.warnings(spread.layout()));
      try (Rows rows = RowQuery.of(spread, logical, columns)) {
        Row row = rows.next();
        if (row == null) {
          throw new EvenkeyException("no such row: table=" + table + " key=" + key.fields());
        }
        if (json) {
          int families = TableFamilies.of(open, spread.generation()).size();
          RowObjects objects = RowObjects.of(families, rows, columns);
          console.json(columns.isEmpty() ? objects.of(row) : objects.whole(row));
        } else {
          show(key, row);
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void show(KeyArguments key, Row row) {
    List<List<String>> lines = new ArrayList<>();
    key.fields().forEach((field, value) -> lines.add(List.of(field, value)));
    for (Cell cell : row.cells()) {
      CellColumn column = column(cell);
      lines.add(
          List.of(
              column.name(),
              String.valueOf(column.shown(CellUtil.cloneValue(cell))),
              Instant.ofEpochMilli(cell.getTimestamp()).toString()));
    }
    console.table(lines);
  }

  private CellColumn column(Cell cell) {
    return columns.stream()
        .filter(
            column -> CellUtil.matchingColumn(cell, column.familyBytes(), column.qualifierBytes()))
        .findFirst()
        .orElseGet(
            () -> {
              String family = CellName.text(CellUtil.cloneFamily(cell));
              String qualifier = CellName.text(CellUtil.cloneQualifier(cell));
              return new CellColumn(family, qualifier, family + ":" + qualifier, CellType.STRING);
            });
  }
}
