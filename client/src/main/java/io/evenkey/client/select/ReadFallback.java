/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.IndexReads;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Falls back from an index that turns out not to be readable to the next best way to read. The
 * client may learn only from the first request that an index may not be read any more; while no row
 * has been returned, another choice can be made. Not thread-safe.
 */
final class ReadFallback {
  private final Selection selection;
  private final Set<String> failed = new HashSet<>();
  private PlannedRead chosen;

  ReadFallback(Selection selection) throws IOException {
    this(selection, selection.choose(Set.of()));
  }

  ReadFallback(Selection selection, PlannedRead chosen) {
    this.selection = selection;
    this.chosen = chosen;
  }

  /** Begins to read one candidate. */
  @FunctionalInterface
  interface Source<R> {
    /** Begins. */
    R open(PlannedRead chosen) throws IOException;
  }

  Selection selection() {
    return selection;
  }

  PlannedRead chosen() {
    return chosen;
  }

  /** Begins to read; another candidate, if the index is refused at once. */
  <R> R open(Source<R> source) throws IOException {
    for (; ; ) {
      try {
        return source.open(chosen);
      } catch (IOException e) {
        again(e);
      }
    }
  }

  /**
   * Chooses again, after a failure.
   *
   * @throws IOException this failure, if an index was not refused by it, or if there is nothing
   *     else to read
   */
  void again(IOException failure) throws IOException {
    IndexReads index = chosen.index();
    if (index == null || !selection.isRandom() || !isRefused(failure)) {
      throw failure;
    }
    failed.add(index.name());
    try {
      chosen = selection.choose(failed);
    } catch (IndexRefusedException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  // A user may have rights on a family or on columns of the table, which its indexes do not have.
  private static boolean isRefused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IndexRefusedException || cause instanceof AccessDeniedException) {
        return true;
      }
    }
    return false;
  }
}
