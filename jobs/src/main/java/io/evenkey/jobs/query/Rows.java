/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.metrics.ForeignRows;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.RowException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.jspecify.annotations.Nullable;

/** The rows of a query, one after the other. To be closed. Not thread-safe. */
public final class Rows implements Closeable {
  @FunctionalInterface
  private interface Source {
    @Nullable Row next() throws IOException;
  }

  private final Source source;
  private final Runnable close;
  private final boolean ordered;
  private final List<RowColumn> fields;

  private Rows(Source source, Runnable close, boolean ordered, RowShape shape) {
    this.source = source;
    this.close = close;
    this.ordered = ordered;
    this.fields = shape.known();
  }

  static Rows ordered(KeyedRows rows, RowShape shape) {
    return new Rows(
        () -> {
          KeyedRow row = rows.next();
          return row == null ? null : shape.row(row.values(), row.result());
        },
        rows::close,
        true,
        shape);
  }

  static Rows stored(
      ResultScanner scanner, SpreadTable table, @Nullable Where where, int limit, RowShape shape)
      throws IOException {
    Layout layout = table.layout();
    ForeignRows foreign = new ForeignRows(table.name().getNameAsString(), layout);
    long[] left = {limit == 0 ? Long.MAX_VALUE : limit};
    return new Rows(
        () -> {
          Result result = left[0] > 0 ? scanner.next() : null;
          while (result != null) {
            Values values = values(layout, result, foreign);
            if (values != null && (where == null || where.matches(values::get))) {
              left[0]--;
              return shape.row(values, result);
            }
            result = scanner.next();
          }
          return null;
        },
        scanner::close,
        false,
        shape);
  }

  /** Null for a key that cannot be taken apart. */
  private static @Nullable Values values(Layout layout, Result result, ForeignRows foreign) {
    try {
      return layout.decodeLogical(result.getRow());
    } catch (RowException e) {
      foreign.met(result.getRow(), e);
      return null;
    }
  }

  /** The next row, or null if there are no more. */
  public @Nullable Row next() throws IOException {
    return source.next();
  }

  /** Whether they come in the order of their keys, or of those of an index. */
  public boolean isOrdered() {
    return ordered;
  }

  /** The fields of the key, of which every row has a value. */
  public List<RowColumn> fields() {
    return fields;
  }

  @Override
  public void close() {
    close.run();
  }
}
