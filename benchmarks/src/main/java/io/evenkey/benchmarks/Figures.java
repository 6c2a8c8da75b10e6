/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** Figures of several rounds, and lines on standard output. */
final class Figures {
  private Figures() {}

  static double median(DoubleStream figures) {
    double[] sorted = figures.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  static void say(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
