/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

import java.util.Collection;
import java.util.Comparator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The writes and reads of a run. Its clock counts the begins and ends of operations, so that one
 * which ended before another began has the smaller number. Clients take a number before they send
 * an operation and after its answer, and then record it. Thread-safe.
 */
public final class History {
  private final AtomicLong clock = new AtomicLong();
  private final Collection<Write> writes = new ConcurrentLinkedQueue<>();
  private final Collection<Read> reads = new ConcurrentLinkedQueue<>();

  /** The next moment. */
  public long now() {
    return clock.incrementAndGet();
  }

  /** Records a write, whether it was acknowledged or not. A failed write is one without an end. */
  public void add(Write write) {
    writes.add(write);
  }

  public void add(Read read) {
    reads.add(read);
  }

  /** Decides the reads by the writes, once all operations have ended. */
  public Verdict verdict(Comparator<Found> order) {
    return Verdict.of(writes, reads, order);
  }

  /** The same of reads in any order. */
  public Verdict verdict() {
    return verdict((unusedFirst, unusedSecond) -> 0);
  }
}
