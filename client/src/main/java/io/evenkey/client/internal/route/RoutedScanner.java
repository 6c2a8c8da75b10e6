/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.internal.gather.TimedScanner;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that goes on behind its last row when region servers refuse the generation that it
 * reads: the table is another one now. Not thread-safe, as HBase's own.
 */
public final class RoutedScanner implements ResultScanner {
  /** Opens the scanner of the rest. */
  @FunctionalInterface
  public interface Source {
    /**
     * Opens a scanner.
     *
     * @param after the logical key of the last row that was read; null at the beginning
     * @param rows the number of rows that were read
     * @param limit for how long the first answer of region servers may be waited for
     */
    ResultScanner open(Generation generation, byte @Nullable [] after, long rows, TimeLimit limit)
        throws IOException;
  }

  /**
   * A scanner of a generation.
   *
   * @param timed the scanner, if it says since when it waits; HBase's own do not
   */
  private record Opened(
      Generation generation, ResultScanner scanner, @Nullable TimedScanner timed) {
    Opened(Generation generation, ResultScanner scanner) {
      this(generation, scanner, scanner instanceof TimedScanner timed ? timed : null);
    }
  }

  private final Route route;
  private final Source source;
  private final boolean resumable;
  private final int limit;
  private Opened opened;

  /** Why the scan could not be begun again. */
  private @Nullable IOException ended;

  private byte @Nullable [] last;
  private long rows;
  private boolean inRow;

  private RoutedScanner(Route route, Source source, boolean resumable, int limit, Opened opened) {
    this.route = route;
    this.source = source;
    this.resumable = resumable;
    this.limit = limit;
    this.opened = opened;
  }

  /**
   * Opens one.
   *
   * @param resumable whether the scan of the rest gives the rest of the rows
   * @param limit the most rows of the scan; 0 or less for no limit
   */
  public static ResultScanner open(Route route, boolean resumable, int limit, Source source)
      throws IOException {
    Opened opened = route.call(generation -> first(route, source, generation));
    return new RoutedScanner(route, source, resumable, limit, opened);
  }

  // HBase asks region servers when the first row is read, and bounds that.
  private static Opened first(Route route, Source source, Generation generation)
      throws IOException {
    return new Opened(generation, source.open(generation, null, 0, TimeLimit.none(route.table())));
  }

  /** Opens one, of the generation that is known to be in use. */
  public static ResultScanner begun(
      Route route, boolean resumable, int limit, Source source, Generation generation)
      throws IOException {
    return new RoutedScanner(route, source, resumable, limit, first(route, source, generation));
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (ended != null) {
      throw ended;
    }
    TimedScanner timed = opened.timed;
    long began = timed == null ? System.nanoTime() : 0;
    IOException failure;
    try {
      return met(opened.scanner.next());
    } catch (IOException e) {
      failure = e;
    }
    // Before its first row, a scan can always be begun again.
    boolean repeatable = last == null || (resumable && !inRow);
    if (!repeatable || !Repeats.isRefusal(failure, opened.generation)) {
      throw failure;
    }
    if (limit > 0 && rows >= limit) {
      return null;
    }
    TimeLimit time = route.limit(timed == null ? began : timed.waitingSince());
    try {
      return route.again(failure, opened.generation, time, this::firstBehindLast).orElse(null);
    } catch (IOException e) {
      // The scanner is closed: as if there were no more rows.
      ended = e;
      throw e;
    }
  }

  /** Begins again behind the last row, and reads the next one. */
  private Optional<Result> firstBehindLast(Generation generation, TimeLimit left)
      throws IOException {
    opened.scanner.close();
    opened = new Opened(generation, source.open(generation, last, rows, left));
    return Optional.ofNullable(met(opened.scanner.next()));
  }

  private @Nullable Result met(@Nullable Result row) {
    if (row != null && !row.isEmpty()) {
      last = row.getRow();
      inRow = row.mayHaveMoreCellsInRow();
      rows += inRow ? 0 : 1;
    }
    return row;
  }

  @Override
  public void close() {
    opened.scanner.close();
  }

  @Override
  public boolean renewLease() {
    return opened.scanner.renewLease();
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return opened.scanner.getScanMetrics();
  }
}
