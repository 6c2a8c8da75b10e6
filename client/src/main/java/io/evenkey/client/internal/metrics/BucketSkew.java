/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Step;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Writes to each bucket of a table, and how even those of the last minutes are. What was written
 * before is left out, so that a change shows in a process that has run for months. Thread-safe.
 */
final class BucketSkew {
  /** The shortest time that a value covers, once the first one has passed. */
  static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Prefix prefix;
  private final LongAdder[] writes;
  private final LongSupplier nanos;

  /** The sums where the window begins, and later ones with which the next window begins. */
  private long[] begin;

  private long[] next;
  private long nextAt;

  BucketSkew(Prefix prefix, int buckets, LongSupplier nanos) {
    this.prefix = prefix;
    this.nanos = nanos;
    this.writes = new LongAdder[buckets];
    Arrays.setAll(writes, bucket -> new LongAdder());
    this.begin = new long[buckets];
    this.next = begin;
    this.nextAt = nanos.getAsLong();
  }

  /** Counts mutations of a physical row. */
  void count(byte[] row, int mutations) {
    OptionalInt bucket = prefix.bucket(row);
    if (bucket.isPresent()) {
      writes[bucket.getAsInt()].add(mutations);
    }
  }

  /**
   * The busiest bucket's share of the writes over the mean share; 1 without writes. Covers the time
   * since the reading before the last that was a minute after its predecessor: one to two minutes,
   * or two intervals of a reader that reads more seldom. Of a salt with steps, the mean is that of
   * the smallest step that has all buckets written to.
   */
  synchronized double now() {
    long[] sums = Arrays.stream(writes).mapToLong(LongAdder::sum).toArray();
    double skew = skew(sums, begin);
    long time = nanos.getAsLong();
    if (time - nextAt >= WINDOW_NANOS) {
      begin = next;
      next = sums;
      nextAt = time;
    }
    return skew;
  }

  private double skew(long[] sums, long[] since) {
    long total = 0;
    long busiest = 0;
    int used = 0;
    for (int bucket = 0; bucket < sums.length; bucket++) {
      long count = sums[bucket] - since[bucket];
      total += count;
      busiest = Math.max(busiest, count);
      used = count > 0 ? bucket + 1 : used;
    }
    return total == 0 ? 1 : (double) busiest * among(used) / total;
  }

  private int among(int used) {
    return prefix.steps().list().stream()
        .mapToInt(Step::buckets)
        .filter(count -> count >= used)
        .min()
        .orElse(writes.length);
  }
}
