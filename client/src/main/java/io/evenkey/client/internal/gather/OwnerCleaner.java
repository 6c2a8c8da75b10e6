/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs actions whose owners have become garbage, in a thread that is there only while there are
 * owners, and {@value #LINGER_MS} ms longer, so that one scan after the other does not start one
 * each. Thread-safe.
 */
final class OwnerCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerCleaner.class);

  /** The name of the thread. */
  static final String THREAD = "evenkey-scans";

  static final int LINGER_MS = 500;

  private final ReferenceQueue<Object> garbage = new ReferenceQueue<>();

  /** The watched owners that have not ended yet. */
  private final Set<Watched> open = new HashSet<>();

  private boolean running;

  /** An owner that is watched, and what to do when it is garbage. */
  final class Watched extends PhantomReference<Object> {
    private final Runnable action;

    private Watched(Object owner, Runnable action) {
      super(owner, garbage);
      this.action = action;
    }

    /** Runs the action now, unless it was run already. */
    void end() {
      if (remove(this)) {
        clear();
        action.run();
      }
    }
  }

  /**
   * Watches an owner.
   *
   * @param action must not lead to the owner
   */
  synchronized Watched watch(Object owner, Runnable action) {
    Watched watched = new Watched(owner, action);
    open.add(watched);
    if (!running) {
      Thread thread = new Thread(this::run, THREAD);
      thread.setDaemon(true);
      thread.start();
      running = true;
    }
    return watched;
  }

  private synchronized boolean remove(Watched watched) {
    return open.remove(watched);
  }

  private synchronized boolean isOver() {
    running = !open.isEmpty();
    return !running;
  }

  private static void endLogged(Watched watched) {
    try {
      watched.end();
    } catch (RuntimeException e) {
      LOG.warn("scan whose owner is garbage not ended", e);
    }
  }

  private void run() {
    for (; ; ) {
      Reference<?> found = null;
      try {
        found = garbage.remove(LINGER_MS);
      } catch (InterruptedException e) {
        LOG.debug("interrupted while watching scans", e);
      }
      if (found instanceof Watched watched) {
        endLogged(watched);
      } else if (isOver()) {
        return;
      }
    }
  }
}
