/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

import java.time.Duration;
import java.util.Locale;

/** Amounts in the units that people think in. Stateless. */
public final class Amount {
  private static final int EXACT_BELOW = 10;
  private static final double KILO = 1_000;
  private static final double GIGABYTE = 1_024;
  private static final int MINUTE = 60;

  private Amount() {}

  /** A count of things. */
  public static String of(long count, String thing) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? thing : plural(thing));
  }

  private static String plural(String thing) {
    return thing.endsWith("ry") ? thing.substring(0, thing.length() - 1) + "ies" : thing + "s";
  }

  /** A count that is only roughly known: two digits of it. */
  public static String rounded(long count) {
    long unit = 1;
    while (count / unit >= EXACT_BELOW * EXACT_BELOW) {
      unit *= EXACT_BELOW;
    }
    return String.format(Locale.ROOT, "%,d", Math.round((double) count / unit) * unit);
  }

  /** A size. */
  public static String megabytes(double megabytes) {
    if (megabytes < 1) {
      return "less than 1 MB";
    } else if (megabytes < KILO) {
      return decimal(megabytes) + " MB";
    }
    double gigabytes = megabytes / GIGABYTE;
    return gigabytes < KILO ? decimal(gigabytes) + " GB" : decimal(gigabytes / GIGABYTE) + " TB";
  }

  private static String decimal(double number) {
    boolean whole = number >= EXACT_BELOW || number == Math.rint(number);
    return String.format(Locale.ROOT, whole ? "%,.0f" : "%.1f", number);
  }

  /** A time. */
  public static String time(Duration time) {
    double seconds = time.toMillis() / KILO;
    if (seconds < 2 * MINUTE) {
      return decimal(seconds) + " s";
    }
    double minutes = seconds / MINUTE;
    return minutes < 2 * MINUTE ? decimal(minutes) + " min" : decimal(minutes / MINUTE) + " h";
  }
}
