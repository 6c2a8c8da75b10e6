/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** Reads orders by a selection in the order of their customers. Not thread-safe. */
final class OrderScan implements RowScan {
  private final KeyedRows rows;

  private OrderScan(KeyedRows rows) {
    this.rows = rows;
  }

  /**
   * Starts to read.
   *
   * @param orders all orders, in that order
   */
  static OrderScan open(Selection orders, IndexKind kind, OrderRead read) throws IOException {
    Selection some =
        kind == IndexKind.COVERED ? orders.column(HBaseTables.FAMILY, OrderTable.STATE) : orders;
    if (!read.isOfAll()) {
      some = some.where("customer between '" + read.from() + "' and '" + read.to() + "'");
    }
    return new OrderScan((read.limit() == 0 ? some : some.limit(read.limit())).open());
  }

  @Override
  public long next() throws IOException {
    KeyedRow row = rows.next();
    return row == null
        ? END
        : Order.mixed(
            Objects.requireNonNull(row.getString("customer")),
            Objects.requireNonNull(row.getLong("id")),
            stateLength(row));
  }

  private static int stateLength(KeyedRow row) {
    byte[] state = row.value(HBaseTables.FAMILY, OrderTable.STATE);
    return state == null ? 0 : state.length;
  }

  @Override
  public @Nullable ScanMetrics metrics() {
    return null;
  }

  @Override
  public void close() {
    rows.close();
  }
}
