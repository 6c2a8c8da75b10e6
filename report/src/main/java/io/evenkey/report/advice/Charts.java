/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.advice;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The other drawings of a report; SVGs for a page that defines the colours. Stateless. */
final class Charts {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 180;
  private static final int LEFT = 44;
  private static final int BOTTOM = 22;

  private Charts() {}

  /**
   * A point of a plot.
   *
   * @param label a few letters beside it
   * @param meaning the point's meaning
   * @param best whether no other point is better in both directions
   */
  record Point(double x, double y, String label, String meaning, boolean best) {}

  /** Lines over time, each from the first window to the last; numbered from 1. */
  static String lines(Map<String, double[]> series, double most, String unit) {
    StringBuilder svg = begin("skew of the writes over time");
    axis(svg, most, unit);
    int number = 0;
    for (double[] values : series.values()) {
      StringBuilder points = new StringBuilder();
      for (int i = 0; i < values.length; i++) {
        double x = LEFT + (WIDTH - LEFT) * (i + 0.5) / values.length;
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(values[i], most)));
      }
      svg.append(
          String.format(
              "<polyline class=\"line s%d\" points=\"%s\"/>",
              number++ % 6, points.toString().strip()));
    }
    return svg.append("</svg>").toString();
  }

  /** Writes against reads; left and up is better. Labels of coinciding points are joined. */
  static String plot(List<Point> points, double mostX, double mostY) {
    StringBuilder svg = begin("skew of the writes against how good the reads are");
    axis(svg, mostY, " %");
    Map<String, List<String>> labels = new LinkedHashMap<>();
    for (Point point : points) {
      double x = LEFT + (WIDTH - LEFT - 60) * (point.x() - 1) / Math.max(0.1, mostX - 1) + 8;
      double y = y(point.y(), mostY);
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s</title></circle>",
              point.best() ? "best" : "other",
              x,
              y,
              Page.escaped(point.meaning())));
      String place =
          String.format(
              Locale.ROOT,
              "x=\"%d\" y=\"%d\"",
              Math.round(x / 20) * 20 + 14,
              Math.round(y / 14) * 14 + 4);
      labels.computeIfAbsent(place, p -> new ArrayList<>()).add(point.label());
    }
    labels.forEach(
        (place, at) ->
            svg.append("<text ")
                .append(place)
                .append('>')
                .append(String.join(", ", at))
                .append("</text>"));
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\">skew 1</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">skew"
                + " %.1f</text>",
            LEFT,
            HEIGHT - 6,
            WIDTH,
            HEIGHT - 6,
            mostX));
    return svg.append("</svg>").toString();
  }

  /**
   * A bar with a length on a logarithmic scale up to the most, since the number of ranges goes from
   * 1 to 65,536.
   */
  static String bar(double value, double most) {
    double share = most <= 1 ? 1 : Math.log1p(value) / Math.log1p(most);
    return String.format(
        Locale.ROOT, "<span class=\"bar\" style=\"width:%.1f%%\"></span>", 100 * share);
  }

  private static StringBuilder begin(String title) {
    return new StringBuilder(
        String.format(
            "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
            WIDTH, HEIGHT, title));
  }

  private static void axis(StringBuilder svg, double most, String unit) {
    for (int i = 0; i <= 2; i++) {
      double value = most * i / 2;
      svg.append(
          String.format(
              Locale.ROOT,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s%s</text>",
              LEFT,
              WIDTH,
              y(value, most),
              y(value, most),
              LEFT - 4,
              y(value, most) + 4,
              value < 10
                  ? String.format(Locale.ROOT, "%.1f", value)
                  : String.format(Locale.ROOT, "%.0f", value),
              i == 2 ? unit : ""));
    }
  }

  private static double y(double value, double most) {
    return 10 + (HEIGHT - BOTTOM - 10) * (1 - Math.min(1, value / Math.max(1e-9, most)));
  }
}
