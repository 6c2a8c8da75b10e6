package io.evenkey.client.table;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.jspecify.annotations.Nullable;

/** HBase's older builders of a check and a change, in terms of {@link CheckAndMutate}. */
@SuppressWarnings("deprecation") // what HBase still has in the interface
final class CheckBuilders {
  private CheckBuilders() {}

  /** What both builders end with. */
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
    private final byte[] row;
    private final byte[] family;
    private byte @Nullable [] qualifier;
    private @Nullable TimeRange time;
    private @Nullable CompareOperator operator;
    private byte @Nullable [] value;

    OfColumn(Table table, byte[] row, byte[] family) {
      super(table);
      this.row = row;
      this.family = family;
    }

    @Override
    public Table.CheckAndMutateBuilder qualifier(byte[] name) {
      qualifier = Objects.requireNonNull(name, "qualifier is null; use an empty one");
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder timeRange(TimeRange range) {
      time = range;
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifNotExists() {
      operator = CompareOperator.EQUAL;
      value = null;
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifMatches(CompareOperator compare, byte[] expected) {
      operator = compare;
      value = Objects.requireNonNull(expected, "value is null; use ifNotExists");
      return this;
    }

    @Override
    CheckAndMutate.Builder check() {
      Objects.requireNonNull(operator, "condition is null; use ifNotExists, ifEquals or ifMatches");
      return CheckAndMutate.newBuilder(row)
          .ifMatches(family, qualifier, operator, value)
          .timeRange(time);
    }
  }

  /** A check by a filter. */
  static final class OfFilter extends Then implements Table.CheckAndMutateWithFilterBuilder {
    private final byte[] row;
    private final Filter filter;
    private @Nullable TimeRange time;

    OfFilter(Table table, byte[] row, Filter filter) {
      super(table);
      this.row = row;
      this.filter = filter;
    }

    @Override
    public Table.CheckAndMutateWithFilterBuilder timeRange(TimeRange range) {
      time = range;
      return this;
    }

    @Override
    CheckAndMutate.Builder check() {
      return CheckAndMutate.newBuilder(row).ifMatches(filter).timeRange(time);
    }
  }
}
