/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import java.util.Arrays;

/**
 * The distribution of the writes, by windows of the records' arrival: the busiest region server's
 * share over the mean share of each window. Immutable.
 *
 * @param mean over all windows; 1 is even, the number of servers is one server
 * @param error the standard error of the mean; of one window, all that it is above 1
 * @param p99 99 in 100 windows have at most this
 * @param max of the worst window
 * @param growingShare the share of the writes that the fastest growing region takes, in the last
 *     fifth of the records
 * @param windowRecords records of a window; the last has up to twice as many
 * @param byChance whether there are too few records to tell the layout's skew from that of chance
 * @param parallelism the number of servers that work at once, 1/Σp²: the mean over windows
 */
public record WriteFigures(
    double mean,
    double error,
    double p99,
    double max,
    double growingShare,
    int windowRecords,
    boolean byChance,
    double parallelism) {
  /** With fewer records a window, chance alone makes some server look busier. */
  private static final int LEAST_RECORDS = 300;

  private static final int WINDOWS_PER_REGION = 8;

  /** In fewer windows of that size, a key that grows fills several regions, and looks even. */
  private static final int FEW_WINDOWS = 4;

  private static final int LEAST_WINDOWS = 12;

  static WriteFigures of(byte[][] rows, Placement placement) {
    int usual = placement.regions() * WINDOWS_PER_REGION;
    boolean few = rows.length >= LEAST_RECORDS && rows.length < FEW_WINDOWS * LEAST_RECORDS;
    int least = few ? rows.length / LEAST_WINDOWS : LEAST_RECORDS;
    return of(rows, placement, Math.max(least, (rows.length + usual - 1) / usual));
  }

  static WriteFigures of(byte[][] rows, Placement placement, int window) {
    int windows = Math.max(1, rows.length / window);
    double[] skews = new double[windows];
    double parallelism = 0;
    for (int w = 0; w < windows; w++) {
      int from = w * window;
      int to = w == windows - 1 ? rows.length : from + window;
      long[] byServer = new long[placement.servers()];
      for (int i = from; i < to; i++) {
        byServer[placement.server(placement.region(rows[i]))]++;
      }
      int total = to - from;
      long busiest = Arrays.stream(byServer).max().orElse(0);
      skews[w] = total == 0 ? 1 : (double) busiest * byServer.length / total;
      double squares =
          Arrays.stream(byServer)
              .mapToDouble(n -> (double) n / Math.max(1, total))
              .map(p -> p * p)
              .sum();
      parallelism += squares == 0 ? 1 : 1 / squares;
    }
    Arrays.sort(skews);
    double mean = Arrays.stream(skews).average().orElse(1);
    return new WriteFigures(
        mean,
        windows == 1 ? mean - 1 : SampleError.ofMean(skews),
        skews[(int) Math.ceil(0.99 * windows) - 1],
        skews[windows - 1],
        growingShare(rows, placement),
        window,
        rows.length < LEAST_RECORDS,
        parallelism / windows);
  }

  private static double growingShare(byte[][] rows, Placement placement) {
    long[] byRegion = new long[placement.regions()];
    int from = rows.length - Math.max(1, rows.length / 5);
    for (int i = Math.max(0, from); i < rows.length; i++) {
      byRegion[placement.region(rows[i])]++;
    }
    long last = Arrays.stream(byRegion).sum();
    return last == 0 ? 1 : (double) Arrays.stream(byRegion).max().orElse(0) / last;
  }
}
