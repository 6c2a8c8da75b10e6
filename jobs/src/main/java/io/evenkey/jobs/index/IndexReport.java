/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.registry.IndexWork;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a verification of an index.
 *
 * @param rows rows that were read
 * @param entries entries that were read; 0 if only rows were looked for
 * @param found the differences
 * @param added entries that were written for missing ones, and settled ones with other covered
 *     values that are not settled any more
 * @param removed stale entries that were removed
 * @param settled entries that were settled, which readers take for their rows from now on
 * @param differences the first of them
 */
public record IndexReport(
    long rows,
    long entries,
    IndexWork.DifferenceCounts found,
    long added,
    long removed,
    long settled,
    List<IndexDifference> differences) {
  /** Copies the list. */
  public IndexReport {
    differences = List.copyOf(differences);
  }

  /** Whether each row has its entry now, and readers see no row that is not there. */
  public boolean isComplete() {
    return left().isEmpty();
  }

  /** How many of a kind were found; of phantoms those that are left. */
  public long count(IndexDifference.Kind kind) {
    return switch (kind) {
      case MISSING -> found.missing();
      case COVERED -> found.covered();
      case UNFIT -> found.unfit();
      case SECURED -> found.secured();
      case STALE -> found.stale() - found.phantoms();
      case PHANTOM -> found.phantoms();
      case UNREADABLE -> found.unreadable();
    };
  }

  /** Whether some of a kind are left, of those that were found. */
  public boolean isLeft(IndexDifference.Kind kind) {
    return switch (kind) {
      case MISSING, COVERED -> count(kind) > 0 && added < found.missing() + found.covered();
      case STALE -> count(kind) > removed;
      case UNFIT, SECURED, PHANTOM, UNREADABLE -> count(kind) > 0;
    };
  }

  /** The differences that are left and readers see, with their numbers. */
  private Map<IndexDifference.Kind, Long> left() {
    Map<IndexDifference.Kind, Long> left = new EnumMap<>(IndexDifference.Kind.class);
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      boolean isPassed =
          kind == IndexDifference.Kind.STALE || kind == IndexDifference.Kind.UNREADABLE;
      if (isLeft(kind) && !isPassed) {
        left.put(kind, count(kind));
      }
    }
    return left;
  }

  private static String name(IndexDifference.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** The differences that are left and readers see: {@code missing=2 unfit=1}. */
  public String leftCounts() {
    return left().entrySet().stream()
        .map(one -> name(one.getKey()) + "=" + one.getValue())
        .collect(Collectors.joining(" "));
  }

  /** The remedy for each kind of the remaining differences that readers see. */
  public String remedies() {
    return left().keySet().stream()
        .map(kind -> name(kind) + ": " + kind.remedy())
        .collect(Collectors.joining("; "));
  }
}
