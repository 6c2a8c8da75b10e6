/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.text.SyntaxException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The layouts that are tried as an index for a query. Stateless. */
final class WantedIndexes {
  private WantedIndexes() {}

  /** The layouts that a query would want if it were the only one, the best first. */
  static List<Layout> of(
      Score score, Query query, int number, List<Evaluation> evaluations, Sample sample) {
    double best =
        evaluations.stream().mapToDouble(e -> e.queries().get(number).cost()).min().orElse(0);
    Comparator<Evaluation> order =
        Comparator.<Evaluation>comparingDouble(
                e -> -score.of(e, Share.of(best, e.queries().get(number).cost())))
            .thenComparing(e -> e.candidate().layout().toString().length())
            .thenComparing(e -> e.candidate().layout().toString());
    Set<Layout> layouts = new LinkedHashSet<>();
    evaluations.stream()
        .sorted(order)
        .map(e -> e.candidate().layout())
        .filter(layout -> hasColumns(layout, query))
        .map(layout -> shortened(layout, query, sample))
        .forEach(layouts::add);
    return List.copyOf(layouts);
  }

  /** Whether a layout has the columns of all conditions of a query. */
  static boolean hasColumns(Layout layout, Query query) {
    return query.conditions().stream()
        .map(QueryCondition::column)
        .allMatch(column -> layout.key().indexOf(column) >= 0);
  }

  // An entry is unique by the rest of the table's key, so it needs no field for that.
  private static Layout shortened(Layout layout, Query query, Sample sample) {
    Set<String> names =
        query.conditions().stream().map(QueryCondition::column).collect(Collectors.toSet());
    List<Field> fields = layout.fields();
    int last = 0;
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.get(i).name();
      boolean orders = query.order() != Query.Order.ANY && sample.column(name).isTime();
      last = names.contains(name) || orders ? i + 1 : last;
    }
    Layout whole = spelled(layout, fields.size());
    return last == 0 || whole == null || !whole.equals(layout)
        ? layout
        : Optional.ofNullable(spelled(layout, last)).orElse(layout);
  }

  private static @Nullable Layout spelled(Layout layout, int fields) {
    Prefix prefix = layout.spread().prefix();
    String first = prefix == null ? "" : prefix + " + ";
    String key =
        layout.fields().subList(0, fields).stream()
            .map(Field::toString)
            .collect(Collectors.joining(" + "));
    try {
      return Layout.parse(first + key);
    } catch (SyntaxException e) {
      // A literal between the fields, or a salt over a field that is left out.
      return null;
    }
  }
}
