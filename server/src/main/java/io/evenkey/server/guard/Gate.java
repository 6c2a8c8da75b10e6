/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one open region, and the writes that go by them. Thread-safe.
 *
 * <p>A change holds up no write: writes that begin after it go by the new rules at once, and {@link
 * #settle} waits for those that began before. A lock that readers and a writer share would instead
 * let a write that waits for the lock, holding its row, stand in the way of the write for which the
 * change waits.
 */
final class Gate {
  private final Queue<Epoch> earlier = new ConcurrentLinkedQueue<>();
  private volatile Epoch current;

  Gate(TableRules rules) {
    this.current = new Epoch(rules, true);
  }

  TableRules rules() {
    return current.rules;
  }

  /** Whether the rules have never changed, so that what was allowed once still is. */
  boolean unchanged() {
    return current.first;
  }

  /** Begins a write; the caller has to {@link Epoch#leave} when it is done. */
  Epoch enter() {
    while (true) {
      Epoch epoch = current;
      epoch.writes.incrementAndGet();
      // Either this sees that the rules have changed, or settle() sees the write.
      if (epoch == current) {
        return epoch;
      }
      epoch.leave();
    }
  }

  /** Sets the rules for all requests from now on. */
  synchronized void change(TableRules next) {
    Epoch old = current;
    earlier.add(old);
    current = new Epoch(next, false);
    old.retire();
  }

  /**
   * Waits until every write that went by earlier rules is done.
   *
   * @return whether that was so before the time was over
   */
  boolean settle(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    for (Epoch epoch = earlier.peek(); epoch != null; epoch = earlier.peek()) {
      if (!epoch.await(deadline)) {
        return false;
      }
      earlier.remove(epoch);
    }
    return true;
  }

  /** One version of the rules, and how many writes go by it. */
  static final class Epoch {
    private final TableRules rules;
    private final boolean first;
    private final @Nullable MarkedRows marked;
    private final AtomicInteger writes = new AtomicInteger();
    private volatile boolean retired;

    private Epoch(TableRules rules, boolean first) {
      this.rules = rules;
      this.first = first;
      this.marked = rules.marks() ? new MarkedRows() : null;
    }

    TableRules rules() {
      return rules;
    }

    /** The rows that were marked by these rules; null if they mark none. */
    @Nullable MarkedRows marked() {
      return marked;
    }

    /** Ends a write; once for each {@link Gate#enter}. */
    void leave() {
      if (writes.decrementAndGet() == 0 && retired) {
        synchronized (this) {
          notifyAll();
        }
      }
    }

    private synchronized void retire() {
      retired = true;
      notifyAll();
    }

    private synchronized boolean await(long deadline) throws InterruptedException {
      while (writes.get() != 0 || !retired) {
        long leftMs = (deadline - System.nanoTime()) / 1_000_000;
        if (leftMs <= 0) {
          return false;
        }
        wait(leftMs);
      }
      return true;
    }
  }
}
