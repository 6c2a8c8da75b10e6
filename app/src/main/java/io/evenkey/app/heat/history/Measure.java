package io.evenkey.app.heat.history;

import java.util.Locale;

/** What is measured of a part of the key space. */
public enum Measure {
  /** Read requests a second. */
  READS("reads/s"),
  /** Write requests a second. */
  WRITES("writes/s"),
  /**
   * Megabytes held, in files and in memory: a level, not a rate, and whole ones as HBase counts.
   */
  BYTES("MB");

  /** How many there are. */
  static final int COUNT = 3;

  private final String unit;

  Measure(String unit) {
    this.unit = unit;
  }

  /** Its unit, for people. */
  public String unit() {
    return unit;
  }

  /** Where its values are in an array of all. */
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
