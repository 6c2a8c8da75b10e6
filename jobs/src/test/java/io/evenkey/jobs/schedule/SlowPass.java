/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import static org.awaitility.Awaitility.await;

import io.evenkey.protocol.guard.GuardMode;
import java.util.function.LongSupplier;

/** The last pass of a migration, or the scan of a step, that takes longer than a fence lasts. */
public final class SlowPass {
  /** More than writes that were on their way to their acknowledgement when writes paused. */
  private static final int WRITES = 20;

  private SlowPass() {}

  /**
   * Waits until clients write again, or two fences would have ended.
   *
   * @param written the number of acknowledged writes
   */
  public static void outlast(LongSupplier written) {
    long before = written.getAsLong();
    long begunNanos = System.nanoTime();
    long longestNanos = GuardMode.FENCE.multipliedBy(2).toNanos();
    await()
        .atMost(GuardMode.FENCE.multipliedBy(3))
        .until(
            () ->
                written.getAsLong() > before + WRITES
                    || System.nanoTime() - begunNanos > longestNanos);
  }
}
