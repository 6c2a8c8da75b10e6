/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import java.io.IOException;
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
     */
    ResultScanner open(Generation generation, byte @Nullable [] after, long rows)
        throws IOException;
  }

  private record Opened(Generation generation, ResultScanner scanner) {}

  private final Route route;
  private final Source source;
  private final boolean resumable;
  private final int limit;
  private Opened opened;
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
    Opened opened =
        route.call(generation -> new Opened(generation, source.open(generation, null, 0)));
    return new RoutedScanner(route, source, resumable, limit, opened);
  }

  /** As {@link #open}, of the generation that is known to be in use. */
  public static ResultScanner begun(
      Route route, boolean resumable, int limit, Source source, Generation generation)
      throws IOException {
    Opened opened = new Opened(generation, source.open(generation, null, 0));
    return new RoutedScanner(route, source, resumable, limit, opened);
  }

  @Override
  public @Nullable Result next() throws IOException {
    Repeats repeats = null;
    for (; ; ) {
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
      repeats = repeats == null ? route.repeats() : repeats;
      opened.scanner.close();
      Route.pause(repeats.pauseMs(failure, opened.generation, route.finder()));
      opened =
          route.call(
              repeats.limit(),
              generation -> new Opened(generation, source.open(generation, last, rows)));
      if (repeats.isFinal(opened.generation)) {
        throw failure;
      }
    }
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
