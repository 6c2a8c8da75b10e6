/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The differences that a verification finds. Thread-safe. */
final class Findings {
  /** Differences that are named; all are counted. */
  private static final int NAMED = 1_000;

  private final LongAdder missing = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder added = new LongAdder();
  private final LongAdder removed = new LongAdder();
  private final LongAdder phantoms = new LongAdder();
  private final List<IndexDifference> named = new ArrayList<>();

  void found(IndexDifference.Kind kind, String label) {
    (kind.losesRows() ? missing : stale).increment();
    if (kind == IndexDifference.Kind.PHANTOM) {
      phantoms.increment();
    }
    synchronized (named) {
      if (named.size() < NAMED) {
        named.add(new IndexDifference(kind, label));
      }
    }
  }

  /** An entry is written for a row without one. */
  void added() {
    added.increment();
  }

  /** Stale entries are removed. */
  void removed(int entries) {
    removed.add(entries);
  }

  /** Of the removed entries, settled ones. */
  void removedPhantoms(long entries) {
    phantoms.add(-entries);
  }

  /**
   * The report.
   *
   * @param settled entries that were settled
   */
  IndexReport report(long rows, long entries, long settled) {
    synchronized (named) {
      return new IndexReport(
          rows,
          entries,
          missing.sum(),
          stale.sum(),
          Math.max(0, phantoms.sum()),
          added.sum(),
          removed.sum(),
          settled,
          named);
    }
  }
}
