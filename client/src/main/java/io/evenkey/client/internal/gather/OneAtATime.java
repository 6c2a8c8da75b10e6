/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Work that any thread may ask for and one thread at a time does: a thread that asks while another
 * one is at work returns at once, and the one at work does it once more. Calls from within the work
 * do not nest, so the stack does not grow with them. Thread-safe.
 *
 * <p>Work that throws is over; what was asked for during it is done all the same, and then the
 * caller gets what was thrown first, the rest suppressed.
 */
public final class OneAtATime {
  // Guava's sequential executor queues each call, where here any number of them are one; and it
  // logs what the work throws, where callers here have to know. In hbase-client it is only there
  // relocated.

  /** Calls that are not answered yet; the thread that raises it from 0 does the work of all. */
  private final AtomicInteger calls = new AtomicInteger();

  private final Runnable work;

  /** Creates it; nothing is asked for yet. */
  public OneAtATime(Runnable work) {
    this.work = work;
  }

  /** Asks for the work, and does it if no other thread is at it. */
  public void run() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    Throwable failure = null;
    int answered = 1;
    do {
      try {
        work.run();
      } catch (Throwable e) {
        failure = first(failure, e);
      }
      answered = calls.addAndGet(-answered);
    } while (answered != 0);
    if (failure != null) {
      OneAtATime.<RuntimeException>raise(failure);
    }
  }

  private static Throwable first(@Nullable Throwable before, Throwable failure) {
    if (before == null) {
      return failure;
    }
    if (before != failure) {
      before.addSuppressed(failure);
    }
    return before;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the work threw it
  private static <E extends Throwable> void raise(Throwable failure) throws E {
    throw (E) failure;
  }
}
