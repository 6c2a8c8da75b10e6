/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.layout.message.FailureMessage;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The memory of answers that clients have not read to their end. A client may open a scan, and go
 * away: HBase keeps its scanner until the lease ends. So all answers of a process together have a
 * bound; beyond it gathers are refused, and clients scan the regions themselves. Thread-safe.
 */
final class HeldAnswers {
  private static final Cleaner CLEANER = Cleaner.create();

  /** The answers held in this process, which has one heap however many servers it runs. */
  static final HeldAnswers OF_PROCESS = new HeldAnswers(Runtime.getRuntime().maxMemory() / 16);

  private final long mostBytes;
  private final AtomicLong bytes = new AtomicLong();

  HeldAnswers(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Checks whether there is room for another answer. It is held when it is made, so that the bound
   * is exceeded by those at most that are made at the same time.
   */
  void checkRoom() throws DoNotRetryIOException {
    long now = bytes.get();
    if (now >= mostBytes) {
      throw new DoNotRetryIOException(
          FailureMessage.of("too many answers of gathers are not read to their end")
              .with("bytes", now)
              .with("most", mostBytes)
              .remedy("scan the regions themselves"));
    }
  }

  /** The bytes of all answers that are held now. */
  long bytes() {
    return bytes.get();
  }

  /**
   * Holds an answer until it is {@linkplain Cleaner.Cleanable#clean let go}, or is garbage: HBase
   * closes no scanner that a coprocessor behind the guard refuses.
   */
  Cleaner.Cleanable hold(Object answer, long size) {
    bytes.addAndGet(size);
    return CLEANER.register(answer, () -> bytes.addAndGet(-size));
  }
}
