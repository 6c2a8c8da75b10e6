/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Put;

/**
 * Rows whose key is their number, in ten digits. A value is a hundred random bytes, seeded with the
 * number.
 *
 * @param beforeStep how many of them are before the step
 * @param count how many there are
 */
record GrowingRows(int beforeStep, int count) {
  static final String FIELD = "n";

  private static final Layout KEYS = Layout.parse(FIELD + ":digits(10)");

  /** The layout of a table with this number of buckets. */
  static Layout salted(int buckets) {
    return Layout.parse("salt(" + buckets + ") + " + KEYS);
  }

  /** The number of the first row at the step, as a layout line spells it. */
  String step() {
    return digits(beforeStep);
  }

  byte[] key(int row) {
    return KEYS.logicalKey(Values.of(FIELD, digits(row)));
  }

  Put put(int row) {
    byte[] value = new byte[BenchRows.VALUE_BYTES];
    new SplittableRandom(row).nextBytes(value);
    return HBaseTables.put(key(row), value);
  }

  private static String digits(int row) {
    return String.format(Locale.ROOT, "%010d", row);
  }
}
