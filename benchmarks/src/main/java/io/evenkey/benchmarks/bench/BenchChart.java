/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A chart of the figures of a comparison: a panel for each task, buckets from left to right, a line
 * for each side. One self-contained SVG, readable on any background.
 */
final class BenchChart {
  private static final int COLUMNS = 3;
  private static final int WIDTH = 300;
  private static final int HEIGHT = 200;
  private static final int LEFT = 52;
  private static final int RIGHT = 14;
  private static final int TOP = 34;
  private static final int BOTTOM = 30;
  private static final int LEGEND = 30;

  private BenchChart() {}

  /**
   * One panel of the chart.
   *
   * @param title the panel's heading
   * @param lines by side, figures by buckets
   */
  private record Panel(String title, Map<String, Map<Integer, Double>> lines) {}

  /** Draws runs; runs with the same name share one panel, and their skews another. */
  public static String svg(List<BenchRun> runs) {
    List<Panel> panels = new ArrayList<>();
    Map<String, List<BenchRun>> byName = new LinkedHashMap<>();
    runs.forEach(run -> byName.computeIfAbsent(run.name(), name -> new ArrayList<>()).add(run));
    byName.forEach(
        (name, group) -> {
          String unit = group.get(0).unit();
          panels.add(panel(name + ", " + unit, group, BenchRun.Figures::value));
          if (group.get(0).figures().values().stream().anyMatch(f -> f.serverSkew() != null)) {
            panels.add(panel(name + ", skew over servers", group, BenchChart::skew));
          }
        });
    int rows = (panels.size() + COLUMNS - 1) / COLUMNS;
    int width = Math.max(2, Math.min(COLUMNS, panels.size())) * WIDTH;
    int height = rows * HEIGHT + LEGEND;
    StringBuilder svg = new StringBuilder();
    svg.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\""
                + " font-size=\"11\">%n<title>Figures by the number of buckets</title>%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
            width, height, width, height));
    legend(svg, panels);
    for (int i = 0; i < panels.size(); i++) {
      int x = i % COLUMNS * WIDTH;
      int y = LEGEND + i / COLUMNS * HEIGHT;
      svg.append(format("<g transform=\"translate(%d %d)\">%n", x, y));
      draw(svg, panels.get(i));
      svg.append(format("</g>%n"));
    }
    return svg.append("</svg>\n").toString();
  }

  private static double skew(BenchRun.Figures figures) {
    Double skew = figures.serverSkew();
    return skew == null ? Double.NaN : skew;
  }

  private static Panel panel(
      String title, List<BenchRun> runs, ToDoubleFunction<BenchRun.Figures> value) {
    Map<String, Map<Integer, Double>> lines = new LinkedHashMap<>();
    for (String side : BenchRun.SIDES) {
      Map<Integer, Double> line = new LinkedHashMap<>();
      for (BenchRun run : runs) {
        BenchRun.Figures figures = run.figures().get(side);
        double figure = figures == null ? Double.NaN : value.applyAsDouble(figures);
        if (!Double.isNaN(figure)) {
          line.put(run.buckets(), figure);
        }
      }
      if (!line.isEmpty()) {
        lines.put(side, line);
      }
    }
    return new Panel(title, lines);
  }

  /** Colours by Okabe and Ito, which colour-blind readers can distinguish, on white. */
  private static String colour(String side) {
    return switch (side) {
      case "evenkey" -> "#0072b2";
      case "client" -> "#56b4e9";
      case "naive" -> "#d55e00";
      case "phoenix" -> "#009e73";
      default -> "#000000";
    };
  }

  private static void legend(StringBuilder svg, List<Panel> panels) {
    int x = LEFT;
    for (String side : BenchRun.SIDES) {
      if (panels.stream().noneMatch(panel -> panel.lines.containsKey(side))) {
        continue;
      }
      svg.append(
          format(
              "<line x1=\"%d\" y1=\"16\" x2=\"%d\" y2=\"16\" stroke=\"%s\" stroke-width=\"2.5\"/>"
                  + "<text x=\"%d\" y=\"20\" fill=\"#222222\">%s</text>%n",
              x, x + 18, colour(side), x + 24, side));
      x += 90;
    }
    svg.append(format("<text x=\"%d\" y=\"20\" fill=\"#666666\">by number of buckets</text>%n", x));
  }

  private static void draw(StringBuilder svg, Panel panel) {
    double most = 0;
    int last = 1;
    for (Map<Integer, Double> line : panel.lines.values()) {
      for (Map.Entry<Integer, Double> point : line.entrySet()) {
        most = Math.max(most, point.getValue());
        last = Math.max(last, point.getKey());
      }
    }
    double top = roundUp(most);
    int bottom = HEIGHT - BOTTOM;
    svg.append(
        format(
            "<text x=\"%d\" y=\"%d\" fill=\"#222222\" font-weight=\"bold\">%s</text>%n",
            LEFT, TOP - 12, panel.title));
    for (int i = 0; i <= 2; i++) {
      double value = top * i / 2;
      double y = bottom - (bottom - TOP) * i / 2.0;
      svg.append(
          format(
              "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" fill=\"#666666\" text-anchor=\"end\">%s</text>%n",
              LEFT, y, WIDTH - RIGHT, y, LEFT - 5, y + 4, label(value)));
    }
    for (int buckets = 1; buckets <= last; buckets *= 4) {
      svg.append(
          format(
              "<text x=\"%.1f\" y=\"%d\" fill=\"#666666\" text-anchor=\"middle\">%d</text>%n",
              x(buckets, last), bottom + 15, buckets));
    }
    for (Map.Entry<String, Map<Integer, Double>> line : panel.lines.entrySet()) {
      String colour = colour(line.getKey());
      StringBuilder points = new StringBuilder();
      for (Map.Entry<Integer, Double> point : line.getValue().entrySet()) {
        double x = x(point.getKey(), last);
        double y = bottom - (bottom - TOP) * point.getValue() / top;
        points.append(format("%.1f,%.1f ", x, y));
        svg.append(
            format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>%n", x, y, colour));
      }
      svg.append(
          format(
              "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>%n",
              points.toString().strip(), colour));
    }
  }

  private static double x(int buckets, int last) {
    double share = last == 1 ? 0.5 : Math.log(buckets) / Math.log(last);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  /** Rounds up to a digit times a power of ten whose half is also a round number. */
  private static double roundUp(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
    for (double step : new double[] {1, 2, 4, 6, 8}) {
      if (value <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private static String label(double value) {
    if (value >= 1e6) {
      return format("%.1f M", value / 1e6);
    }
    if (value >= 1e3) {
      return format("%.0f k", value / 1e3);
    }
    return value == Math.rint(value) ? format("%.0f", value) : format("%.1f", value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
