/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.starter;

import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The layout for a table without records to measure, by the rule of the guide: the fields that the
 * main query fixes come first, then those it ranges over, the time newest first if it asks for
 * that, then the other fields that identify a record. A salt over the fixed fields, or over the
 * whole key if there are none, has two buckets for each region server. Stateless.
 */
public final class FirstLayout {
  private static final int MOST_BUCKETS = 256;

  private FirstLayout() {}

  /**
   * Orders and spreads the fields of a record.
   *
   * @param fields that identify a record; queries name no others
   */
  public static Layout of(List<Field> fields, Requirements wanted) {
    Query query = wanted.mainQuery();
    Map<String, Field> byName = new LinkedHashMap<>();
    fields.forEach(field -> byName.put(field.name(), field));
    List<Field> ordered = new ArrayList<>();
    query.fixed().stream().distinct().forEach(name -> ordered.add(byName.remove(name)));
    List<Field> fixed = List.copyOf(ordered);
    query.ranged().stream()
        .filter(byName::containsKey)
        .distinct()
        .toList()
        .forEach(name -> ordered.add(byName.remove(name)));
    if (query.order() != Query.Order.ANY) {
      byName.values().stream()
          .filter(FirstLayout::isTime)
          .findFirst()
          .ifPresent(time -> ordered.add(byName.remove(time.name())));
    }
    ordered.addAll(byName.values());
    int buckets = Math.min(MOST_BUCKETS, 2 * Math.max(1, wanted.workload().servers()));
    boolean affine = !fixed.isEmpty() && fixed.size() < ordered.size();
    String salted =
        affine
            ? fixed.stream().map(f -> ", " + Quoted.name(f.name())).collect(Collectors.joining())
            : "";
    String parts =
        ordered.stream().map(field -> part(field, query)).collect(Collectors.joining(" + "));
    return Layout.parse("salt(" + buckets + salted + ") + " + parts);
  }

  private static String part(Field field, Query query) {
    boolean newest = query.order() == Query.Order.NEWEST_FIRST && isTime(field);
    Field directed = new Field(field.name(), field.type(), field.descending() || newest);
    boolean isDomain =
        field.type().toString().equals("string")
            && query.conditions().stream()
                .anyMatch(
                    condition ->
                        condition.operator() == QueryCondition.Operator.UNDER
                            && condition.column().equals(field.name()));
    return isDomain ? "reverse_domain(" + directed + ")" : directed.toString();
  }

  static boolean isTime(Field field) {
    String type = field.type().toString();
    return type.startsWith("timestamp") || type.equals("date");
  }
}
