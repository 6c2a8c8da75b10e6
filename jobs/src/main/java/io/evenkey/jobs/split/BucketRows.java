/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import io.evenkey.layout.Layout;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.spread.Prefix;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * How many rows the buckets of a salt get. A salt of fields is as even as their values are many:
 * ten metrics cannot fill sixteen buckets alike. Not thread-safe.
 */
public final class BucketRows {
  /** The rows of the fullest bucket over the mean, up to which buckets are even enough. */
  private static final double EVEN = 1.5;

  /** Fewer rows a bucket than this lie unevenly by chance. */
  private static final int FEW = 20;

  private static final int MOST_BUCKETS = 4_096;

  private final Layout layout;
  private final byte[][] starts;
  private final long[] rows;

  /** None yet. */
  public BucketRows(Layout layout) {
    int buckets = buckets(layout);
    this.layout = layout;
    this.starts = buckets < 2 ? new byte[0][] : layout.splits(buckets).toArray();
    this.rows = new long[buckets < 2 ? 0 : buckets];
  }

  /** The rows that a sample stands for. */
  public static BucketRows of(Layout layout, RowSample sample) {
    BucketRows buckets = new BucketRows(layout);
    if (buckets.rows.length > 0) {
      long[] counts = sample.rowsIn(layout.splits(buckets.rows.length));
      System.arraycopy(counts, 0, buckets.rows, 0, counts.length);
    }
    return buckets;
  }

  /** Counts a stored row in. */
  public void add(byte[] row) {
    if (rows.length > 0) {
      int at = Arrays.binarySearch(starts, row, Arrays::compareUnsigned);
      rows[at >= 0 ? at + 1 : -at - 1]++;
    }
  }

  /** Counts rows of a bucket in that another task has counted. */
  public void add(int bucket, long count) {
    rows[bucket] += count;
  }

  /** The number of rows of each bucket; empty where buckets cannot be uneven. */
  public long[] counts() {
    return rows.clone();
  }

  /** The buckets that may be uneven: those of a salt of some fields, all of one time. */
  private static int buckets(Layout layout) {
    Prefix prefix = layout.spread().prefix();
    return prefix != null
            && prefix.width() > 0
            && prefix.count() <= MOST_BUCKETS
            && prefix.steps().isNone()
            && layout.slices().isNone()
            && TargetSplits.isOfEntities(layout)
        ? (int) prefix.count()
        : 0;
  }

  /** A warning if the rows lie unevenly, with what helps; empty if they do not. */
  public List<String> warnings() {
    long total = LongStream.of(rows).sum();
    if (total < (long) FEW * rows.length || rows.length == 0) {
      return List.of();
    }
    double skew = (double) Arrays.stream(rows).max().orElse(0) * rows.length / total;
    if (skew <= EVEN) {
      return List.of();
    }
    long empty = Arrays.stream(rows).filter(count -> count == 0).count();
    return List.of(
        String.format(
            Locale.ROOT,
            "rows lie unevenly over the %d buckets of %s: the fullest has %.1f times the mean%s. A"
                + " salt over fields is even only if they have many values; let each value use"
                + " several buckets (the option over), or salt the whole key",
            rows.length,
            layout.spread().prefix(),
            skew,
            empty == 0 ? "" : ", and " + empty + (empty == 1 ? " has none" : " have none")));
  }
}
