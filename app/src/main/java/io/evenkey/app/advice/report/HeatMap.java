package io.evenkey.app.advice.report;

import java.util.Locale;

/**
 * Where the writes go: time from left to right, the key space from top to bottom, a row a region,
 * the stronger the colour the larger the region's share of the moment. An SVG for a page that
 * defines the colours. Stateless.
 */
final class HeatMap {
  private static final int WIDTH = 640;
  private static final int ROW = 8;

  private HeatMap() {}

  /**
   * Draws.
   *
   * @param heat rows by window and region
   * @param title what it is of, for those who cannot see it
   */
  static String svg(int[][] heat, String title) {
    int windows = heat.length;
    int regions = heat[0].length;
    double cell = (double) WIDTH / windows;
    int row = Math.max(3, Math.min(ROW, 160 / regions));
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg class=\"heat\" viewBox=\"0 0 %d %d\" role=\"img\" preserveAspectRatio=\"none\""
                + " aria-label=\"%s\">",
            WIDTH,
            row * regions,
            title));
    for (int w = 0; w < windows; w++) {
      int total = 0;
      for (int count : heat[w]) {
        total += count;
      }
      for (int r = 0; r < regions; r++) {
        // An even share is a region's part of one; four times that is the hottest that is shown.
        double share = total == 0 ? 0 : (double) heat[w][r] * regions / total;
        double strength = Math.min(1, share / 4);
        if (strength > 0.01) {
          svg.append(
              String.format(
                  Locale.ROOT,
                  "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" opacity=\"%.2f\"/>",
                  w * cell,
                  r * row,
                  cell + 0.3,
                  row,
                  strength));
        }
      }
    }
    return svg.append("</svg>").toString();
  }
}
