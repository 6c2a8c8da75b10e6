/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import io.evenkey.layout.text.Quoted;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delimited text with a header, of the columns that rows have: CSV (RFC 4180), or TSV, which has no
 * quotes, so that values with tabs and line breaks are refused.
 */
final class DelimitedOutput extends HeadedOutput {
  private final Records out;

  private interface Records extends Closeable {
    void write(List<String> record) throws IOException;
  }

  private DelimitedOutput(Records out) {
    super(List.of());
    this.out = out;
  }

  static DelimitedOutput csv(Writer out) {
    CsvWriter writer = CsvWriter.builder().build(out);
    return new DelimitedOutput(
        new Records() {
          @Override
          public void write(List<String> record) {
            writer.writeRecord(record);
          }

          @Override
          public void close() throws IOException {
            writer.close();
          }
        });
  }

  static DelimitedOutput tsv(Writer out) {
    Writer buffered = new BufferedWriter(out, 1 << 16);
    return new DelimitedOutput(
        new Records() {
          @Override
          public void write(List<String> record) throws IOException {
            for (String text : record) {
              if (text.chars().anyMatch(c -> c == '\t' || c == '\n' || c == '\r')) {
                throw new IOException(
                    "text with a tab or a line break, which TSV cannot hold: value="
                        + Quoted.literal(text)
                        + "; write csv or ndjson");
              }
            }
            buffered.write(String.join("\t", record));
            buffered.write('\n');
          }

          @Override
          public void close() throws IOException {
            buffered.close();
          }
        });
  }

  @Override
  void writeHead(List<RowColumn> columns) throws IOException {
    out.write(columns.stream().map(RowColumn::name).toList());
  }

  @Override
  void writeRow(Row.@Nullable Entry[] values) throws IOException {
    String[] texts = new String[values.length];
    for (int i = 0; i < values.length; i++) {
      Row.Entry entry = values[i];
      texts[i] = entry == null ? "" : entry.text();
    }
    out.write(List.of(texts));
  }

  @Override
  void end() throws IOException {
    out.close();
  }
}
