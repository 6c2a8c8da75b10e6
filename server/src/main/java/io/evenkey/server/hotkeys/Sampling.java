/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Decides which operations are counted: each one with the same probability, independently of those
 * before. A counter of operations instead would always meet the same rows of clients that write in
 * batches of a fixed size. Thread-safe if the generators are; allocates nothing.
 */
final class Sampling {
  // Keeps sums of a position and a skip within int.
  private static final int LONGEST = 1 << 30;

  private final int oneIn;
  private final double logOfRest;
  private final Supplier<? extends RandomGenerator> random;

  /**
   * @param oneIn the number of operations to one that is counted, on average; at least 1
   * @param random the generator of the calling thread
   */
  Sampling(int oneIn, Supplier<? extends RandomGenerator> random) {
    this.oneIn = oneIn;
    this.logOfRest = Math.log1p(-1.0 / oneIn);
    this.random = random;
  }

  int oneIn() {
    return oneIn;
  }

  /** Whether an operation is counted. */
  boolean take() {
    return oneIn == 1 || random.get().nextInt(oneIn) == 0;
  }

  /**
   * The number of operations that are not counted before the next one that is. For batches, so that
   * the others need not be looked at.
   */
  int skip() {
    if (oneIn == 1) {
      return 0;
    }
    // A geometric distribution, by its inverse; the argument is above 0, and at most 1.
    double skip = Math.log(1 - random.get().nextDouble()) / logOfRest;
    return (int) Math.min(LONGEST, skip);
  }
}
