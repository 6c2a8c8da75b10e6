/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.Scatter;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.jspecify.annotations.Nullable;

/** The order of the rows within a partition. Stateless. */
final class KeyOrder {
  private KeyOrder() {}

  /**
   * The order in which Spark may take the rows to be: by the leading fields of the key that are
   * among the columns, as far as Spark sorts their values as keys do. Behind a number with a
   * fraction nothing is sorted for Spark, which takes −0.0 and 0.0 for one value. Empty for keys of
   * Phoenix, whose nulls come first in either direction, and if the layout has no order to read the
   * rows in.
   */
  static List<SortOrder> of(Layout layout, @Nullable Condition where, TableColumns columns) {
    List<SortOrder> order = new ArrayList<>();
    if (layout.key().allowsNull() || !isOrdered(layout, where)) {
      return order;
    }
    for (Field field : layout.fields()) {
      KeyType kind = KeyType.of(field.type());
      boolean isColumn =
          columns.keyFields().stream().anyMatch(column -> column.name().equals(field.name()));
      if (!isColumn || !kind.sortsAsSpark()) {
        break;
      }
      order.add(
          Expressions.sort(
              Expressions.column(quoted(field.name())),
              field.descending() ? SortDirection.DESCENDING : SortDirection.ASCENDING));
      if (!kind.equalsAsSpark()) {
        break;
      }
    }
    return order;
  }

  /** Whether the rows of each physical range are in the order of their keys. */
  static boolean isOrdered(Layout layout, @Nullable Condition where) {
    return scatter(layout, where).ordered();
  }

  private static Scatter scatter(Layout layout, @Nullable Condition where) {
    return where == null ? layout.scatter(KeyRange.all()) : layout.scatter(layout.where(where));
  }

  /** Whether two orders are the same for fields that are never null. */
  static boolean isSame(List<SortOrder> one, List<SortOrder> other) {
    return spelled(one).equals(spelled(other));
  }

  private static List<String> spelled(List<SortOrder> orders) {
    return orders.stream()
        .map(order -> order.expression().describe() + " " + order.direction())
        .toList();
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
