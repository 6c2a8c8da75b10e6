/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import io.evenkey.jobs.records.Format;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Delimited text with a header, of the columns that rows have: CSV (RFC 4180), or TSV, which has no
 * quotes, so that values with tabs and line breaks are refused.
 */
final class DelimitedOutput extends HeadedOutput {
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final Pattern BREAKS_TSV = Pattern.compile("[\t\n\r]");
  private static final Pattern QUOTED = Pattern.compile("[,\"\n\r]");

  private final FileFormat format;
  private final Writer out;
  private List<String> names = List.of();

  DelimitedOutput(FileFormat format, List<RowColumn> known, Writer out) {
    super(known);
    this.format = format;
    this.out = new BufferedWriter(out, 1 << 16);
  }

  @Override
  void writeHead(List<RowColumn> columns) throws IOException {
    names = columns.stream().map(RowColumn::name).toList();
    Row header = new Row(List.of(), 0);
    List<String> texts = new ArrayList<>();
    for (String name : names) {
      texts.add(written(header, name, name));
    }
    write(texts);
  }

  @Override
  void writeRow(Row row, Row.@Nullable Entry[] values) throws IOException {
    List<String> texts = new ArrayList<>(values.length);
    String nothing = format.nullText() == null ? "" : format.nullText();
    for (int i = 0; i < values.length; i++) {
      Row.Entry entry = values[i];
      boolean none = entry == null || entry.value() == null;
      texts.add(none ? nothing : written(row, names.get(i), entry.text()));
    }
    write(texts);
  }

  /** A value, so that it is not read as another, or as none. */
  private String written(Row row, String name, String text) throws IOException {
    boolean isMistaken =
        text.equals(format.nullText())
            || text.isEmpty() && names.size() == 1
            || text.startsWith(BYTE_ORDER_MARK);
    if (format.format() == Format.CSV) {
      return isMistaken || QUOTED.matcher(text).find()
          ? '"' + text.replace("\"", "\"\"") + '"'
          : text;
    }
    if (isMistaken || BREAKS_TSV.matcher(text).find()) {
      throw FileRows.refused(
          row,
          name,
          isMistaken
              ? "value that TSV cannot tell from a missing one"
              : "text with a tab or a line break, which TSV cannot hold",
          text,
          "write csv or ndjson");
    }
    return text;
  }

  private void write(List<String> texts) throws IOException {
    boolean isCsv = format.format() == Format.CSV;
    out.write(String.join(isCsv ? "," : "\t", texts));
    out.write(isCsv ? "\r\n" : "\n");
  }

  @Override
  void end() throws IOException {
    out.close();
  }
}
