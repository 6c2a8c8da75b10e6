/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The queue for one region server. A scan has a bounded number of requests there at once: more
 * would only wait there, before other scans' requests. The one that holds least goes first.
 * Thread-safe.
 */
final class ServerQueue {
  /** A scan that waits for a request on the server. */
  interface Waiter {
    /** Sends its request; has to {@link ServerQueue#leave} when that is answered, or not needed. */
    void go();

    /** The number of bytes that it holds and that are not merged yet. */
    long heldBytes();
  }

  private final Deque<Waiter> waiting = new ArrayDeque<>();
  private final String server;
  private int free;

  /**
   * Admits waiters in a loop, so that the stack does not grow when they leave in {@link Waiter#go}.
   */
  private final OneAtATime admitting = new OneAtATime(this::admit);

  ServerQueue(String server, int requestsAtOnce) {
    this.server = server;
    this.free = requestsAtOnce;
  }

  /** The server's name. */
  String server() {
    return server;
  }

  /** Lets one {@link Waiter#go go} now, or when there is room. */
  void enter(Waiter waiter) {
    synchronized (this) {
      waiting.add(waiter);
    }
    admitting.run();
  }

  /** Makes room for another. */
  void leave() {
    synchronized (this) {
      free++;
    }
    admitting.run();
  }

  private void admit() {
    for (Waiter next = next(); next != null; next = next()) {
      next.go();
    }
  }

  private synchronized @Nullable Waiter next() {
    if (free == 0 || waiting.isEmpty()) {
      return null;
    }
    free--;
    Waiter least = waiting.getFirst();
    long held = least.heldBytes();
    for (Waiter waiter : waiting) {
      if (held == 0) {
        break;
      }
      if (waiter.heldBytes() < held) {
        least = waiter;
        held = waiter.heldBytes();
      }
    }
    waiting.remove(least);
    return least;
  }

  /** Whether others wait than those for which there is room. */
  synchronized boolean isCrowded() {
    return waiting.size() > free;
  }
}
