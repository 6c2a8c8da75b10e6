/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Family;
import io.evenkey.advisor.GrowthPlan;
import io.evenkey.advisor.IndexedTable;
import io.evenkey.advisor.Naming;
import io.evenkey.advisor.ProposedIndex;
import io.evenkey.advisor.QueryAccess;
import io.evenkey.advisor.evaluate.Evaluation;
import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.evaluate.SliceFigures;
import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.sample.Column;
import io.evenkey.cli.validation.Validation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.report.json.AdviceJson;
import io.evenkey.report.json.DescribedIndex;
import io.evenkey.report.sample.RecordSample;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Shell;
import java.io.PrintStream;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints advice as text or JSON. */
final class AdviceView {
  /** Sentences stand behind labels. */
  private static final int LABEL = 10;

  /** A layout with a score lower by more points is no alternative. */
  private static final double NOT_WORTH_A_LOOK = 20;

  private static final double LONG_MS = 10_000;
  private static final int MOST_COLUMNS = 30;

  private final Console console;
  private final @Nullable LocalDate growsFrom;
  private final @Nullable Existing table;

  /** A table whose rows were sampled. */
  record Existing(String name, Layout layout) {}

  /**
   * A view.
   *
   * @param growsFrom the day from which steps for the workload's growth are planned; null for none
   * @param table the table that gets the advice; null for records of a file
   */
  AdviceView(Console console, @Nullable LocalDate growsFrom, @Nullable Existing table) {
    this.console = console;
    this.growsFrom = growsFrom;
    this.table = table;
  }

