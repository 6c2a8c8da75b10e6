/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.query;

import java.util.List;

/**
 * A kind of query. Immutable.
 *
 * @param text as it was written, without its weight
 * @param conditions on columns, all of which have to hold; none means all rows
 * @param order in which order the rows are wanted
 * @param limit the number of them, or 0 for all
 * @param weight its frequency or importance relative to the others
 */
public record Query(
    String text, List<QueryCondition> conditions, Order order, int limit, double weight) {
  /** The order in which rows are wanted. */
  public enum Order {
    /** Any. */
    ANY,
    /** Newest first. */
    NEWEST_FIRST,
    /** Oldest first. */
    OLDEST_FIRST
  }

  /** Copies the list. */
  public Query {
    conditions = List.copyOf(conditions);
  }

  /** The columns of which one value, or a few, are asked for. */
  public List<String> fixed() {
    return conditions.stream()
        .filter(c -> c.operator().fixes())
        .map(QueryCondition::column)
        .toList();
  }

  /** The columns of which a range is asked for. */
  public List<String> ranged() {
    return conditions.stream()
        .filter(c -> !c.operator().fixes())
        .map(QueryCondition::column)
        .toList();
  }
}
