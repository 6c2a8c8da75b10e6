/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.time.Duration;

/**
 * The time for which a client reads a table without asking region servers to gather, after one
 * could not: a second, and after each further failure twice as long, up to ten minutes. So a server
 * without the module, a table whose regions move, and scans that are too long for one request cost
 * a few requests, and are tried again. Thread-safe.
 */
final class GatherPause {
  private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MOST_DOUBLINGS = 10;
  private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

  private int failures;
  private long since;

  /** Whether servers may be asked. */
  synchronized boolean isOver() {
    return failures == 0 || System.nanoTime() - since >= length();
  }

  synchronized void failed() {
    failures++;
    since = System.nanoTime();
  }

  synchronized void succeeded() {
    failures = 0;
  }

  private long length() {
    return Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(MOST_DOUBLINGS, failures - 1));
  }
}
