/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Measures reachable memory. */
final class Heap {
  private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
  private static final double TOLERANCE_MEGABYTES = 0.25;
  private static final int MOST_TRIES = 30;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Heap() {}

  /** Megabytes in use after collection, once two collections in a row give the same. */
  static double settledMegabytes() {
    double last = Double.MAX_VALUE;
    for (int i = 0; i < MOST_TRIES; i++) {
      MEMORY.gc();
      double now = MEMORY.getHeapMemoryUsage().getUsed() / 1e6;
      if (Math.abs(now - last) < TOLERANCE_MEGABYTES) {
        return now;
      }
      last = now;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return last;
  }
}
