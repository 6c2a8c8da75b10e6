/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.RowMapping;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.jspecify.annotations.Nullable;

/**
 * HBase's older asynchronous builders of a check and a change, in terms of the newer ones. What
 * these reject and HBase's older ones do not, an action of another row, HBase's own builder sends.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
final class AsyncCheckBuilders {
  private AsyncCheckBuilders() {}

  /** The last calls of both builders. */
  abstract static class Then {
    private final LogicalAsyncTable<?> table;

    Then(LogicalAsyncTable<?> table) {
      this.table = table;
    }

    /** The check and change in the newer form; null if HBase rejects them. */
    abstract @Nullable CheckAndMutate check(@Nullable Row action);

    /** Has HBase's own builder reject them. */
    abstract CompletableFuture<Boolean> rejected(
        AsyncTable<?> stored, RowMapping rows, @Nullable Row action) throws IOException;

    public CompletableFuture<Boolean> thenPut(Put put) {
      return table.check(this, Objects.requireNonNull(put, "put is null"));
    }

    public CompletableFuture<Boolean> thenDelete(Delete delete) {
      return table.check(this, delete);
    }

    public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
      return table.check(this, mutations);
    }
  }

  private static @Nullable Row physical(RowMapping rows, @Nullable Row action) throws IOException {
    return action == null ? null : rows.afterEntries().physical(action);
  }

  private static CompletableFuture<Boolean> then(
      AsyncTable.CheckAndMutateBuilder check, @Nullable Row action) {
    if (action instanceof Put put) {
      return check.thenPut(put);
    }
    return action instanceof Delete delete
        ? check.thenDelete(delete)
        : check.thenMutate((RowMutations) action);
  }

  private static CompletableFuture<Boolean> then(
      AsyncTable.CheckAndMutateWithFilterBuilder check, @Nullable Row action) {
    if (action instanceof Put put) {
      return check.thenPut(put);
    }
    return action instanceof Delete delete
        ? check.thenDelete(delete)
        : check.thenMutate((RowMutations) action);
  }

  /** A check of one column. */
  static final class OfColumn extends Then implements AsyncTable.CheckAndMutateBuilder {
    private final ColumnCheck check;

    OfColumn(LogicalAsyncTable<?> table, byte[] row, byte[] family) {
      super(table);
      this.check = new ColumnCheck(row, family);
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder qualifier(byte[] name) {
      check.qualifier(name);
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder timeRange(TimeRange range) {
      check.timeRange(range);
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder ifNotExists() {
      check.ifNotExists();
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder ifMatches(CompareOperator compare, byte[] expected) {
      check.ifMatches(compare, expected);
      return this;
    }

    @Override
    @Nullable CheckAndMutate check(@Nullable Row action) {
      return CheckBuilders.newer(check.builder(), check.row(), action);
    }

    @Override
    CompletableFuture<Boolean> rejected(AsyncTable<?> stored, RowMapping rows, @Nullable Row action)
        throws IOException {
      return then(check.on(stored, rows.physical(check.row())), physical(rows, action));
    }
  }

  /** A check by a filter. */
  static final class OfFilter extends Then implements AsyncTable.CheckAndMutateWithFilterBuilder {
    private final byte[] row;
    private final Filter filter;
    private @Nullable TimeRange time;

    OfFilter(LogicalAsyncTable<?> table, byte[] row, Filter filter) {
      super(table);
      this.row = Objects.requireNonNull(row, "row is null");
      this.filter = Objects.requireNonNull(filter, "filter is null");
    }

    @Override
    public AsyncTable.CheckAndMutateWithFilterBuilder timeRange(TimeRange range) {
      time = range;
      return this;
    }

    @Override
    @Nullable CheckAndMutate check(@Nullable Row action) {
      return CheckBuilders.newer(
          CheckAndMutate.newBuilder(row).ifMatches(filter).timeRange(time), row, action);
    }

    @Override
    CompletableFuture<Boolean> rejected(AsyncTable<?> stored, RowMapping rows, @Nullable Row action)
        throws IOException {
      return then(
          stored.checkAndMutate(rows.physical(row), filter).timeRange(time),
          physical(rows, action));
    }
  }
}
