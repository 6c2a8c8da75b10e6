/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes rows down. To be closed, without which the last of them are missing. */
public interface RowOutput extends Closeable {
  /**
   * Writes a row.
   *
   * @throws IOException if it cannot be written, or would lose something
   */
  void write(Row row) throws IOException;

  /**
   * Writes rows in a format; closing the output closes {@code out}.
   *
   * @param known the columns that are known before the first row
   */
  static RowOutput of(FileFormat file, List<RowColumn> known, OutputStream out) {
    return switch (file.format()) {
      case CSV, TSV -> new DelimitedOutput(file, known, text(out));
      case NDJSON -> new JsonLinesOutput(text(out));
      case PARQUET -> new ParquetOutput(known, out, file.codec());
      case AVRO -> new AvroOutput(known, out, file.codec());
    };
  }

  private static Writer text(OutputStream out) {
    return new OutputStreamWriter(out, StandardCharsets.UTF_8);
  }
}
