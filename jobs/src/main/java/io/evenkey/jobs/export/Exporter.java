/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.query.Rows;
import io.evenkey.jobs.trace.JobSpan;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/** Writes the rows of a table to a file, and counts them. Stateless. */
public final class Exporter {
  private static final int TELL_EVERY = 512;

  private Exporter() {}

  /**
   * Writes rows to a file, which is there when all are in it, and not before. What its name ends in
   * says how it is packed as a whole: {@code .gz}, {@code .zst}, or not.
   *
   * @return the number of rows
   */
  public static long toFile(
      SpreadTable table, RowQuery query, FileFormat format, OutputFile file, LongConsumer progress)
      throws IOException {
    return toFile(table, 0, query, format, file, progress);
  }

  /**
   * As {@link #toFile}, with short names of columns if the table has one family.
   *
   * @param families the number of families of the table; 0 if that is not known
   */
  public static long toFile(
      SpreadTable table,
      int families,
      RowQuery query,
      FileFormat format,
      OutputFile file,
      LongConsumer progress)
      throws IOException {
    return file.write(
        stream -> toStream(table, families, query, format, packed(file.path(), stream), progress));
  }

  /** Writes rows to a stream; see {@link #toFile}. The stream is closed. */
  public static long toStream(
      SpreadTable table,
      int families,
      RowQuery query,
      FileFormat format,
      OutputStream stream,
      LongConsumer progress)
      throws IOException {
    return JobSpan.around(
        "EXPORT",
        table.name(),
        () -> {
          try (Rows source = query.open(table)) {
            FileRows rows = new FileRows(format, families, source.fields(), query.columns());
            try (RowOutput out = RowOutput.of(format, rows.known(), stream)) {
              return copy(source, rows::row, out, progress);
            }
          }
        });
  }

  /** The number of rows that a query gives; their values stay in HBase. */
  public static long count(SpreadTable table, RowQuery query, LongConsumer progress)
      throws IOException {
    FilterList keysOnly = new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter());
    try (Rows source = query.open(table, query.columns().isEmpty() ? keysOnly : null)) {
      return copy(source, row -> row, new Nowhere(), progress);
    }
  }

  @FunctionalInterface
  private interface Change {
    Row of(Row row) throws IOException;
  }

  private static long copy(Rows source, Change change, RowOutput out, LongConsumer progress)
      throws IOException {
    long rows = 0;
    for (Row row = source.next(); row != null; row = source.next()) {
      out.write(change.of(row));
      if (++rows % TELL_EVERY == 0) {
        progress.accept(rows);
      }
    }
    progress.accept(rows);
    return rows;
  }

  private static OutputStream packed(Path file, OutputStream out) throws IOException {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".gz")) {
      return new GZIPOutputStream(out, 1 << 16);
    }
    return name.endsWith(".zst") ? new ZstdOutputStreamNoFinalizer(out) : out;
  }

  private static final class Nowhere implements RowOutput {
    @Override
    public void write(Row row) {}

    @Override
    public void close() {}
  }
}
