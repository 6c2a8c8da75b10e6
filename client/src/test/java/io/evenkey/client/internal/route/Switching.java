/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Switches a table from one generation to the other and back, again and again. Thread-safe. */
public final class Switching implements AutoCloseable {
  private final GuardSwitch table;
  private final Thread thread;
  private volatile boolean ended;
  private final AtomicInteger switches = new AtomicInteger();
  private final Semaphore turns;
  private volatile Throwable failure;

  private Switching(GuardSwitch table, int turns) {
    this.table = table;
    this.turns = new Semaphore(turns);
    this.thread = new Thread(this::run, "switching");
  }

  /** Begins, and does not pause. */
  public static Switching of(GuardSwitch table) {
    return begun(new Switching(table, Integer.MAX_VALUE / 2));
  }

  /**
   * Begins with one switch. A buffer that was refused pauses for up to a second, and would meet one
   * fence after the other if switches followed each other at once, as no migrations do.
   */
  public static Switching inTurns(GuardSwitch table) {
    return begun(new Switching(table, 1));
  }

  private static Switching begun(Switching switching) {
    switching.thread.start();
    return switching;
  }

  /** Has the table switched once more. */
  public void again() {
    turns.release();
  }

  private void run() {
    try {
      for (turns.acquire(); !ended; turns.acquire()) {
        table.toOther();
        switches.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }

  /** The number of switches of the table. */
  public int switches() {
    if (failure != null) {
      throw new AssertionError("the table was not switched", failure);
    }
    return switches.get();
  }

  /** Ends when the switch under way is done. */
  @Override
  public void close() {
    ended = true;
    turns.release();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the table was switched", e);
    }
    switches();
  }
}
