/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.registry.IndexWork;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The differences that a verification finds. Thread-safe. */
final class Findings {
  /** Differences that are named; all are counted. */
  private static final int NAMED = 1_000;

  private final Map<IndexDifference.Kind, LongAdder> found =
      new EnumMap<>(IndexDifference.Kind.class);
  private final LongAdder added = new LongAdder();
  private final LongAdder removed = new LongAdder();
  private final LongAdder removedPhantoms = new LongAdder();
  private final List<IndexDifference> named = new ArrayList<>();

  Findings() {
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      found.put(kind, new LongAdder());
    }
  }

  void found(IndexDifference.Kind kind, String label) {
    counter(kind).increment();
    synchronized (named) {
      if (named.size() < NAMED) {
        named.add(new IndexDifference(kind, label));
      }
    }
  }

  private LongAdder counter(IndexDifference.Kind kind) {
    return Objects.requireNonNull(found.get(kind));
  }

  private long sum(IndexDifference.Kind kind) {
    return counter(kind).sum();
  }

  /** An entry is put right for a row. */
  void added() {
    added.increment();
  }

  /** Stale entries are removed. */
  void removed(int entries) {
    removed.add(entries);
  }

  /** The settled entries among the removed ones. */
  void removedPhantoms(long entries) {
    removedPhantoms.add(entries);
  }

  /**
   * The report.
   *
   * @param settled entries that were settled
   */
  IndexReport report(long rows, long entries, long settled) {
    long phantoms = sum(IndexDifference.Kind.PHANTOM);
    IndexWork.DifferenceCounts counts =
        new IndexWork.DifferenceCounts(
            sum(IndexDifference.Kind.MISSING),
            sum(IndexDifference.Kind.COVERED),
            sum(IndexDifference.Kind.UNFIT),
            sum(IndexDifference.Kind.SECURED),
            sum(IndexDifference.Kind.STALE) + phantoms,
            Math.max(0, phantoms - removedPhantoms.sum()),
            sum(IndexDifference.Kind.UNREADABLE));
    synchronized (named) {
      return new IndexReport(rows, entries, counts, added.sum(), removed.sum(), settled, named);
    }
  }
}
