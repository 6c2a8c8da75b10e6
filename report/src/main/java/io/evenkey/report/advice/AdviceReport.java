/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.advice;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Family;
import io.evenkey.advisor.IndexedTable;
import io.evenkey.advisor.Naming;
import io.evenkey.advisor.ProposedIndex;
import io.evenkey.advisor.QueryAccess;
import io.evenkey.advisor.evaluate.ParsedColumns;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.Replay;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.report.heat.counters.Skew;
import io.evenkey.report.json.DescribedIndex;
import io.evenkey.report.terminal.Amount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Advice as one HTML page: the distribution of the writes under the naive key and under each of the
 * best layouts, the ranges and rows of each query, and the value of each kind of spread for this
 * load. The file is self-contained.
 */
public final class AdviceReport {
  private static final int WINDOWS = 64;
  private static final int SHOWN = 5;

  private final Advice advice;
  private final String source;
  private final List<Advice.Ranked> shown = new ArrayList<>();
  private final List<int[][]> heats = new ArrayList<>();
  private final Map<String, double[]> skews = new LinkedHashMap<>();

  private AdviceReport(Advice advice, String source) {
    this.advice = advice;
    this.source = source;
  }

  /**
   * The page.
   *
   * @param source the source of the records
   */
  public static String html(Advice advice, String source) throws IOException {
    AdviceReport report = new AdviceReport(advice, source);
    report.replay();
    return Page.template()
        .replace("{{source}}", Page.escaped(source))
        .replace("{{unserved}}", report.unserved())
        .replace("{{winner}}", Page.escaped(advice.winner().line()))
        .replace("{{facts}}", report.facts())
        .replace("{{heat}}", report.heat())
        .replace("{{skew}}", Charts.lines(report.skews, advice.workload().servers(), ""))
        .replace("{{legend}}", report.legend())
        .replace("{{queries}}", report.queries())
        .replace("{{plot}}", report.plot())
        .replace("{{ranking}}", report.ranking())
        .replace("{{families}}", report.families())
        .replace("{{indexes}}", report.indexes())
        .replace("{{notes}}", report.notes())
        .replace("{{commands}}", report.commands());
  }

  private void replay() {
    shown.add(advice.baseline());
    advice.ranked().stream()
        .filter(ranked -> !ranked.line().equals(advice.baseline().line()))
        .limit(SHOWN)
        .forEach(shown::add);
    Sample sample = advice.sample().numbered();
    ParsedColumns columns = new ParsedColumns(sample);
    int servers = advice.workload().servers();
    for (Advice.Ranked ranked : shown) {
      Replay replay = new Replay(ranked.evaluation().candidate().layout(), columns, servers);
      int[][] heat = replay.heat(Math.min(WINDOWS, Math.max(1, sample.size() / 100)));
      heats.add(heat);
      skews.put(ranked.line(), skew(heat, replay.servers(), servers));
    }
  }

  private static double[] skew(int[][] heat, int[] serverOf, int servers) {
    double[] skews = new double[heat.length];
    for (int w = 0; w < heat.length; w++) {
      long[] load = new long[servers];
      for (int r = 0; r < serverOf.length; r++) {
        load[serverOf[r]] += heat[w][r];
      }
      skews[w] = Skew.of(load);
    }
    return skews;
  }

  /** Before the layout: it is no answer for these queries. */
  private String unserved() {
    StringBuilder html = new StringBuilder();
    for (String query : advice.unserved()) {
      html.append("<p class=\"unserved\"><b>Not served:</b> ")
          .append(Page.escaped(query))
          .append(".</p>\n");
    }
    return html.toString();
  }

