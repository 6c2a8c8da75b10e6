/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** Rows of the table or of an index, as it is chosen. Not thread-safe. */
final class ChosenRows implements RowSource {
  private final Choosing choosing;
  private RowSource rows;
  private boolean begun;

  ChosenRows(Selection selection) throws IOException {
    this.choosing = new Choosing(selection);
    this.rows = choosing.open(selection::open);
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
        choosing.again(e);
        rows.close();
        rows = choosing.open(choosing.selection()::open);
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
