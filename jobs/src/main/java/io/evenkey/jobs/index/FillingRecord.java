/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.registry.IndexWork;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How far an index is filled, as the registry has it. As thread-safe as said. */
final class FillingRecord {
  private final IndexControl control;
  private final IndexWork begun;
  private final FilledRanges filled;
  private final LongAdder entries = new LongAdder();

  /**
   * @param begun as an earlier run has left it
   */
  FillingRecord(IndexControl control, IndexWork begun) {
    this.control = control;
    this.begun = begun;
    this.filled = FilledRanges.of(begun.filling().done());
  }

  /** The ranges that are done. Thread-safe. */
  FilledRanges filled() {
    return filled;
  }

  /** Counts entries that are written. Thread-safe. */
  void written(long count) {
    entries.add(count);
  }

  /** The rows that earlier runs have read. */
  long rowsBefore() {
    return begun.filling().rows();
  }

  /**
   * Stores how far it is.
   *
   * @param rows that were read, with those of earlier runs
   */
  void store(long rows) throws IOException {
    store(rows, null);
  }

  /** Stores that all is filled. */
  IndexWork finish(long rows) throws IOException {
    return store(rows, Instant.now().truncatedTo(ChronoUnit.MILLIS));
  }

  private IndexWork store(long rows, @Nullable Instant finished) throws IOException {
    IndexWork.Filling before = begun.filling();
    IndexWork now =
        begun.with(
            new IndexWork.Filling(
                before.nonce(),
                finished == null ? filled.stored() : List.of(),
                rows,
                before.entries() + entries.sum(),
                before.rowsPerSecond(),
                finished));
    control.registry().indexes().store(now);
    return now;
  }
}