  private String facts() {
    Advice.Ranked winner = advice.winner();
    Advice.Ranked plain = advice.baseline();
    String skew = String.format(Locale.ROOT, "%.2f", winner.evaluation().writes().mean());
    String without = String.format(Locale.ROOT, "%.2f", plain.evaluation().writes().mean());
    return String.format(
        Locale.ROOT,
        "%s of %s. Writes: skew %s over %s%s (1 is even, %d is one server). %s considered, %,d"
            + " measured on %s.",
        Amount.of(advice.sample().records(), "record"),
        Page.escaped(source),
        skew,
        Amount.of(advice.workload().servers(), "server"),
        skew.equals(without) ? "" : ", " + without + " without a spread",
        advice.workload().servers(),
        Amount.of(advice.considered(), "layout"),
        advice.considered() - advice.refused() - advice.pruned(),
        advice.sample().isWhole() ? "all records" : "a sample of them");
  }

  private String heat() {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < shown.size(); i++) {
      Advice.Ranked ranked = shown.get(i);
      html.append(
          String.format(
              Locale.ROOT,
              "<figure><figcaption>%s<code>%s</code> skew %.2f</figcaption>%s</figure>%n",
              i == 0 ? "Naive: " : "",
              Page.escaped(ranked.line()),
              ranked.evaluation().writes().mean(),
              HeatMap.svg(
                  heats.get(i), "writes by region and time under " + Page.escaped(ranked.line()))));
    }
    return html.toString();
  }

  private String legend() {
    StringBuilder html = new StringBuilder();
    int number = 0;
    for (String line : skews.keySet()) {
      html.append(
          String.format(
              "<li><span class=\"key s%d\"></span><code>%s</code></li>%n",
              number++ % 6, Page.escaped(line)));
    }
    return html.toString();
  }

  private String queries() {
    StringBuilder html = new StringBuilder();
    List<Query> queries = advice.workload().queries();
    for (int q = 0; q < queries.size(); q++) {
      int query = q;
      double most =
          shown.stream()
              .mapToDouble(r -> r.evaluation().queries().get(query).fanOut())
              .max()
              .orElse(1);
      html.append(
          String.format(
              Locale.ROOT,
              "<h3>%s <small>%.0f %%</small></h3><table><thead><tr><th>Layout<th>Ranges opened<th>"
                  + "Rows read for each returned<th>Cost, ms</tr></thead><tbody>%n",
              Page.escaped(queries.get(q).text()),
              100 * queries.get(q).weight() / advice.workload().weight()));
      for (Advice.Ranked ranked : shown) {
        QueryFigures figures = ranked.evaluation().queries().get(q);
        html.append(
            String.format(
                Locale.ROOT,
                "<tr><td><code>%s</code><td class=\"bars\">%s %,.1f<td>%,.1f%s<td>%,.2f</tr>%n",
                Page.escaped(ranked.line()),
                Charts.bar(figures.fanOut(), most),
                figures.fanOut(),
                figures.readAmplification(),
                figures.backwards() ? ", backwards" : "",
                figures.cost()));
      }
      html.append("</tbody></table>\n");
    }
    return html.toString();
  }

  private String plot() {
    List<Advice.Ranked> all = new ArrayList<>(advice.ranked());
    if (all.stream().noneMatch(ranked -> ranked.line().equals(advice.baseline().line()))) {
      all.add(advice.baseline());
    }
    double most = all.stream().mapToDouble(r -> r.evaluation().writes().mean()).max().orElse(1);
    List<Charts.Point> points = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Advice.Ranked one = all.get(i);
      boolean best =
          all.stream()
              .noneMatch(
                  other ->
                      other.evaluation().writes().mean() < one.evaluation().writes().mean()
                          && other.reads() >= one.reads());
      String label = i < advice.ranked().size() ? String.valueOf(i + 1) : "naive";
      points.add(
          new Charts.Point(
              one.evaluation().writes().mean(), 100 * one.reads(), label, one.line(), best));
    }
    return Charts.plot(points, most, 100);
  }

  private String ranking() {
    StringBuilder html = new StringBuilder();
    int number = 1;
    for (Advice.Ranked ranked : advice.ranked()) {
      html.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%d<td>%.0f<td>%.2f<td>%.2f<td>%.2f<td>%.1f<td>%.0f<td>%.0f<td><code>%s</code></tr>%n",
              number++,
              ranked.score(),
              ranked.evaluation().writes().mean(),
              ranked.evaluation().writes().p99(),
              ranked.evaluation().writes().max(),
              ranked.evaluation().writes().parallelism(),
              ranked.evaluation().keyBytes(),
              ranked.evaluation().keyBytes() + advice.workload().valueBytes(),
              Page.escaped(ranked.line())));
    }
    return html.toString();
  }

  private String families() {
    StringBuilder html = new StringBuilder();
    for (Family family : Family.values()) {
      Advice.Ranked best = advice.families().get(family);
      if (best == null) {
        html.append(
            String.format(
                "<tr><td>%s<td colspan=\"4\">none that fits this data<td>%s</tr>%n",
                family.title(), family.meaning()));
        continue;
      }
      html.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s<td>%.0f<td>%.2f<td>%.0f %%<td><code>%s</code><td>%s</tr>%n",
              family.title(),
              best.score(),
              best.evaluation().writes().mean(),
              100 * best.reads(),
              Page.escaped(best.line()),
              family.meaning()));
    }
    return html.toString();
  }

  private String indexes() {
    IndexedTable proposed = advice.proposed();
    if (proposed.indexes().isEmpty()) {
      return "<p>None pays: an index has to raise the score by 3 points, and to make a query five"
          + " times cheaper.</p>\n";
    }
    StringBuilder html = new StringBuilder();
    html.append(
        String.format(
            Locale.ROOT,
            "<p>Score %.0f ± %.1f with the indexes, %.0f ± %.1f without. %d rows are written for each; keys of"
                + " entries have %,.0f bytes a row.</p><table><thead><tr><th>Query<th>Read by<th>Entries"
                + " read for each row<th>Cost, ms<th>By the table, ms<th>The application adds</tr></thead>"
                + "<tbody>%n",
            proposed.score(),
            proposed.error(),
            proposed.table().score(),
            proposed.table().error(),
            proposed.writesPerRow(),
            proposed.entryBytes()));
    double most =
        proposed.queries().stream().mapToDouble(access -> access.table().cost()).max().orElse(1);
    for (QueryAccess access : proposed.queries()) {
      ProposedIndex index = access.index();
      html.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s<td><code>%s</code><td>%,.1f<td class=\"bars\">%s %,.2f<td>%,.2f<td>%s</tr>%n",
              Page.escaped(access.table().query().text()),
              Page.escaped(
                  index == null
                      ? "the table"
                      : index.index().name() + ": " + index.index().layout()),
              access.readAmplification(),
              Charts.bar(access.cost(), most),
              access.cost(),
              access.table().cost(),
              access.naming() == Naming.NOTHING
                  ? "nothing"
                  : "<code>." + Page.escaped(access.call("TABLE")) + "</code>"));
    }
    return html.append("</tbody></table>\n")
        .append(
            "<p class=\"quiet\">The client knows nothing of the data: it chooses by the condition"
                + " alone, and keeps the order of the table's key unless the application gives it"
                + " up.</p>\n")
        .toString();
  }

  private String notes() {
    StringBuilder html = new StringBuilder();
    Advice.Ranked winner = advice.winner();
    Stream.concat(winner.notes().stream(), winner.warnings().stream())
        .forEach(w -> html.append("<li>").append(Page.escaped(w)).append("</li>\n"));
    advice.remarks().forEach(r -> html.append("<li>").append(Page.escaped(r)).append("</li>\n"));
    advice
        .asGood()
        .forEach(
            other ->
                html.append("<li>Equally good in this sample: <code>")
                    .append(Page.escaped(other.line()))
                    .append("</code></li>\n"));
    return html.toString();
  }

  private String commands() {
    return Page.escaped(
        "evenkey plan TABLE --layout '"
            + advice.winner().line()
            + "' --families d\nevenkey create TABLE\nevenkey import TABLE --csv "
            + source
            + advice.proposed().indexes().stream()
                .map(index -> "\n" + DescribedIndex.addition("TABLE", index.index()))
                .collect(Collectors.joining()));
  }
}
