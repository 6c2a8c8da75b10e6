/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** HBase's older asynchronous builders of a check and a change, in terms of the newer ones. */
@SuppressWarnings("deprecation") // what HBase still has in the interface
final class AsyncCheckBuilders {
  private AsyncCheckBuilders() {}

  /** The last calls of both builders. */
  abstract static class Then {
    private final AsyncTable<?> table;

    Then(AsyncTable<?> table) {
      this.table = table;
    }

    abstract CheckAndMutate.Builder check();

    public CompletableFuture<Boolean> thenPut(Put put) {
      return done(check().build(put));
    }

    public CompletableFuture<Boolean> thenDelete(Delete delete) {
      return done(check().build(delete));
    }

    public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
      return done(check().build(mutations));
    }

    private CompletableFuture<Boolean> done(CheckAndMutate check) {
      return Futures.map(table.checkAndMutate(check), CheckAndMutateResult::isSuccess);
    }
  }

  /** A check of one column. */
  static final class OfColumn extends Then implements AsyncTable.CheckAndMutateBuilder {
    private final ColumnCheck check;

    OfColumn(AsyncTable<?> table, byte[] row, byte[] family) {
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
    CheckAndMutate.Builder check() {
      return check.builder();
    }
  }

  /** A check by a filter. */
  static final class OfFilter extends Then implements AsyncTable.CheckAndMutateWithFilterBuilder {
    private final CheckAndMutate.Builder builder;

    OfFilter(AsyncTable<?> table, byte[] row, Filter filter) {
      super(table);
      this.builder = CheckAndMutate.newBuilder(row).ifMatches(filter);
    }

    @Override
    public AsyncTable.CheckAndMutateWithFilterBuilder timeRange(TimeRange range) {
      builder.timeRange(range);
      return this;
    }

    @Override
    CheckAndMutate.Builder check() {
      return builder;
    }
  }
}
