/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.List;
import java.util.Locale;

/**
 * Operations on one part of a growing table.
 *
 * @param how the operation
 * @param part the rows on which it works
 */
record GrowthTask(How how, Part part) {
  /** The rows of a scan with a limit. */
  static final int LIMIT = 10;

  /** A table with as many rows has all operations. */
  private static final int WHOLE = 20_000;

  /** The operation. */
  enum How {
    GET(2_000),
    PUT(2_000),
    LIMIT_10(100),
    FULL(1);

    private final int times;

    How(int times) {
      this.times = times;
    }
  }

  /** The rows. */
  enum Part {
    /** The rows before the step; a table that never grew has them in as many buckets. */
    BEFORE,
    /** The rows from the step on; a table made with as many buckets has them in these. */
    AFTER,
    /** The rows around the step. */
    ACROSS
  }

  static List<GrowthTask> all() {
    return List.of(
        new GrowthTask(How.GET, Part.BEFORE),
        new GrowthTask(How.GET, Part.AFTER),
        new GrowthTask(How.PUT, Part.BEFORE),
        new GrowthTask(How.PUT, Part.AFTER),
        new GrowthTask(How.LIMIT_10, Part.BEFORE),
        new GrowthTask(How.LIMIT_10, Part.AFTER),
        new GrowthTask(How.LIMIT_10, Part.ACROSS),
        new GrowthTask(How.FULL, Part.BEFORE),
        new GrowthTask(How.FULL, Part.AFTER),
        new GrowthTask(How.FULL, Part.ACROSS));
  }

  /** The unit of its rates. */
  String unit() {
    return how == How.FULL ? Task.Unit.ROWS_PER_SECOND.toString() : "operations/s";
  }

  /** The operations of one round: fewer on a small table, on which they tell as much. */
  int times(GrowingRows of) {
    return how == How.FULL
        ? 1
        : (int) Math.max(1, Math.min(how.times, how.times * (long) of.count() / WHOLE));
  }

  /** The rows that one round reads or writes. */
  int rows(GrowingRows of) {
    return how == How.FULL ? end(of) - start(of) : times(of);
  }

  /** The first row of the part. */
  int start(GrowingRows of) {
    if (part == Part.BEFORE || part == Part.ACROSS && how == How.FULL) {
      return 0;
    }
    return part == Part.AFTER ? of.beforeStep() : of.beforeStep() - LIMIT / 2;
  }

  /** The row behind the last one of the part at which an operation may begin. */
  int end(GrowingRows of) {
    if (part == Part.ACROSS && how != How.FULL) {
      return start(of) + 1;
    }
    int end = part == Part.BEFORE ? of.beforeStep() : of.count();
    return how == How.LIMIT_10 ? end - LIMIT : end;
  }

  @Override
  public String toString() {
    return (how + "_" + part).toLowerCase(Locale.ROOT);
  }
}
