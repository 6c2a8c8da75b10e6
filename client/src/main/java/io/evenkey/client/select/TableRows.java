/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** Rows of a scan of the table, in the order of its keys. Not thread-safe. */
final class TableRows implements RowSource {
  private final ResultScanner scanner;
  private final KeyedRowDecoder decoder;
  private @Nullable Result last;

  TableRows(ResultScanner scanner, KeyedRowDecoder decoder) {
    this.scanner = scanner;
    this.decoder = decoder;
  }

  @Override
  public @Nullable KeyedRow next() throws IOException {
    for (Result result = scanner.next(); result != null; result = scanner.next()) {
      last = result;
      KeyedRow row = decoder.decode(result);
      if (row != null) {
        return row;
      }
    }
    return null;
  }

  /** The last key that was read, whether its row was wanted or not. */
  @Override
  public @Nullable ReadCursor cursor() {
    return last == null ? null : ReadCursor.of(decoder.form(), last.getRow());
  }

  @Override
  public List<Field> fields() {
    return decoder.layout().fields();
  }

  @Override
  public List<IndexColumn> columns() {
    return List.of();
  }

  @Override
  public @Nullable ScanMetrics metrics() {
    return scanner.getScanMetrics();
  }

  @Override
  public void close() {
    scanner.close();
  }
}
