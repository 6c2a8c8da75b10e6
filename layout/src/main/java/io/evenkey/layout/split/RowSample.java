/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.split;

import io.evenkey.layout.message.FailureMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A sample of physical rows in ascending order, each of which may stand for several rows: the input
 * for splits at quantiles, and the measure of how even a split is.
 *
 * <pre>{@code
 * RowSample sample = RowSample.of(sortedRows);
 * SplitPlan splits = SplitAlgorithm.bySample(sample, 16);
 * double skew = sample.skew(splits); // 1.0 is perfectly even
 * }</pre>
 *
 * <p>Immutable, except that the arrays are not copied.
 */
public final class RowSample {
  private final List<byte[]> rows;
  private final long[] ends;

  private RowSample(List<byte[]> rows, long[] ends) {
    this.rows = rows;
    this.ends = ends;
  }

  /**
   * Returns a sample in which each row stands for itself.
   *
   * @param sorted rows in ascending order, repeated ones as often as they occur
   */
  public static RowSample of(List<byte[]> sorted) {
    long[] ends = new long[sorted.size()];
    Arrays.setAll(ends, i -> i + 1L);
    return weighted(sorted, ends);
  }

  /**
   * Returns a sample in which rows stand for several.
   *
   * @param sorted rows in ascending order
   * @param ends for each row, how many rows it and all rows before it stand for
   */
  public static RowSample weighted(List<byte[]> sorted, long[] ends) {
    // Equal rows are one, so that a boundary between two rows always parts them.
    List<byte[]> distinct = new ArrayList<>();
    long[] distinctEnds = new long[ends.length];
    for (int i = 0; i < sorted.size(); i++) {
      if (distinct.isEmpty() || !Arrays.equals(distinct.get(distinct.size() - 1), sorted.get(i))) {
        distinct.add(sorted.get(i));
      }
      distinctEnds[distinct.size() - 1] = ends[i];
    }
    return new RowSample(distinct, Arrays.copyOf(distinctEnds, distinct.size()));
  }

  private long before(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /** The first row that is not before {@code bound}. */
  private int indexOf(byte[] bound) {
    int low = 0;
    int high = rows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(rows.get(middle), bound) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns how many rows of the sample each region would have. */
  public long[] rowsIn(SplitPlan splits) {
    List<byte[]> keys = splits.keys();
    long[] counts = new long[keys.size() + 1];
    long counted = 0;
    for (int part = 0; part < counts.length; part++) {
      long end = before(part < keys.size() ? indexOf(keys.get(part)) : rows.size());
      counts[part] = end - counted;
      counted = end;
    }
    return counts;
  }

  /**
   * Returns the rows of the fullest region divided by the mean of all regions. 1 is even; also 1
   * for an empty sample.
   */
  public double skew(SplitPlan splits) {
    long[] counts = rowsIn(splits);
    long total = LongStream.of(counts).sum();
    return total == 0 ? 1 : (double) LongStream.of(counts).max().orElse(0) * counts.length / total;
  }

  /**
   * The number of different rows from {@code start} to before {@code stop}.
   *
   * @param stop empty for no end
   */
  int distinct(byte[] start, byte[] stop) {
    return (stop.length == 0 ? rows.size() : indexOf(stop)) - indexOf(start);
  }

  /**
   * Boundaries that cut the rows from {@code start} to before {@code stop} into parts that stand
   * for about the same number of rows. Each is the shortest key that parts its two neighbours.
   *
   * @param stop empty for no end
   * @throws SplitException if there are fewer different rows than parts
   */
  List<byte[]> cut(byte[] start, byte[] stop, int parts) {
    if (parts == 1) {
      return List.of();
    }
    int first = indexOf(start);
    int end = first + distinct(start, stop);
    long base = before(first);
    long total = before(end) - base;
    if (end - first < parts) {
      throw new SplitException(
          FailureMessage.of("sample too small to cut")
              .with("regions", parts)
              .with("rows", end - first)
              .remedy("give more rows or ask for fewer regions"));
    }
    List<byte[]> keys = new ArrayList<>();
    int at = first;
    for (int part = 1; part < parts; part++) {
      // The first row of this part: one for each part before it, and one for each from it on.
      long target = base + total * part / parts;
      at++;
      while (at < end - (parts - part) && before(at) < target) {
        at++;
      }
      byte[] row = rows.get(at);
      keys.add(Arrays.copyOf(row, Arrays.mismatch(rows.get(at - 1), row) + 1));
    }
    return keys;
  }
}
