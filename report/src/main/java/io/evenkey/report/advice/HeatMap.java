/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.advice;

import java.util.Locale;

/**
 * A heat map of the writes: time from left to right, the key space from top to bottom, one row per
 * region; a stronger colour is a larger share of the window's writes. An SVG for a page that
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
   * @param title a description for screen readers
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
        // An even share is one divided by the regions; the colour saturates at four times that.
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