  void print(Advice advice, Map<String, List<Validation.Line>> validated, double seconds) {
    PrintStream out = console.out();
    understood(advice);
    out.println();
    if (!advice.unserved().isEmpty()) {
      advice.unserved().forEach(query -> out.println("unserved  " + query));
      out.println();
    }
    boolean set = !advice.proposed().indexes().isEmpty();
    console.say(
        (set
                ? "The advised table with its indexes, then tables without indexes, best first: "
                : "The advised layout, then the others, best first: ")
            + "score; skew of the writes over servers (1 is even, "
            + advice.workload().servers()
            + " one server) as mean, 99th percentile, worst window; for each query ranges opened, and"
            + " rows read for each returned");
    out.println();
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("SCORE", "SKEW", "P99", "MAX"));
    for (int q = 1; q <= advice.workload().queries().size(); q++) {
      head.add("Q" + q);
    }
    head.add("KEY");
    head.add("LAYOUT");
    rows.add(head);
    if (set) {
      rows.add(row(advice.proposed()));
    }
    advice.withoutIndexes().forEach(ranked -> rows.add(row(ranked)));
    Advice.Ranked plain = advice.baseline();
    if (advice.ranked().stream().noneMatch(one -> one.line().equals(plain.line()))) {
      rows.add(row(plain));
    }
    console.table(rows);
    out.println();
    why(advice);
    validated(validated);
    out.println();
    out.println(considered(advice, seconds));
  }

  private static String considered(Advice advice, double seconds) {
    StringBuilder line = new StringBuilder();
    line.append(Amount.of(advice.considered(), "layout")).append(" considered");
    if (advice.refused() > 0) {
      line.append(
          String.format(Locale.ROOT, ", %,d of them cannot hold the data", advice.refused()));
    }
    if (advice.pruned() > 0) {
      line.append(
          String.format(Locale.ROOT, ", %,d discarded after a first pass", advice.pruned()));
    }
    return line.append(", in ").append(about(seconds)).append(" s").toString();
  }

  private void validated(Map<String, List<Validation.Line>> validated) {
    if (validated.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("LAYOUT", "FIGURE", "PREDICTED", "COUNTED BY HBASE", "OFF BY"));
    validated.forEach(
        (layout, lines) ->
            lines.forEach(
                line ->
                    rows.add(
                        List.of(
                            layout,
                            line.what(),
                            String.format(Locale.ROOT, "%,.2f", line.predicted()),
                            String.format(Locale.ROOT, "%,.2f", line.counted()),
                            String.format(Locale.ROOT, "%.1f %%", 100 * line.error())))));
    console.out().println();
    console.table(rows);
  }

  private void understood(Advice advice) {
    PrintStream out = console.out();
    out.printf(
        Locale.ROOT,
        "records   %,d%s%n",
        advice.sample().records(),
        advice.sample().isWhole()
            ? ""
            : String.format(Locale.ROOT, ", of which %,d are measured", advice.sample().size()));
    out.println("columns   " + columns(advice));
    out.printf(
        Locale.ROOT,
        "load      %,.0f writes/s, %s%s, %s of values a row, %s%n",
        advice.workload().writesPerSecond(),
        Amount.of(Math.round(advice.workload().rows()), "row"),
        advice.workload().growth() == 1
            ? ""
            : String.format(Locale.ROOT, ", times %.1f a year", advice.workload().growth()),
        Amount.of(advice.workload().valueBytes(), "byte"),
        Amount.of(advice.workload().servers(), "server"));
    int number = 1;
    for (Query query : advice.workload().queries()) {
      out.printf(
          Locale.ROOT,
          "Q%-8d %s   (%.0f %%)%n",
          number++,
          query.text(),
          100 * query.weight() / advice.workload().weight());
    }
  }

  /** The columns, of many those that the queries name and the first others. */
  private static String columns(Advice advice) {
    Set<String> named = RecordSample.columns(advice.workload());
    List<Column> columns = advice.sample().columns();
    int shown = Math.max(MOST_COLUMNS, named.size());
    if (columns.size() <= shown) {
      return columns.stream().map(AdviceView::column).collect(Collectors.joining(", "));
    }
    return columns.stream()
            .sorted(Comparator.comparing(column -> !named.contains(column.name())))
            .limit(shown)
            .map(AdviceView::column)
            .collect(Collectors.joining(", "))
        + String.format(Locale.ROOT, " and %,d more", columns.size() - shown);
  }

  private static String column(Column column) {
    return column.name()
        + ":"
        + column.keyType()
        + " ("
        + Amount.of(column.values().size(), "value")
        + ")";
  }

  private static List<String> row(IndexedTable set) {
    Evaluation table = set.table().evaluation();
    List<String> row = new ArrayList<>(writes(table, set.score()));
    for (QueryAccess access : set.queries()) {
      QueryFigures entries = access.entries();
      double ranges = entries == null ? access.table().fanOut() : entries.fanOut();
      row.add(
          figure(ranges)
              + " × "
              + figure(access.readAmplification())
              + (access.table().backwards() && entries == null ? " ←" : ""));
    }
    row.add(String.format(Locale.ROOT, "%.0f B", table.keyBytes()));
    int indexes = set.indexes().size();
    row.add(set.table().line() + ", with " + (indexes == 1 ? "an index" : indexes + " indexes"));
    return row;
  }

  private static List<String> writes(Evaluation evaluation, double score) {
    return List.of(
        score(score),
        String.format(Locale.ROOT, "%.2f", evaluation.writes().mean()),
        String.format(Locale.ROOT, "%.2f", evaluation.writes().p99()),
        String.format(Locale.ROOT, "%.2f", evaluation.writes().max()));
  }

  private static List<String> row(Advice.Ranked ranked) {
    Evaluation evaluation = ranked.evaluation();
    List<String> row = new ArrayList<>(writes(evaluation, ranked.score()));
    for (QueryFigures figures : evaluation.queries()) {
      row.add(
          figure(figures.fanOut())
              + " × "
              + figure(figures.readAmplification())
              + (figures.backwards() ? " ←" : ""));
    }
    row.add(String.format(Locale.ROOT, "%.0f B", evaluation.keyBytes()));
    row.add(ranked.line());
    return row;
  }

  /** Scores that are ranked as equal are shown as equal. */
  private static String score(double score) {
    return String.format(Locale.ROOT, "%.0f", Math.round(10 * score) / 10.0);
  }

  private static String score(double score, double error) {
    return error < 0.05
        ? score(score)
        : String.format(Locale.ROOT, "%s ± %.1f", score(score), error);
  }

  private static String figure(double value) {
    return value < 9.95
        ? String.format(Locale.ROOT, "%.1f", value)
        : String.format(Locale.ROOT, "%,.0f", value);
  }

  /** An estimate: two digits. */
  private static String about(double value) {
    if (value < 0.095) {
      return String.format(Locale.ROOT, "%.2g", value);
    }
    double step = Math.pow(10, Math.floor(Math.log10(value)) - 1);
    double rounded = Math.round(value / step) * step;
    return String.format(
        Locale.ROOT, rounded < 1 ? "%.2f" : rounded < 10 ? "%.1f" : "%,.0f", rounded);
  }

  private void why(Advice advice) {
    PrintStream out = console.out();
    Advice.Ranked winner = advice.winner();
    Advice.Ranked plain = advice.baseline();
    out.println("Advice    " + winner.line());
    // Of too few records the figures say nothing, as the note about them does.
    boolean byChance = winner.evaluation().writes().byChance();
    if (!byChance && winner.line().equals(plain.line())) {
      sentence(withoutSpread(advice));
    } else if (!byChance) {
      sentence(gain(winner.evaluation(), plain.evaluation(), advice.workload().servers()));
    }
    double rowBytes = winner.evaluation().keyBytes() + advice.workload().valueBytes();
    double gigabytes = rowBytes * advice.workload().rows() / 1e9;
    double inAYear = gigabytes * advice.workload().growth();
    String now = about(gigabytes);
    String then = about(inAYear);
    String ofABillion = about(rowBytes);
    sentence(
        ofABillion
            + " GB of keys and values for a billion rows"
            + (now.equals(ofABillion) ? "" : "; " + now + " GB in all")
            + (now.equals(then) ? "" : ", " + then + " GB a year on")
            + ": "
            + Amount.of(
                RegionCount.of(
                        new TableLoad(
                            inAYear, TableLoad.Weight.EVEN, 0, advice.workload().servers()))
                    .regions(),
                "region")
            + " by the rules of 'evenkey size'");
    String first = duration(winner.evaluation().secondsToFirstSplit(advice.workload()));
    String unspread = duration(plain.evaluation().secondsToFirstSplit(advice.workload()));
    sentence(
        String.format(
            Locale.ROOT,
            "First region of 10 GB after %s at %,.0f writes/s%s",
            first,
            advice.workload().writesPerSecond(),
            first.equals(unspread) ? "" : ", after " + unspread + " without a spread"));
    indexes(advice.proposed(), rowBytes);
    slices(advice);
    growth(advice);
    List<Advice.Ranked> asGood = advice.asGood();
    if (!asGood.isEmpty() && !byChance) {
      out.println(
          "          Equally good in this sample: "
              + asGood.stream().map(Advice.Ranked::line).collect(Collectors.joining(" · ")));
    }
    winner.warnings().forEach(warning -> console.say("warning", LABEL, warning));
    Stream.concat(winner.notes().stream(), advice.remarks().stream())
        .forEach(note -> console.say("note", LABEL, note));
    out.println("next      " + next(winner.line()));
    String name = table == null ? "TABLE" : table.name();
    advice
        .proposed()
        .indexes()
        .forEach(index -> out.println("          " + DescribedIndex.addition(name, index.index())));
  }

  /** The command that takes the advice. */
  private String next(String line) {
    if (table == null) {
      return "evenkey plan TABLE --layout "
          + Shell.quoted(line)
          + " --families d && evenkey create TABLE";
    }
    // Rows that the sample does not have may need the fields that the advice leaves out.
    List<String> advised = names(Layout.parse(line));
    String whole =
        line
            + table.layout().fields().stream()
                .filter(field -> !advised.contains(field.name()))
                .map(field -> " + " + field)
                .collect(Collectors.joining());
    if (table.layout().toString().equals(whole)) {
      return "nothing: the table has this layout";
    }
    String migrate = "evenkey migrate " + table.name() + " --layout " + Shell.quoted(whole);
    if (Layout.parse(whole).key().toString().equals(table.layout().key().toString())) {
      return migrate;
    }
    List<String> present = names(table.layout());
    String from =
        advised.stream()
            .filter(field -> !present.contains(field))
            .map(field -> Quoted.name(field) + "=FAMILY:QUALIFIER")
            .collect(Collectors.joining(","));
    return migrate + " --change-key" + (from.isEmpty() ? "" : " --from " + Shell.quoted(from));
  }

  private static List<String> names(Layout layout) {
    return layout.fields().stream().map(Field::name).toList();
  }

  private void sentence(String text) {
    if (!text.isEmpty()) {
      console.say("", LABEL, text);
    }
  }

  private static String milliseconds(double cost) {
    return cost < LONG_MS ? about(cost) + " ms" : about(cost / 60_000) + " minutes";
  }

  private static String withoutSpread(Advice advice) {
    double skew = advice.winner().evaluation().writes().mean();
    double least =
        advice.ranked().stream()
            .mapToDouble(one -> one.evaluation().writes().mean())
            .min()
            .orElse(skew);
    String even = String.format(Locale.ROOT, "%.1f", least);
    String now = String.format(Locale.ROOT, "%.1f", skew);
    return now.equals(even)
        ? "No spread: the writes are as even as they get (skew " + now + ")"
        : "No spread: the writes have skew "
            + now
            + "; layouts with less, down to "
            + even
            + ", gain too little for what they complicate";
  }

  /** The effect of the spread on writes; empty if none was measured. */
  private static String gain(Evaluation winner, Evaluation plain, int servers) {
    String with = String.format(Locale.ROOT, "%.1f", winner.writes().mean());
    String without = String.format(Locale.ROOT, "%.1f", plain.writes().mean());
    if (with.equals(without)) {
      return "";
    }
    String busy = String.format(Locale.ROOT, "%.1f", winner.writes().parallelism());
    String before = String.format(Locale.ROOT, "%.1f", plain.writes().parallelism());
    return "Skew "
        + with
        + " instead of "
        + without
        + " without a spread"
        + (busy.equals(before)
            ? ""
            : ": " + busy + " of " + servers + " servers work at once instead of " + before);
  }

  private void indexes(IndexedTable proposed, double rowBytes) {
    if (proposed.indexes().isEmpty()) {
      return;
    }
    console.say(
        "indexes",
        LABEL,
        String.format(
            Locale.ROOT,
            "Score %s with them, %s without. %d rows are written for each: %s bytes of keys more,"
                + " for a row of %s",
            score(proposed.score(), proposed.error()),
            score(proposed.table().score(), proposed.table().error()),
            proposed.writesPerRow(),
            about(proposed.entryBytes()),
            about(rowBytes)));
    for (int q = 0; q < proposed.queries().size(); q++) {
      QueryAccess access = proposed.queries().get(q);
      ProposedIndex index = access.index();
      QueryFigures entries = access.entries();
      if (index != null && entries != null) {
        String cost = milliseconds(access.cost());
        String byTable = milliseconds(access.table().cost());
        sentence(
            String.format(
                Locale.ROOT,
                "Q%d by %s: %s ranges, %s entries read and %s rows fetched for each returned; %s;"
                    + " %s",
                q + 1,
                index.index().name(),
                figure(entries.fanOut()),
                figure(access.readAmplification()),
                figure(access.rowsFetched() / Math.max(1, access.table().rowsReturned())),
                cost.equals(byTable) ? cost : cost + " instead of " + byTable,
                choice(access)));
      } else {
        sentence("Q" + (q + 1) + " by the table: " + choice(access));
      }
    }
  }

  private static String choice(QueryAccess access) {
    return access.naming() == Naming.NOTHING
        ? "the client chooses that by itself"
        : "the application has to call " + access.call("TABLE");
  }

  private Optional<GrowthPlan> growthPlan(Advice advice) {
    Layout winner = advice.winner().evaluation().candidate().layout();
    return Optional.ofNullable(growsFrom)
        .flatMap(day -> GrowthPlan.of(winner, advice.workload().growth(), day));
  }

  private void growth(Advice advice) {
    if (growsFrom == null) {
      return;
    }
    GrowthPlan plan = growthPlan(advice).orElse(null);
    PrintStream out = console.out();
    if (plan == null) {
      out.println(
          "growth    no steps: the layout has no salt that can have them, or no timestamp or date");
      return;
    }
    out.printf(
        Locale.ROOT,
        "growth    times %.2f a year, for %d years%s: %s%n",
        advice.workload().growth(),
        GrowthPlan.YEARS,
        plan.complete() ? "" : " as far as the width of the salt allows (option as leaves room)",
        plan.layout());
    StepRows.all(plan.layout()).forEach(step -> out.println("          " + step));
    if (!plan.layout().steps().isNone()) {
      out.println(
          "          Create the table with these steps, or take each before its month: evenkey grow"
              + " TABLE --buckets N --from DATE --yes");
    }
  }

  private void slices(Advice advice) {
    Advice.Ranked best = advice.families().get(Family.SLICES);
    SliceFigures slices = best == null ? null : best.evaluation().slices();
    if (best == null
        || slices == null
        || best.score() < advice.proposed().score() - NOT_WORTH_A_LOOK) {
      return;
    }
    double writesPerSecond = advice.workload().writesPerSecond();
    String windows =
        slices.windows().stream()
            .map(
                window ->
                    String.format(
                        Locale.ROOT,
                        "%d s %.2f (at most %.2f)",
                        window.seconds(),
                        window.mean(),
                        window.max()))
            .collect(Collectors.joining(", "));
    console.say(
        "slices",
        LABEL,
        String.format(
            Locale.ROOT,
            "%s, score %.0f: at %,.0f writes/s each of the %d buckets of a slice takes %s/s while it"
                + " lasts%s",
            best.line(),
            best.score(),
            writesPerSecond,
            slices.buckets(),
            about(slices.writesPerBucket(writesPerSecond)),
            windows.isEmpty() ? "" : "; skew in windows of " + windows));
  }

  private static String duration(double seconds) {
    if (seconds < 2 * 3600) {
      return about(seconds / 60) + " minutes";
    }
    return seconds < 48 * 3600
        ? about(seconds / 3600) + " hours"
        : about(seconds / 86_400) + " days";
  }

  void json(Advice advice, Map<String, List<Validation.Line>> validated, double seconds) {
    Map<String, List<AdviceJson.ValidatedFigure>> counted = new LinkedHashMap<>();
    validated.forEach(
        (layout, lines) ->
            counted.put(
                layout,
                lines.stream()
                    .map(
                        line ->
                            new AdviceJson.ValidatedFigure(
                                line.what(), line.predicted(), line.counted(), line.error()))
                    .toList()));
    console.json(
        AdviceJson.of(
            advice,
            growsFrom == null
                ? null
                : AdviceJson.PlannedGrowth.of(
                    advice.workload().growth(), growthPlan(advice).orElse(null)),
            counted.isEmpty() ? null : counted,
            seconds));
  }
}
