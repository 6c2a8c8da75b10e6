/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * HBase's older builders of a check and a change. What they send, HBase's own builder sends to the
 * stored table: its failures are of other classes than those of {@link CheckAndMutate}.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
final class CheckBuilders {
  private CheckBuilders() {}

  private static boolean then(Table.CheckAndMutateBuilder check, @Nullable Row action)
      throws IOException {
    if (action instanceof Put put) {
      return check.thenPut(put);
    }
    return action instanceof Delete delete
        ? check.thenDelete(delete)
        : check.thenMutate((RowMutations) action);
  }

  private static boolean then(Table.CheckAndMutateWithFilterBuilder check, @Nullable Row action)
      throws IOException {
    if (action instanceof Put put) {
      return check.thenPut(put);
    }
    return action instanceof Delete delete
        ? check.thenDelete(delete)
        : check.thenMutate((RowMutations) action);
  }

  /**
   * The check and change in the newer form.
   *
   * @return null if the action is null or of another row, which HBase's servers or client reject
   */
  static @Nullable CheckAndMutate newer(
      CheckAndMutate.Builder check, byte[] row, @Nullable Row action) {
    if (action == null || !Bytes.equals(row, action.getRow())) {
      return null;
    } else if (action instanceof Put put) {
      return check.build(put);
    }
    return action instanceof Delete delete
        ? check.build(delete)
        : check.build((RowMutations) action);
  }

  /** The last calls of both builders. */
  abstract static class Then {
    private final LogicalTable table;

    Then(LogicalTable table) {
      this.table = table;
    }

    /** The check and change in the newer form; null if HBase rejects them. */
    abstract @Nullable CheckAndMutate check(@Nullable Row action);

    /** Has HBase's own builder send them, to the physical row. */
    abstract boolean send(Table stored, CheckAndMutate physical) throws IOException;

    /** Has HBase's own builder reject them. */
    abstract boolean rejected(Table stored, RowMapping rows, @Nullable Row action)
        throws IOException;

    public boolean thenPut(Put put) throws IOException {
      return table.check(this, put);
    }

    public boolean thenDelete(Delete delete) throws IOException {
      return table.check(this, delete);
    }

    public boolean thenMutate(RowMutations mutations) throws IOException {
      return table.check(this, mutations);
    }
  }

  private static @Nullable Row physical(RowMapping rows, @Nullable Row action) throws IOException {
    return action == null ? null : rows.afterEntries().physical(action);
  }

  /** A check of one column. */
  static final class OfColumn extends Then implements Table.CheckAndMutateBuilder {
    private final ColumnCheck check;

    OfColumn(LogicalTable table, byte[] row, byte[] family) {
      super(table);
      this.check = new ColumnCheck(row, family);
    }

    @Override
    public Table.CheckAndMutateBuilder qualifier(byte[] name) {
      check.qualifier(name);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder timeRange(TimeRange range) {
      check.timeRange(range);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifNotExists() {
      check.ifNotExists();
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifMatches(CompareOperator compare, byte[] expected) {
      check.ifMatches(compare, expected);
      return this;
    }

    @Override
    @Nullable CheckAndMutate check(@Nullable Row action) {
      return newer(check.builder(), check.row(), action);
    }

    @Override
    boolean send(Table stored, CheckAndMutate physical) throws IOException {
      return then(check.on(stored, physical.getRow()), physical.getAction());
    }

    @Override
    boolean rejected(Table stored, RowMapping rows, @Nullable Row action) throws IOException {
      return then(check.on(stored, rows.physical(check.row())), physical(rows, action));
    }
  }

  /** A check by a filter. */
  static final class OfFilter extends Then implements Table.CheckAndMutateWithFilterBuilder {
    private final byte[] row;
    private final Filter filter;
    private @Nullable TimeRange time;

    OfFilter(LogicalTable table, byte[] row, Filter filter) {
      super(table);
      this.row = Objects.requireNonNull(row, "row is null");
      this.filter = Objects.requireNonNull(filter, "filter is null");
    }

    @Override
    public Table.CheckAndMutateWithFilterBuilder timeRange(TimeRange range) {
      time = range;
      return this;
    }

    @Override
    @Nullable CheckAndMutate check(@Nullable Row action) {
      return newer(CheckAndMutate.newBuilder(row).ifMatches(filter).timeRange(time), row, action);
    }

    @Override
    boolean send(Table stored, CheckAndMutate physical) throws IOException {
      return then(
          stored.checkAndMutate(physical.getRow(), physical.getFilter()).timeRange(time),
          physical.getAction());
    }

    @Override
    boolean rejected(Table stored, RowMapping rows, @Nullable Row action) throws IOException {
      return then(
          stored.checkAndMutate(rows.physical(row), filter).timeRange(time),
          physical(rows, action));
    }
  }
}
