/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the way to read that was chosen, or of the next best one if its index is rejected before
 * the first row. Not thread-safe.
 */
final class FallbackRows implements RowSource {
  private final ReadFallback fallback;
  private RowSource rows;
  private boolean begun;

  FallbackRows(Selection selection) throws IOException {
    this.fallback = new ReadFallback(selection);
    this.rows = fallback.open(selection::open);
  }

  @Override
  public @Nullable KeyedRow next() throws IOException {
    for (; ; ) {
      try {
        KeyedRow row = rows.next();
        begun = true;
        return row;
      } catch (IOException e) {
        if (begun) {
          throw e;
        }
        fallback.again(e);
        rows.close();
        rows = fallback.open(fallback.selection()::open);
      }
    }
  }

  @Override
  public @Nullable ReadCursor cursor() {
    return rows.cursor();
  }

  @Override
  public List<Field> fields() {
    return rows.fields();
  }

  @Override
  public List<IndexColumn> columns() {
    return rows.columns();
  }

  @Override
  public @Nullable ScanMetrics metrics() {
    return rows.metrics();
  }

  @Override
  public void close() {
    rows.close();
  }
}
