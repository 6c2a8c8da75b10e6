package io.evenkey.app.heat.counters;

import java.util.Arrays;

/** Skew: the busiest share of a load over the mean share. 1 is perfect. */
public final class Skew {
  private Skew() {}

  /** The skew of one load over its takers; 1 where there is no load. */
  public static double of(long[] load) {
    long total = Arrays.stream(load).sum();
    long busiest = Arrays.stream(load).max().orElse(0);
    return total == 0 ? 1 : (double) busiest * load.length / total;
  }
}
