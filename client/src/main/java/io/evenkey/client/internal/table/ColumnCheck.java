/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
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

  CheckAndMutate.Builder builder() {
    Objects.requireNonNull(operator, "condition is null; use ifNotExists, ifEquals or ifMatches");
    return CheckAndMutate.newBuilder(row)
        .ifMatches(family, qualifier, operator, value)
        .timeRange(time);
  }
}
