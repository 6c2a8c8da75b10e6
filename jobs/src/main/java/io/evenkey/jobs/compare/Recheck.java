/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.client.Result;

/**
 * Reads rows that seemed to differ again, since a client may be writing to them. Rows that change
 * in both tables from one look to the next, such as counters, are hardly ever at rest: they are
 * read many times more, and it is enough that they are alike once. Not thread-safe.
 */
final class Recheck {
  /** A row that is alike in one look of ten is missed in all of these once in 30,000 times. */
  private static final int LOOKS_AT_BUSY = 100;

  /** A time at random up to this, so that looks do not keep step with writers. */
  private static final Duration BETWEEN = Duration.ofMillis(10);

  /** Rows of one request. More would lie further apart in time than a row at rest needs. */
  private static final int BATCH = 100;

  private final Lookup first;
  private final Lookup second;
  private final Layout layout;
  private final ComparisonOptions options;
  private boolean secondFirst;

  /**
   * Reads from two tables.
   *
   * @param layout of one of them, to show keys by
   */
  Recheck(Lookup first, Lookup second, Layout layout, ComparisonOptions options) {
    this.first = first;
    this.second = second;
    this.layout = layout;
    this.options = options;
  }

  /** A row as both tables had it, one right after the other. */
  @SuppressWarnings("ArrayRecordComponent") // read, never compared
  private record Seen(byte[] key, Result first, Result second, boolean busy) {
    boolean isSame() {
      return Cells.same(first, second);
    }

    Seen since(Seen before) {
      boolean changed = !Cells.same(first, before.first) && !Cells.same(second, before.second);
      return new Seen(key, first, second, changed);
    }

    Difference.Kind kind() {
      if (busy) {
        return Difference.Kind.BUSY;
      }
      if (second.isEmpty()) {
        return Difference.Kind.MISSING;
      }
      return first.isEmpty() ? Difference.Kind.EXTRA : Difference.Kind.CELLS;
    }
  }

  /** The rows that differ in every read, with a pause before each read. */
  List<Difference> after(List<byte[]> keys) throws IOException {
    if (keys.isEmpty()) {
      return List.of();
    }
    pause(options.pause());
    List<Seen> left = differing(keys);
    for (int look = 1; look < options.looks() && !left.isEmpty(); look++) {
      pause(options.pause());
      left = still(left, differing(left.stream().map(Seen::key).toList()));
    }
    List<Difference> differences = new ArrayList<>();
    for (Seen row : left) {
      if (!row.busy() || !(options.sparesBusy() || isOnceAlike(row.key()))) {
        differences.add(difference(row));
      }
    }
    return differences;
  }

  /** Whether both have a row alike at this moment. */
  boolean isAlike(byte[] key) throws IOException {
    return differing(List.of(key)).isEmpty();
  }

  /** The rows that differ now, in batches: a table that is written may have very many. */
  private List<Seen> differing(List<byte[]> keys) throws IOException {
    List<Seen> differing = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += BATCH) {
      see(keys.subList(from, Math.min(keys.size(), from + BATCH)), differing);
    }
    return differing;
  }

  // Both are in the order of the keys.
  private static List<Seen> still(List<Seen> before, List<Seen> now) {
    List<Seen> still = new ArrayList<>();
    for (Seen row : before) {
      if (still.size() < now.size() && now.get(still.size()).key() == row.key()) {
        still.add(now.get(still.size()).since(row));
      }
    }
    return still;
  }

  private boolean isOnceAlike(byte[] key) throws IOException {
    for (int look = 0; look < LOOKS_AT_BUSY; look++) {
      if (isAlike(key)) {
        return true;
      }
      pause(Duration.ofNanos(ThreadLocalRandom.current().nextLong(BETWEEN.toNanos())));
    }
    return false;
  }

  // In turns: whichever table is written to first, what is under way fits into the time between the
  // two reads in one order, when it does not in the other.
  private void see(List<byte[]> keys, List<Seen> differing) throws IOException {
    secondFirst = !secondFirst;
    Result[] earlier = (secondFirst ? second : first).rows(keys);
    Result[] later = (secondFirst ? first : second).rows(keys);
    for (int i = 0; i < earlier.length; i++) {
      Seen row =
          new Seen(
              keys.get(i),
              secondFirst ? later[i] : earlier[i],
              secondFirst ? earlier[i] : later[i],
              false);
      if (!row.isSame()) {
        differing.add(row);
      }
    }
  }

  private Difference difference(Seen row) {
    return new Difference(row.kind(), row.key(), layout.labelLogical(row.key()));
  }

  private static void pause(Duration length) throws IOException {
    try {
      Thread.sleep(length.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting to look again");
    }
  }
}
