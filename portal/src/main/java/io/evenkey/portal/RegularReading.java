/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Something that is read at once and then at an interval, in a thread of its own, since servers may
 * not answer for long. Thread-safe.
 */
final class RegularReading implements AutoCloseable {
  private final ScheduledExecutorService timer;
  private final ScheduledFuture<?> regular;

  private RegularReading(ScheduledExecutorService timer, ScheduledFuture<?> regular) {
    this.timer = timer;
    this.regular = regular;
  }

  /**
   * Starts to read.
   *
   * @param name the thread's name
   * @param every the time from the end of a reading to the next
   * @param read must not throw: it would not be read any more
   */
  static RegularReading start(String name, Duration every, Runnable read) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(PortalThreads.named(name));
    return new RegularReading(
        timer, timer.scheduleWithFixedDelay(read, 0, every.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public void close() {
    regular.cancel(true);
    timer.shutdownNow();
  }
}
