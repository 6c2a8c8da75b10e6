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
      List<Seen> again = new ArrayList<>();
      for (Seen before : left) {
        Seen now = see(before.key());
        if (!now.isSame()) {
          again.add(now.since(before));
        }
      }
      left = again;
    }
    List<Difference> differences = new ArrayList<>();
    for (Seen row : left) {
      if (!row.busy() || !isOnceAlike(row.key())) {
        differences.add(difference(row));
      }
    }
    return differences;
  }

  /** Whether both have a row alike at this moment. */
  boolean isAlike(byte[] key) throws IOException {
    return see(key).isSame();
  }

  private List<Seen> differing(List<byte[]> keys) throws IOException {
    List<Seen> differing = new ArrayList<>();
    for (byte[] key : keys) {
      Seen row = see(key);
      if (!row.isSame()) {
        differing.add(row);
      }
    }
    return differing;
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
  private Seen see(byte[] key) throws IOException {
    secondFirst = !secondFirst;
    if (secondFirst) {
      Result of = second.row(key);
      return new Seen(key, first.row(key), of, false);
    }
    return new Seen(key, first.row(key), second.row(key), false);
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
