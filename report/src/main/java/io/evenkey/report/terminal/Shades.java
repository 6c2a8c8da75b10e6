/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

import java.util.Locale;

/** Numbers as characters. Stateless. */
public final class Shades {
  private static final String LEVELS = " ░▒▓█";
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private Shades() {}

  /**
   * One character for each value, from a blank for 0 to a full block for {@code most}; any value
   * above 0 is visible.
   */
  public static String strip(double[] values, double most) {
    StringBuilder strip = new StringBuilder(values.length);
    for (double value : values) {
      int level = (int) Math.round(value / most * (LEVELS.length() - 1));
      int least = value > 0 ? 1 : 0;
      strip.append(LEVELS.charAt(Math.max(least, Math.min(level, LEVELS.length() - 1))));
    }
    return strip.toString();
  }

  /** A bar of up to {@code width} characters; {@code share} is from 0 to 1. */
  public static String bar(double share, int width) {
    int eighths = (int) Math.round(Math.max(0, Math.min(1, share)) * width * 8);
    String bar = "█".repeat(eighths / 8);
    return eighths % 8 == 0 ? bar : bar + EIGHTHS.charAt(eighths % 8);
  }

  /** A share as a percentage with one decimal. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%5.1f %%", 100 * share);
  }
}
