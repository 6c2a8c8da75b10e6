/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** HBase's older builders of a check and a change, in terms of {@link CheckAndMutate}. */
@SuppressWarnings("deprecation") // what HBase still has in the interface
final class CheckBuilders {
  private CheckBuilders() {}

  /** The last calls of both builders. */
  abstract static class Then {
    private final Table table;

    Then(Table table) {
      this.table = table;
    }

    abstract CheckAndMutate.Builder check();

    public boolean thenPut(Put put) throws IOException {
      return table.checkAndMutate(check().build(put)).isSuccess();
    }

    public boolean thenDelete(Delete delete) throws IOException {
      return table.checkAndMutate(check().build(delete)).isSuccess();
    }

    public boolean thenMutate(RowMutations mutations) throws IOException {
      return table.checkAndMutate(check().build(mutations)).isSuccess();
    }
  }

  /** A check of one column. */
  static final class OfColumn extends Then implements Table.CheckAndMutateBuilder {
    private final ColumnCheck check;

    OfColumn(Table table, byte[] row, byte[] family) {
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
    CheckAndMutate.Builder check() {
      return check.builder();
    }
  }

  /** A check by a filter. */
  static final class OfFilter extends Then implements Table.CheckAndMutateWithFilterBuilder {
    private final CheckAndMutate.Builder builder;

    OfFilter(Table table, byte[] row, Filter filter) {
      super(table);
      this.builder = CheckAndMutate.newBuilder(row).ifMatches(filter);
    }

    @Override
    public Table.CheckAndMutateWithFilterBuilder timeRange(TimeRange range) {
      builder.timeRange(range);
      return this;
    }

    @Override
    CheckAndMutate.Builder check() {
      return builder;
    }
  }
}
