/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Delimited text with a header (RFC 4180), of the columns that rows have. */
final class DelimitedOutput extends HeadedOutput {
  private final CsvWriter out;

  DelimitedOutput(Writer out, char separator) {
    super(List.of());
    this.out = CsvWriter.builder().fieldSeparator(separator).build(out);
  }

  @Override
  void writeHead(List<RowColumn> columns) {
    out.writeRecord(columns.stream().map(RowColumn::name).toList());
  }

  @Override
  void writeRow(Row.@Nullable Entry[] values) {
    String[] texts = new String[values.length];
    for (int i = 0; i < values.length; i++) {
      Row.Entry entry = values[i];
      texts[i] = entry == null ? "" : entry.text();
    }
    out.writeRecord(texts);
  }

  @Override
  void end() throws IOException {
    out.close();
  }
}
