package io.evenkey.client.gather;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that any thread may ask for and one thread at a time does: who asks while it is being done
 * leaves it to whoever is at it, who then does it once more. Nobody waits. Thread-safe.
 */
public final class OneAtATime {
  /** Not yet answered; who raises it from 0 does the work of all. */
  private final AtomicInteger calls = new AtomicInteger();

  private final Runnable work;

  /** Nothing asked for yet. */
  public OneAtATime(Runnable work) {
    this.work = work;
  }

  /** Asks for the work, and does it if nobody else is at it. */
  public void run() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int answered = 1;
    do {
      work.run();
      answered = calls.addAndGet(-answered);
    } while (answered != 0);
  }
}
