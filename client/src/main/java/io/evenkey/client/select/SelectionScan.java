/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.gather.Gathering;
import io.evenkey.client.internal.gather.ScannedRegions;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Resumption;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.route.RoutedScanner;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.table.PhysicalScans;
import io.evenkey.client.internal.table.ResumedScan;
import io.evenkey.client.internal.table.ScannedTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a {@link Selection}. If the table changes its generation during the scan, the
 * scan continues in the new one behind the last row that was read. Immutable.
 *
 * @param rows the current mapping of the rows
 * @param source opens the physical table of a generation
 * @param budgetBytes about how many bytes all ranges together may hold ahead of the caller
 */
record SelectionScan(
    Route route,
    RowMapping rows,
    Selection.Source source,
    long budgetBytes,
    SelectionOptions options) {
  RowSource open() throws IOException {
    KeyedRowDecoder decoder = decoder();
    int limit = serverLimit();
    ResultScanner scanner =
        RoutedScanner.open(
            route,
            Resumption.isPossible(options.scan),
            limit,
            (generation, after, read, time) ->
                scans(generation, after, rest(limit, read))
                    .gather(source.open(generation.physical()), time));
    return new TableRows(scanner, decoder);
  }

  /**
   * The rows as a reactive stream.
   *
   * @param measured is given the metrics of each subscriber's scan, if they were asked for
   */
  RowPublisher publisher(Consumer<ScanMetrics> measured) {
    KeyedRowDecoder decoder = decoder();
    int limit = serverLimit();
    return new RowPublisher(
        () ->
            new ResumedScan<>(
                route,
                Resumption.isPossible(options.scan),
                limit,
                (generation, after, read, observer) ->
                    scans(generation, after, rest(limit, read))
                        .start(source.open(generation.physical()), observer)),
        decoder,
        options.limit,
        measured);
  }

  SelectionExplanation explain(ReadChoice choice) throws IOException {
    Generation generation = route.now();
    PhysicalScans scans = scans(generation, null, serverLimit());
    ScannedTable stored = source.open(generation.physical());
    Layout layout = generation.rows().layout();
    List<Scan> all = scans.ranges().all();
    ScannedRegions scanned = ScannedRegions.of(stored.table().getRegionLocator(), all);
    Gathering gathering = Gathering.of(stored.table(), all, scans.order());
    return new SelectionExplanation(
        generation.physical(),
        layout,
        ScannedRegions.ranges(all),
        scanned.regions(),
        scanned.servers(),
        scans.order().limit(),
        gathering.code(),
        gathering.reason(),
        tested(layout),
        choice);
  }

  private List<String> tested(Layout layout) {
    Where where = options.where(layout);
    return where == null ? List.of() : where.residual(scatter(layout, options.range()).exact());
  }

  /** The test that each row which was read still has to pass. */
  private KeyedRowDecoder decoder() {
    Layout layout = rows.layout();
    KeyRange range = options.range();
    Where tested = isExact(layout, range) ? null : options.where(layout);
    return new KeyedRowDecoder(layout, rows.results().foreign(), tested, range);
  }

  /**
   * The largest number of rows that has to be read, 0 for no limit: if rows that were read are
   * dropped, the number is unknown.
   */
  private int serverLimit() {
    return options.limit > 0 && isExact(rows.layout(), options.range()) ? options.limit : 0;
  }

  /** Whether the ranges of the condition hold no other rows than its own. */
  private boolean isExact(Layout layout, KeyRange range) {
    Where where = options.where(layout);
    return scatter(layout, range).exact() && (where == null || where.residual(true).isEmpty());
  }

  private static int rest(int limit, long read) {
    return limit == 0 ? 0 : limit - (int) read;
  }

  /**
   * The scans of one generation.
   *
   * @param after the last row that was read, or null before the first
   * @param limit the largest number of rows, or 0 for all
   * @throws TableLayoutException if the cursor that the read begins at is of another row key
   */
  private PhysicalScans scans(Generation generation, byte @Nullable [] after, int limit)
      throws IOException {
    RowMapping mapping = generation.rows();
    checkCursor(mapping.layout());
    Scan physical = options.scan();
    KeyRange range = Resumption.rest(options.range(), after, physical.isReversed());
    if (limit > 0) {
      physical.setLimit(limit);
    }
    Layout layout = mapping.layout();
    Where where = options.where(layout);
    // A condition may have many ranges; their bounds are needed only where a scan has a first part.
    KeyRange keys =
        where != null && limit > 0 && layout.hasParts()
            ? where.bounds().intersection(range)
            : range;
    return PhysicalScans.of(
        route.table(), mapping, keys, part -> scatter(layout, part), physical, budgetBytes);
  }

  private void checkCursor(Layout layout) throws TableLayoutException {
    ReadCursor cursor = options.cursor;
    if (cursor != null && !cursor.isOf(layout)) {
      throw new TableLayoutException(
          route.table(),
          "cursor belongs to another row key than the table's",
          "cursor=" + Quoted.literal(cursor.toString()) + " key=" + layout.key().unreversed(),
          "a migration has changed the row key: begin the read again");
    }
  }

  private Scatter scatter(Layout layout, KeyRange range) {
    Where where = options.where(layout);
    return where == null ? layout.scatter(range) : layout.scatter(where, range);
  }
}
