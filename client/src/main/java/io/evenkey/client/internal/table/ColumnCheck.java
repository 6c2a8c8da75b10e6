/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.TimeRange;
import org.jspecify.annotations.Nullable;

/** A check of one column, as it is being said. Not thread-safe. */
final class ColumnCheck {
  private final byte[] row;
  private final byte[] family;
  private byte @Nullable [] qualifier;
  private @Nullable TimeRange time;
  private @Nullable CompareOperator operator;
  private byte @Nullable [] value;

  ColumnCheck(byte[] row, byte[] family) {
    this.row = Objects.requireNonNull(row, "row is null");
    this.family = Objects.requireNonNull(family, "family is null");
  }

  void qualifier(byte[] name) {
    qualifier = Objects.requireNonNull(name, "qualifier is null; use an empty one");
  }

  void timeRange(TimeRange range) {
    time = range;
  }

  void ifNotExists() {
    operator = CompareOperator.EQUAL;
    value = null;
  }

  void ifMatches(CompareOperator compare, byte[] expected) {
    operator = compare;
    value = Objects.requireNonNull(expected, "value is null; use ifNotExists");
  }

  /** Says the same to HBase's own builder. */
  @SuppressWarnings("deprecation") // what HBase still has in the interface
  Table.CheckAndMutateBuilder on(Table stored, byte[] physical) {
    Table.CheckAndMutateBuilder builder = stored.checkAndMutate(physical, family).timeRange(time);
    if (qualifier != null) {
      builder.qualifier(qualifier);
    }
    return value == null ? builder.ifNotExists() : builder.ifMatches(operator, value);
  }

  /** Says the same to HBase's own builder. */
  @SuppressWarnings("deprecation") // what HBase still has in the interface
  AsyncTable.CheckAndMutateBuilder on(AsyncTable<?> stored, byte[] physical) {
    AsyncTable.CheckAndMutateBuilder builder =
        stored.checkAndMutate(physical, family).timeRange(time);
    if (qualifier != null) {
      builder.qualifier(qualifier);
    }
    return value == null ? builder.ifNotExists() : builder.ifMatches(operator, value);
  }

  byte[] row() {
    return row;
  }

  CheckAndMutate.Builder builder() {
    Objects.requireNonNull(operator, "condition is null; use ifNotExists, ifEquals or ifMatches");
    return CheckAndMutate.newBuilder(row)
        .ifMatches(family, qualifier, operator, value)
        .timeRange(time);
  }
}
