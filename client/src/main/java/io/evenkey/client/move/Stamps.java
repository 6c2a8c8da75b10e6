package io.evenkey.client.move;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Timestamps for what is written to two tables, in milliseconds since 1970: never behind a server's
 * clock, and for each row larger than the last one given here, so that what one client writes to a
 * row one after the other never ties. Thread-safe.
 */
final class Stamps {
  /** Rows share a last timestamp if they share one of so many slots. */
  private static final int SLOTS = 4_096;

  /** How far one row may be ahead of the clock. */
  private static final long MOST_AHEAD_MS = 200;

  private final AtomicLongArray last = new AtomicLongArray(SLOTS);
  private volatile int calibratedFor;
  private volatile ServerClocks clocks = ServerClocks.UNKNOWN;

  ServerClocks clocks() {
    return clocks;
  }

  /** Where clocks are looked at. */
  @FunctionalInterface
  interface Clocks {
    ServerClocks now() throws IOException;
  }

  /** Looks at the servers' clocks, once for each view. */
  void calibrate(View view, Clocks servers) throws IOException {
    if (calibratedFor != view.epoch()) {
      synchronized (this) {
        if (calibratedFor != view.epoch()) {
          clocks = servers.now();
          calibratedFor = view.epoch();
        }
      }
    }
  }

  private long now() {
    return System.currentTimeMillis() + clocks.aheadMs();
  }

  /** The next timestamp for a row. */
  long next(int hash) {
    int slot = (hash ^ hash >>> 16) & SLOTS - 1;
    for (; ; ) {
      long now = now();
      long stamp = last.updateAndGet(slot, before -> Math.max(now, before + 1));
      if (stamp - now <= MOST_AHEAD_MS) {
        return stamp;
      }
      pause(stamp - now - MOST_AHEAD_MS);
    }
  }

  /** Waits until everything that was given is past. */
  void settle() {
    long latest = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      latest = Math.max(latest, last.get(slot));
    }
    long left = latest - now();
    if (left > 0) {
      pause(left + 1);
    }
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
