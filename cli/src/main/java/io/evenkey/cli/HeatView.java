/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.heat.history.Finding;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.heat.history.SpanRate;
import io.evenkey.report.json.HeatJson;
import io.evenkey.report.json.RegionLoadJson;
import io.evenkey.report.json.SkewJson;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Shades;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Shows the load of a cluster by server, region and key on a terminal. */
final class HeatView {
  private static final int SHOWN = 20;
  private static final int BAR = 12;
  private static final int STRIP = 72;

  private final Console console;
  private final Recorder recorder;
  private final HotKeyView hotKeys;

  HeatView(Console console, Recorder recorder, HotKeyView hotKeys) {
    this.console = console;
    this.recorder = recorder;
    this.hotKeys = hotKeys;
  }

  /**
   * Shows the last reading.
   *
   * @throws IOException if the table does not exist
   */
  void show(@Nullable String given) throws IOException {
    String table = given == null ? null : recorder.name(given);
    if (table == null) {
      tables();
    } else {
      table(table);
      hotKeys.show(TableName.valueOf(table));
    }
    for (Finding finding : recorder.findings()) {
      if (table == null ? finding.severity() > 0 : table.equals(finding.table())) {
        console.out().println();
        console.say(finding.table() + ": " + finding.text());
      }
    }
  }

  private List<SpanRate> spans(String table) throws IOException {
    List<SpanRate> spans = recorder.now(table);
    if (spans.isEmpty()) {
      throw new EvenkeyException(
          "no such table, none of its regions is open, or a migration has left it: table=" + table);
    }
    return spans;
  }

  private void tables() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TABLE", "REGIONS", "WRITES/S", "SKEW", "READS/S", "SKEW", "MB", "KEYS"));
    for (String table : recorder.tables()) {
      List<SpanRate> spans = spans(table);
      rows.add(
          List.of(
              table,
              String.valueOf(spans.size()),
              figure(SpanRate.sum(spans, SpanRate::writes)),
              String.format(
                  Locale.ROOT,
                  "%.2f",
                  SpanRate.serverSkew(spans, SpanRate::writes, recorder.servers())),
              figure(SpanRate.sum(spans, SpanRate::reads)),
              String.format(
                  Locale.ROOT,
                  "%.2f",
                  SpanRate.serverSkew(spans, SpanRate::reads, recorder.servers())),
              figure(SpanRate.sum(spans, SpanRate::megabytes)),
              "[" + strip(spans, span -> span.reads() + span.writes(), STRIP / 3) + "]"));
    }
    console.table(rows);
  }

  private void table(String table) throws IOException {
    List<SpanRate> spans = spans(table);
    Layout layout = recorder.layouts().get(table);
    console.out().println(table + "  " + (layout == null ? "(no layout)" : layout));
    console
        .out()
        .printf(
            Locale.ROOT,
            "%s, %s MB; writes %s/s, skew %.2f over the servers; reads %s/s, skew %.2f%n%n",
            Amount.of(spans.size(), "region"),
            figure(SpanRate.sum(spans, SpanRate::megabytes)),
            figure(SpanRate.sum(spans, SpanRate::writes)),
            SpanRate.serverSkew(spans, SpanRate::writes, recorder.servers()),
            figure(SpanRate.sum(spans, SpanRate::reads)),
            SpanRate.serverSkew(spans, SpanRate::reads, recorder.servers()));
    console.out().println("writes [" + strip(spans, SpanRate::writes, STRIP) + "]");
    console.out().println("reads  [" + strip(spans, SpanRate::reads, STRIP) + "]");
    console.out().println("keys    " + axis(table, spans));
    console.out().println();
    List<SpanRate> hottest = new ArrayList<>(spans);
    hottest.sort(Comparator.comparingDouble(span -> -(span.reads() + span.writes())));
    double most = Math.max(1, hottest.get(0).reads() + hottest.get(0).writes());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("FROM " + recorder.fields(table), "SERVER", "WRITES/S", "READS/S", "MB", ""));
    for (SpanRate span : hottest.subList(0, Math.min(SHOWN, hottest.size()))) {
      rows.add(
          List.of(
              span.start().length == 0 ? "(first)" : recorder.values(table, span.start()),
              server(span.server()),
              figure(span.writes()),
              figure(span.reads()),
              figure(span.megabytes()),
              Shades.bar((span.reads() + span.writes()) / most, BAR)));
    }
    console.table(rows);
  }

  // Regions have equal widths: the labels show their boundaries.
  private static String strip(List<SpanRate> spans, ToDoubleFunction<SpanRate> what, int width) {
    int columns = Math.min(width, spans.size());
    double[] values = new double[columns];
    for (int i = 0; i < spans.size(); i++) {
      int column = (int) ((long) i * columns / spans.size());
      values[column] += what.applyAsDouble(spans.get(i));
    }
    double most = 0;
    for (double value : values) {
      most = Math.max(most, value);
    }
    return Shades.strip(values, Math.max(most, 1));
  }

  private String axis(String table, List<SpanRate> spans) {
    int columns = Math.min(STRIP, spans.size());
    String middle = recorder.label(table, spans.get(spans.size() / 2).start());
    String last = recorder.label(table, spans.get(spans.size() - 1).start());
    if (columns < STRIP / 2 || middle.length() + last.length() > columns) {
      return "first … " + last;
    }
    int at = columns / 2 - middle.length() / 2;
    return "first"
        + " ".repeat(Math.max(1, at - 5))
        + middle
        + " ".repeat(Math.max(1, columns - at - middle.length() - last.length()))
        + last;
  }

  /** Host and port of a server's name. */
  static String server(String name) {
    return name.replaceFirst("^([^,]*),(\\d+),.*$", "$1:$2");
  }

  static String figure(double value) {
    return String.format(Locale.ROOT, value < 10 && value > 0 ? "%.1f" : "%,.0f", value);
  }

  /** Prints the last reading as JSON. */
  void json(@Nullable String given) throws IOException {
    List<HeatJson.TableHeat> tables = new ArrayList<>();
    for (String name : given == null ? recorder.tables() : List.of(recorder.name(given))) {
      List<SpanRate> spans = spans(name);
      tables.add(
          new HeatJson.TableHeat(
              name,
              SkewJson.of(SpanRate.serverSkew(spans, SpanRate::writes, recorder.servers())),
              SkewJson.of(SpanRate.serverSkew(spans, SpanRate::reads, recorder.servers())),
              spans.stream()
                  .map(span -> RegionLoadJson.of(span, recorder.label(name, span.start())))
                  .toList(),
              given == null ? null : hotKeys.json(TableName.valueOf(given))));
    }
    console.json(new HeatJson(tables, recorder.findings()));
  }
}
