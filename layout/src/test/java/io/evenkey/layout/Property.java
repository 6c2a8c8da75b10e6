/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;

/**
 * Runs a law on many random cases. A failing case is tried again with smaller and smaller sizes,
 * and the smallest that still fails is reported with what it takes to run it again: {@code
 * -Devenkey.seed=…}. With {@code -Devenkey.cases=N}, each law has N cases instead of its own
 * number.
 */
public final class Property {
  private static final long SEED = Long.getLong("evenkey.seed", 20261120L);
  private static final int LARGEST = 12;

  private Property() {}

  /** A law that throws when it does not hold. */
  @FunctionalInterface
  public interface Law {
    /**
     * One case.
     *
     * @param random the same numbers for the same seed
     * @param size the largest size of the values, from 1 on
     */
    void check(SplittableRandom random, int size);
  }

  /** A law on input that may be refused. */
  @FunctionalInterface
  public interface Trial {
    /**
     * One case; throws when the law does not hold.
     *
     * @param random the same numbers for the same seed
     * @param size the largest size of the values, from 1 on
     * @return whether the input was accepted
     */
    boolean accepts(SplittableRandom random, int size);
  }

  /**
   * A law that would hold of a program that refuses everything, or nothing: the share of accepted
   * inputs must lie between {@code least} and {@code most}.
   */
  public static void holds(int cases, double least, double most, Trial trial) {
    int[] counts = new int[2];
    holds(
        cases,
        (random, size) -> {
          counts[0]++;
          counts[1] += trial.accepts(random, size) ? 1 : 0;
        });
    assertThat((double) counts[1] / counts[0])
        .as("share of the inputs that are accepted")
        .isBetween(least, most);
  }

  public static void holds(int cases, Law law) {
    int count = Integer.getInteger("evenkey.cases", cases);
    for (int i = 0; i < count; i++) {
      long seed = SEED + i;
      int size = 1 + i % LARGEST;
      Throwable failure = failure(law, seed, size);
      if (failure == null) {
        continue;
      }
      for (int smaller = 1; smaller < size; smaller++) {
        Throwable simpler = failure(law, seed, smaller);
        if (simpler != null) {
          failure = simpler;
          size = smaller;
        }
      }
      throw new AssertionError(
          "law broken: case=" + i + " size=" + size + "; run again with -Devenkey.seed=" + SEED,
          failure);
    }
  }

  @SuppressWarnings("CatchingUnchecked")
  private static Throwable failure(Law law, long seed, int size) {
    try {
      law.check(new SplittableRandom(seed), size);
      return null;
    } catch (RuntimeException | AssertionError e) {
      return e;
    }
  }
}
