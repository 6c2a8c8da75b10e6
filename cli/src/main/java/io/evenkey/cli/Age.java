/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How long ago something was, in the largest unit of which there are two. Stateless. */
final class Age {
  private Age() {}

  /** The age in words, such as {@code 90 s ago} or {@code 3 h ago}. */
  static String of(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    // Clocks of two machines differ.
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return text(seconds, "s");
    }
    if (age.toMinutes() < 120) {
      return text(age.toMinutes(), "min");
    }
    return age.toHours() < 48 ? text(age.toHours(), "h") : text(age.toDays(), "days");
  }

  private static String text(long number, String unit) {
    return String.format(Locale.ROOT, "%,d %s ago", number, unit);
  }
}
