/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.layout.scatter.Condition;
import io.evenkey.spark.TableColumns.CellField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownTopN;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Takes from Spark what HBase can do of a query. Spark calls it in this order: predicates, limit,
 * columns. Not thread-safe.
 */
final class EvenkeyScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownLimit,
        SupportsPushDownTopN {
  private final StoredTable stored;
  private final KeyPredicates predicates;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<CellField> present = new ArrayList<>();
  private @Nullable Condition where;
  private TableColumns columns;
  private int limit;

  EvenkeyScanBuilder(StoredTable stored) {
    this.stored = stored;
    this.predicates = new KeyPredicates(stored.layout(), stored.columns().keyFields());
    this.columns = stored.columns();
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] all) {
    List<Predicate> left = new ArrayList<>();
    for (Predicate predicate : all) {
      Optional<Condition> condition = predicates.condition(predicate);
      if (condition.isPresent()) {
        where = where == null ? condition.get() : where.and(condition.get());
        pushed.add(predicate);
      } else if (predicates.isAlwaysTrue(predicate)) {
        pushed.add(predicate);
      } else {
        left.add(predicate);
        present(predicate).ifPresent(present::add);
      }
    }
    return left.toArray(Predicate[]::new);
  }

  /** The column of HBase's without which a row does not fulfil a predicate that Spark evaluates. */
  private Optional<CellField> present(Predicate predicate) {
    return predicate.name().equals("IS_NOT_NULL")
            && predicate.children()[0] instanceof NamedReference name
        ? stored.columns().cells().stream()
            .filter(cell -> Arrays.equals(name.fieldNames(), new String[] {cell.name()}))
            .findFirst()
        : Optional.empty();
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  @Override
  public boolean pushLimit(int rows) {
    limit = rows;
    return true;
  }

  /** Limits each partition: if rows are in the wanted order, its first ones are enough. */
  @Override
  public boolean pushTopN(SortOrder[] orders, int rows) {
    List<SortOrder> sorted = KeyOrder.of(stored.layout(), where, stored.columns());
    boolean isOfKey =
        orders.length <= sorted.size()
            && KeyOrder.isSame(List.of(orders), sorted.subList(0, orders.length));
    if (isOfKey) {
      limit = rows;
    }
    return isOfKey;
  }

  /** Each partition has so many rows; Spark takes the first of all. */
  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = stored.columns().withSchema(required);
  }

  @Override
  public Scan build() {
    return new EvenkeyScan(
        stored, columns, where, limit, RequestedCells.of(columns.cells(), present));
  }
}
