/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.export.RowOutput;
import io.evenkey.jobs.query.Row;
import io.evenkey.report.terminal.Controls;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints rows as a text table. The columns and their widths come from the first {@value #SEEN}
 * rows; a column that first appears later is printed with its name at the end of its row.
 */
final class RowTable implements RowOutput {
  private static final int SEEN = 200;
  private static final int WIDEST = 60;

  private final PrintStream out;
  private final Map<String, Integer> widths = new LinkedHashMap<>();
  private List<Row> first = new ArrayList<>();
  private boolean headerWritten;

  RowTable(PrintStream out) {
    this.out = out;
  }

  @Override
  public void write(Row row) {
    if (headerWritten) {
      writeNow(row);
      return;
    }
    for (Row.Entry entry : row.entries()) {
      String name = Controls.escaped(entry.name());
      int width = Controls.escaped(entry.display()).length();
      widths.merge(name, Math.min(WIDEST, Math.max(name.length(), width)), Math::max);
    }
    first.add(row);
    if (first.size() == SEEN) {
      writeFirst();
    }
  }

  private void writeFirst() {
    headerWritten = true;
    StringBuilder header = new StringBuilder();
    widths.forEach((name, width) -> add(header, name, width));
    if (!widths.isEmpty()) {
      out.println(header.toString().stripTrailing());
    }
    first.forEach(this::writeNow);
    first = List.of();
  }

  private void writeNow(Row row) {
    Map<String, String> values = new LinkedHashMap<>();
    row.entries()
        .forEach(
            entry -> values.put(Controls.escaped(entry.name()), Controls.escaped(entry.display())));
    StringBuilder line = new StringBuilder();
    widths.forEach(
        (name, width) -> {
          String value = values.remove(name);
          add(line, value == null ? "" : value, width);
        });
    values.forEach((name, value) -> line.append(name).append('=').append(value).append("  "));
    out.println(line.toString().stripTrailing());
  }

  private static void add(StringBuilder line, String value, int width) {
    line.append(value).append(" ".repeat(Math.max(0, width - value.length()) + 2));
  }

  @Override
  public void close() {
    if (!headerWritten) {
      writeFirst();
    }
    out.flush();
  }
}
