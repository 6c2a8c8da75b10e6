/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.records.Format;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;

/** Writes rows down. To be closed, without which the last of them are missing. */
public interface RowOutput extends Closeable {
  /**
   * Writes a row.
   *
   * @throws IOException if it cannot be written, or would lose something
   */
  void write(Row row) throws IOException;

  /** Writes rows in a format; closing the output closes {@code out}. */
  static RowOutput of(Format format, Writer out) {
    return switch (format) {
      case CSV -> new DelimitedOutput(out, ',');
      case TSV -> new DelimitedOutput(out, '\t');
      case NDJSON -> new JsonLinesOutput(out);
    };
  }
}
