/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.evenkey.jobs.query.Row;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Delimited text with a header (RFC 4180). The header has the columns of the first {@value #SEEN}
 * rows; a column that first comes later has no place any more, and is refused, not left out.
 */
final class DelimitedOutput implements RowOutput {
  /** The number of rows that are read for the header. */
  private static final int SEEN = 10_000;

  private final CsvWriter out;
  private final Set<String> names = new LinkedHashSet<>();
  private final Map<String, Integer> indexes = new HashMap<>();
  private List<Row> first = new ArrayList<>();
  private boolean headerWritten;

  DelimitedOutput(Writer out, char separator) {
    this.out = CsvWriter.builder().fieldSeparator(separator).build(out);
  }

  @Override
  public void write(Row row) throws IOException {
    if (headerWritten) {
      writeNow(row);
      return;
    }
    row.entries().forEach(entry -> names.add(entry.name()));
    first.add(row);
    if (first.size() == SEEN) {
      writeFirst();
    }
  }

  private void writeFirst() throws IOException {
    headerWritten = true;
    for (String name : names) {
      indexes.put(name, indexes.size());
    }
    out.writeRecord(names);
    for (Row row : first) {
      writeNow(row);
    }
    first = List.of();
  }

  private void writeNow(Row row) throws IOException {
    String[] values = new String[indexes.size()];
    Arrays.fill(values, "");
    for (Row.Entry entry : row.entries()) {
      Integer index = indexes.get(entry.name());
      if (index == null) {
        throw new IOException(
            "column that is not in the header, since no row among the first "
                + SEEN
                + " has it: column="
                + entry.name()
                + "; name all columns with --column, or write ndjson");
      }
      values[index] = entry.text();
    }
    out.writeRecord(values);
  }

  @Override
  public void close() throws IOException {
    if (!headerWritten) {
      writeFirst();
    }
    out.close();
  }
}
