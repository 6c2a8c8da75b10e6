/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.Timer;
import java.util.TimerTask;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.jspecify.annotations.Nullable;

/**
 * The timer of a buffered mutator that flushes what has waited too long, with the settings that
 * HBase has for it. Thread-safe.
 */
final class PeriodicFlush {
  private final LongConsumer flushIfOlderThanMs;
  private long timeoutMs;
  private long tickMs = BufferedMutator.MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS;
  private @Nullable Timer timer;

  /** Off. */
  PeriodicFlush(LongConsumer flushIfOlderThanMs) {
    this.flushIfOlderThanMs = flushIfOlderThanMs;
  }

  /**
   * Sets it.
   *
   * @param timeout in milliseconds, how long a mutation may wait; off if it is not above 0
   * @param tick the interval of checks, in milliseconds; as in HBase, 100 or more
   */
  synchronized void set(long timeout, long tick) {
    stop();
    timeoutMs = Math.max(0, timeout);
    tickMs = Math.max(BufferedMutator.MIN_WRITE_BUFFER_PERIODIC_FLUSH_TIMERTICK_MS, tick);
    if (timeoutMs == 0) {
      return;
    }
    long ms = timeoutMs;
    timer = new Timer("evenkey-periodic-flush", true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            flushIfOlderThanMs.accept(ms);
          }
        },
        tickMs,
        tickMs);
  }

  synchronized long timeoutMs() {
    return timeoutMs;
  }

  synchronized long tickMs() {
    return tickMs;
  }

  /** Does not wait for a flush under way. */
  synchronized void stop() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
