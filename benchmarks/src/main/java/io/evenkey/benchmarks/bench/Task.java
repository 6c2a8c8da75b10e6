/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The rows to read, and the measurement of the read.
 *
 * @param name the task's name in reports
 * @param unit the unit of the measurement
 * @param what the keys to read
 * @param repeats the number of reads in one round, each at another place of the key space
 * @param limit the most rows, or 0 for all
 * @param reversed whether the last key comes first
 * @param readers the number of concurrent readers
 * @param affine whether all rows of a device are in one bucket
 */
public record Task(
    String name,
    Unit unit,
    What what,
    int repeats,
    int limit,
    boolean reversed,
    int readers,
    boolean affine) {
  /** Rows per second (more is better), or milliseconds per read (less is better). */
  public enum Unit {
    /** Throughput. */
    ROWS_PER_SECOND("rows/s"),
    /** Latency. */
    MILLISECONDS("ms");

    private final String text;

    Unit(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** The keys to read. */
  public enum What {
    /** Every key. */
    ALL,
    /** A random tenth of the key space. */
    TENTH,
    /** A random hundredth of the key space. */
    PERCENT,
    /** From a random key to the end. */
    FROM,
    /** All keys of one random device. */
    DEVICE
  }

  /** The scans that are compared. */
  public static List<Task> scans() {
    return List.of(
        of("full", Unit.ROWS_PER_SECOND, What.ALL, 1),
        of("reversed_10pct", Unit.ROWS_PER_SECOND, What.TENTH, 1).backwards(),
        of("range_1pct", Unit.ROWS_PER_SECOND, What.PERCENT, 20),
        of("concurrent_8", Unit.ROWS_PER_SECOND, What.PERCENT, 40).by(8),
        of("limit_10", Unit.MILLISECONDS, What.FROM, 200).atMost(10),
        of("limit_1000", Unit.MILLISECONDS, What.FROM, 50).atMost(1000),
        of("limit_10_by_8", Unit.MILLISECONDS, What.FROM, 400).atMost(10).by(8),
        of("limit_100_by_8", Unit.MILLISECONDS, What.FROM, 200).atMost(100).by(8),
        of("newest_20", Unit.MILLISECONDS, What.DEVICE, 200).backwards().atMost(20),
        of("newest_20_affine", Unit.MILLISECONDS, What.DEVICE, 200)
            .backwards()
            .atMost(20)
            .inOneBucket(),
        of("device_affine", Unit.ROWS_PER_SECOND, What.DEVICE, 100).inOneBucket());
  }

  private static Task of(String name, Unit unit, What what, int repeats) {
    return new Task(name, unit, what, repeats, 0, false, 1, false);
  }

  private Task backwards() {
    return new Task(name, unit, what, repeats, limit, true, readers, affine);
  }

  private Task atMost(int rows) {
    return new Task(name, unit, what, repeats, rows, reversed, readers, affine);
  }

  private Task by(int count) {
    return new Task(name, unit, what, repeats, limit, reversed, count, affine);
  }

  private Task inOneBucket() {
    return new Task(name, unit, what, repeats, limit, reversed, readers, true);
  }

  /** The ranges of one round; the same for every side. */
  List<KeyRange> ranges(BenchRows rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<KeyRange> ranges = new ArrayList<>(repeats);
    for (int i = 0; i < repeats; i++) {
      ranges.add(range(rows, random));
    }
    return ranges;
  }

  private KeyRange range(BenchRows rows, SplittableRandom random) {
    return switch (what) {
      case ALL -> KeyRange.all();
      case TENTH -> part(rows, random, 10);
      case PERCENT -> part(rows, random, 100);
      case FROM -> rows.range(random.nextInt(rows.count()), rows.count());
      case DEVICE -> rows.device(random.nextInt(rows.devices()));
    };
  }

  private static KeyRange part(BenchRows rows, SplittableRandom random, int parts) {
    int size = rows.count() / parts;
    int from = random.nextInt(rows.count() - size + 1);
    return rows.range(from, from + size);
  }
}
