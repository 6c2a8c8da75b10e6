/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.Locale;

/** The measures of a span of the key space. */
public enum Measure {
  /** Read requests per second. */
  READS("reads/s"),
  /** Write requests per second. */
  WRITES("writes/s"),
  /** Size in store files and memstore: a level, not a rate, in HBase's whole megabytes. */
  BYTES("MB");

  /** The number of measures. */
  static final int COUNT = 3;

  private final String unit;

  Measure(String unit) {
    this.unit = unit;
  }

  /** Its unit, for display. */
  public String unit() {
    return unit;
  }

  /** The index of its values in an array of all measures. */
  int at() {
    return switch (this) {
      case READS -> 0;
      case WRITES -> 1;
      case BYTES -> 2;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
