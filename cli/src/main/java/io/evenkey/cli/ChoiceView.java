/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.select.ReadChoice;
import io.evenkey.client.select.ReadPlan;
import io.evenkey.layout.scatter.FieldLimit;
import io.evenkey.protocol.index.ReadFigures;
import io.evenkey.report.json.ReadChoiceJson;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows through which key rows are read, and why so. */
final class ChoiceView {
  private static final List<String> HEAD =
      List.of("read by", "fixed", "bounded", "tested", "ranges", "row reads", "cost", "");

  private ChoiceView() {}

  /** The candidates, one a line, with a head. */
  static List<List<String>> rows(ReadChoice choice) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (ReadPlan plan : choice.plans()) {
      rows.add(row(plan, plan.equals(choice.chosen())));
    }
    return rows;
  }

  private static List<String> row(ReadPlan plan, boolean isChosen) {
    String verdict = isChosen ? "chosen: " + plan.verdict() : plan.verdict();
    ReadFigures figures = plan.figures();
    if (figures == null) {
      return List.of(plan.name(), "-", "-", "-", "-", "-", "-", verdict);
    }
    return List.of(
        plan.name(),
        listed(fixed(figures)),
        listed(bounded(figures)),
        listed(figures.tested()),
        String.format(Locale.ROOT, "%,d", figures.ranges()),
        figures.rowReads() ? "yes" : "no",
        percent(figures.cost()),
        verdict);
  }

  private static String listed(List<String> items) {
    return items.isEmpty() ? "-" : String.join(", ", items);
  }

  private static List<String> fixed(ReadFigures figures) {
    return figures.narrowing().leading().stream()
        .filter(limit -> limit.values() > 0)
        .map(
            limit ->
                limit.isConstant()
                    ? limit.field()
                    : limit.field() + " (" + limit.values() + " values)")
        .toList();
  }

  private static List<String> bounded(ReadFigures figures) {
    return figures.narrowing().leading().stream()
        .filter(limit -> limit.values() == 0)
        .map(FieldLimit::field)
        .toList();
  }

  private static String percent(double cost) {
    BigDecimal percent = BigDecimal.valueOf(cost * 100).round(new MathContext(2));
    return percent.stripTrailingZeros().toPlainString() + "%";
  }

  static ReadChoiceJson document(ReadChoice choice) {
    return new ReadChoiceJson(
        choice.chosen().name(),
        choice.chosen().verdict(),
        choice.plans().stream().map(ChoiceView::document).toList());
  }

  private static ReadChoiceJson.ReadCandidate document(ReadPlan plan) {
    ReadFigures figures = plan.figures();
    return new ReadChoiceJson.ReadCandidate(
        plan.name(),
        plan.isIndex(),
        plan.verdict(),
        figures == null
            ? null
            : new ReadChoiceJson.Figures(
                fixed(figures),
                bounded(figures),
                figures.tested(),
                figures.ranges(),
                figures.ordered(),
                figures.rowReads(),
                figures.cost()));
  }
}
