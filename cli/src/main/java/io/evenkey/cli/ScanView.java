/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.select.ReadPlan;
import io.evenkey.client.select.SelectionExplanation;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.index.ReadFigures;
import io.evenkey.report.json.KeyRangeJson;
import io.evenkey.report.json.ReadPlanJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows how a scan would be read. */
final class ScanView {
  private static final int SHOWN = 8;
  private static final String AS_STORED =
      "none: the layout has no order for these rows, so they come as they are stored";

  private ScanView() {}

  static void show(Console console, SpreadTable table, RowQuery query, boolean json)
      throws IOException {
    SelectionExplanation explained = query.explain(table).orElse(null);
    if (explained == null) {
      if (json) {
        console.json(asStored(table));
      } else {
        console.table(
            List.of(
                List.of("table", table.name().getNameAsString()),
                List.of("layout", table.layout().toString()),
                List.of("order", AS_STORED)));
      }
    } else if (json) {
      console.json(document(table, explained));
    } else {
      console.table(rows(table, explained));
      if (explained.choice().plans().size() > 1) {
        console.out().println();
        console.table(ChoiceView.rows(explained.choice()));
      }
    }
  }

  private static ReadPlanJson asStored(SpreadTable table) {
    return new ReadPlanJson(
        table.name().getNameAsString(),
        null,
        null,
        table.layout().toString(),
        false,
        null,
        AS_STORED,
        null);
  }

  private static ReadPlanJson document(SpreadTable table, SelectionExplanation explained) {
    ReadPlan chosen = explained.choice().chosen();
    return new ReadPlanJson(
        table.name().getNameAsString(),
        chosen.isIndex() ? chosen.name() : null,
        explained.table().getNameAsString(),
        explained.layout().toString(),
        true,
        explained.gathering(),
        explained.reason(),
        new ReadPlanJson.ReadExtent(
            explained.limit() == 0 ? null : explained.limit(),
            explained.tested(),
            explained.regions(),
            explained.servers(),
            ChoiceView.document(explained.choice()),
            explained.ranges().stream().map(KeyRangeJson::of).toList()));
  }

  private static List<List<String>> rows(SpreadTable table, SelectionExplanation explained) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("table", table.name().getNameAsString()));
    ReadPlan chosen = explained.choice().chosen();
    if (chosen.isIndex()) {
      rows.add(List.of("index", chosen.name() + ": " + entries(chosen)));
    } else if (!explained.table().equals(table.name())) {
      rows.add(List.of("generation", explained.table().getNameAsString()));
    }
    rows.add(List.of("layout", explained.layout().toString()));
    rows.add(List.of("order", explained.reason()));
    rows.add(List.of("limit", limit(explained)));
    for (String condition : explained.tested()) {
      rows.add(List.of("tested", condition + " (by the client, on each row)"));
    }
    int regions = explained.regions();
    int servers = explained.servers();
    rows.add(
        List.of(
            "ranges",
            String.format(
                Locale.ROOT,
                "%,d in %,d %s on %,d %s",
                explained.ranges().size(),
                regions,
                regions == 1 ? "region" : "regions",
                servers,
                servers == 1 ? "region server" : "region servers")));
    for (KeyRange range : explained.ranges().stream().limit(SHOWN).toList()) {
      rows.add(List.of("", range.toString()));
    }
    if (explained.ranges().size() > SHOWN) {
      rows.add(List.of("", "… and " + (explained.ranges().size() - SHOWN) + " more"));
    }
    return rows;
  }

  private static String entries(ReadPlan index) {
    ReadFigures figures = index.figures();
    return figures == null || figures.rowReads()
        ? "its entries are read as below, then their rows"
        : "its entries are read as below; settled ones have the columns, and only for the others"
            + " the rows are read";
  }

  private static String limit(SelectionExplanation explained) {
    if (explained.limit() > 0) {
      return String.format(Locale.ROOT, "%,d", explained.limit());
    }
    return explained.tested().isEmpty()
        ? "none"
        : "none on the servers: the client drops rows of these ranges";
  }
}
