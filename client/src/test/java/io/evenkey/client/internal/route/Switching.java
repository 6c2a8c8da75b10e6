/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Switches a table from one generation to the other and back, all the time. Thread-safe. */
public final class Switching implements AutoCloseable {
  private final GuardSwitch table;
  private final Thread thread;
  private volatile boolean ended;
  private final AtomicInteger switches = new AtomicInteger();
  private volatile Throwable failure;

  private Switching(GuardSwitch table) {
    this.table = table;
    this.thread = new Thread(this::run, "switching");
  }

  /** Begins. */
  public static Switching of(GuardSwitch table) {
    Switching begun = new Switching(table);
    begun.thread.start();
    return begun;
  }

  private void run() {
    try {
      while (!ended) {
        table.toOther();
        switches.incrementAndGet();
      }
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
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the table was switched", e);
    }
    switches();
  }
}
