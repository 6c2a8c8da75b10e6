package io.evenkey.layout;

import java.util.SplittableRandom;

/**
 * Runs a law on many random cases. A failing case is tried again with smaller and smaller sizes,
 * and the smallest that still fails is reported with what it takes to run it again: {@code
 * -Devenkey.seed=…}.
 */
final class Property {
  private static final long SEED = Long.getLong("evenkey.seed", 20261120L);
  private static final int LARGEST = 12;

  private Property() {}

  /** A law that throws when it does not hold. */
  @FunctionalInterface
  interface Law {
    /**
     * One case.
     *
     * @param random the same numbers for the same seed
     * @param size how large the values may be, from 1 on
     */
    void check(SplittableRandom random, int size);
  }

  static void holds(int cases, Law law) {
    for (int i = 0; i < cases; i++) {
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
