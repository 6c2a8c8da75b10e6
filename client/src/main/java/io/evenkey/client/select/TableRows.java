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
  private final Matching matching;
  private @Nullable Result last;

  TableRows(ResultScanner scanner, Matching matching) {
    this.scanner = scanner;
    this.matching = matching;
  }

  @Override
  public @Nullable KeyedRow next() throws IOException {
    for (Result result = scanner.next(); result != null; result = scanner.next()) {
      last = result;
      KeyedRow row = matching.row(result);
      if (row != null) {
        return row;
      }
    }
    return null;
  }

  /** The last key that was read, whether its row was wanted or not. */
  @Override
  public @Nullable ReadCursor cursor() {
    return last == null ? null : ReadCursor.of(matching.form(), last.getRow());
  }

  @Override
  public List<Field> fields() {
    return matching.layout().fields();
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
