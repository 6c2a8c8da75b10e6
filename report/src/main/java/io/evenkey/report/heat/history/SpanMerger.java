/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges neighbouring spans until few enough are left: hot spans stay separate, cold ones are
 * merged, and no span crosses tables. Stateless.
 *
 * <p>Neighbours are merged while the sum of their heat is below a threshold, which is found by
 * bisection. The length of a run of cold spans is limited, so that a range that becomes hot later
 * is not a single span.
 */
final class SpanMerger {
  private static final int STEPS = 48;

  private SpanMerger() {}

  /** Merges the strips to at most {@code most} spans, but at least two per table. */
  static List<TableHeat> of(List<TableHeat> strips, int most) {
    List<double[]> heats =
        strips.stream()
            .map(
                strip -> {
                  double[] heat = new double[strip.size()];
                  Arrays.setAll(heat, strip::heat);
                  return heat;
                })
            .toList();
    int[][] firsts = firsts(heats, most);
    return IntStream.range(0, strips.size())
        .mapToObj(i -> strips.get(i).joined(firsts[i]))
        .toList();
  }

  /**
   * The index of the first span of each run, by table.
   *
   * @param heats the heat by table and span
   */
  static int[][] firsts(List<double[]> heats, int most) {
    int total = 0;
    double all = 0;
    for (double[] heat : heats) {
      total += heat.length;
      all += Arrays.stream(heat).sum();
    }
    int[][] firsts = new int[heats.size()][];
    int budget = Math.max(most, 2 * heats.size());
    if (total <= budget) {
      for (int t = 0; t < firsts.length; t++) {
        firsts[t] = new int[heats.get(t).length];
        Arrays.setAll(firsts[t], i -> i);
      }
      return firsts;
    }
    int longest = Math.max(2, (2 * total + budget - 1) / budget);
    double low = 0;
    double high = all + 1;
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      int count = 0;
      for (double[] heat : heats) {
        count += runs(heat, middle, longest, null);
      }
      if (count <= budget) {
        high = middle;
      } else {
        low = middle;
      }
    }
    for (int t = 0; t < firsts.length; t++) {
      int[] into = new int[heats.get(t).length];
      int count = runs(heats.get(t), high, longest, into);
      firsts[t] = Arrays.copyOf(into, count);
    }
    return firsts;
  }

  private static int runs(double[] heat, double threshold, int longest, int @Nullable [] into) {
    int count = 0;
    int length = 0;
    double sum = 0;
    for (int span = 0; span < heat.length; span++) {
      if (length > 0 && length < longest && sum + heat[span] < threshold) {
        sum += heat[span];
        length++;
        continue;
      }
      if (into != null) {
        into[count] = span;
      }
      count++;
      sum = heat[span];
      length = 1;
    }
    return count;
  }
}
