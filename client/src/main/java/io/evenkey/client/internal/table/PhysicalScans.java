/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.internal.gather.AsyncGather;
import io.evenkey.client.internal.gather.Gather;
import io.evenkey.client.internal.gather.GatherOrder;
import io.evenkey.client.internal.gather.ScanRanges;
import io.evenkey.client.internal.gather.TimedScanner;
import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.TimeLimit;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.trace.OperationSpan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.failure.EvenkeyUnsupportedException;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.spread.Prefix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.jspecify.annotations.Nullable;

/**
 * The scans of the physical ranges that together are one logical scan. Each says how large an
 * answer may be.
 *
 * @param table the name of the table that is scanned, whatever its generation
 * @param ranges with one scan for each range
 * @param order the order in which their rows become one sequence
 */
public record PhysicalScans(TableName table, ScanRanges ranges, GatherOrder order) {
  /** HBase's default of hbase.client.scanner.max.result.size, in bytes. */
  private static final long MOST_RESULT_BYTES = 2L << 20;

  /** The physical ranges of some of the keys that a scan reads. */
  @FunctionalInterface
  public interface Scattering {
    /**
     * The ranges of the keys that the scan reads within a range.
     *
     * @throws UnorderedScanException if there is no order to read them in
     */
    Scatter of(KeyRange keys) throws UnorderedScanException;
  }

  /** The scans of all ranges of one read. */
  public static PhysicalScans of(TableName table, List<Scan> scans, GatherOrder order) {
    return new PhysicalScans(table, ScanRanges.of(List.copyOf(scans)), order);
  }

  /**
   * Scatters a scan of the keys between its bounds.
   *
   * @param budgetBytes about how many bytes all ranges together may hold ahead of the caller, if
   *     the scan itself does not say how large an answer may be
   * @throws io.evenkey.client.failure.TableLayoutException if it is that of a job's split of
   *     another generation or layout
   * @throws UnorderedScanException if the layout has no order to read the range in
   * @throws UnsupportedOperationException if the scan asks for cursors, and rows are stored
   *     reversed
   * @throws io.evenkey.client.failure.UnsupportedFilterException if its filter cannot be had on a
   *     spread table
   */
  static PhysicalScans of(Generation generation, Scan scan, long budgetBytes) throws IOException {
    TableName table = generation.table();
    RowMapping rows = generation.rows();
    JobSplit split = JobSplit.of(scan.getStopRow(), generation);
    if (rows.isPlain()) {
      return asStored(table, rows.stored(new Scan(scan)), budgetBytes);
    }
    if (split == null) {
      return of(table, rows, range(scan), scan, budgetBytes);
    }
    KeyRange keys = split.logical();
    if (JobSplit.of(scan.getStartRow()) == null) {
      // A reader that begins again after a failure does so at the last row that it has given.
      if (rows.isRandom()) {
        throw new TableLayoutException(
            table,
            "job's scan cannot begin again under a random salt",
            "layout=" + rows.layout(),
            "several rows may have its start key: run the task again");
      }
      keys = keys.intersection(from(scan));
    }
    return of(table, rows, keys, scan, budgetBytes).within(split.region());
  }

  /** One scan, whose rows are the logical keys. */
  private static PhysicalScans asStored(TableName table, Scan scan, long budgetBytes) {
    if (scan.getMaxResultSize() <= 0) {
      scan.setMaxResultSize(Math.max(1, Math.min(MOST_RESULT_BYTES, budgetBytes / 2)));
    }
    return of(table, List.of(scan), new GatherOrder(0, scan.isReversed(), 0, row -> row));
  }

  private static KeyRange from(Scan scan) throws IOException {
    return range(new Scan(scan).withStopRow(HConstants.EMPTY_END_ROW));
  }

  /** Cuts these scans to the rows of one region. */
  private PhysicalScans within(KeyRange region) throws IOException {
    List<Scan> inside = new ArrayList<>();
    for (Scan scan : ranges.all()) {
      KeyRange rows = KeyRange.of(scan.getStartRow(), scan.getStopRow()).intersection(region);
      if (!rows.isEmpty()) {
        inside.add(scan.withStartRow(rows.start()).withStopRow(rows.stop()));
      }
    }
    return of(table, inside, order);
  }

  /** Scatters a scan of the keys of a range, which replaces the scan's own bounds. */
  public static PhysicalScans of(
      TableName table, RowMapping rows, KeyRange logical, Scan scan, long budgetBytes)
      throws IOException {
    Layout layout = rows.layout();
    return of(
        table,
        rows,
        logical,
        keys -> {
          Scatter scatter = layout.scatter(keys);
          if (!scatter.exact()) {
            throw new UnorderedScanException(table, layout);
          }
          return scatter;
        },
        scan,
        budgetBytes);
  }

  /**
   * Scatters a scan of some keys of a range. If the scan is short, ranges behind those of its first
   * slice or step are computed only if it gets there.
   *
   * @param logical the range from the first key to the last
   * @param keys the physical ranges of its keys; the caller leaves out what these hold more than is
   *     wanted
   */
  public static PhysicalScans of(
      TableName table,
      RowMapping rows,
      KeyRange logical,
      Scattering keys,
      Scan scan,
      long budgetBytes)
      throws IOException {
    Layout layout = rows.layout();
    if (scan.isNeedCursorResult() && !layout.spread().isPrefixOnly()) {
      RefusalCounts.count("scan");
      throw new EvenkeyUnsupportedException(
          "cursors in a scan of rows that are stored reversed: table="
              + table
              + " layout="
              + layout
              + "; start again after the last row that was read");
    }
    boolean reversed = scan.isReversed();
    Prefix sliced = sliced(layout);
    GatherOrder order =
        new GatherOrder(
            layout.spread().width(),
            reversed,
            limit(scan),
            rows.results()::logicalOrForeign,
            // A scan begins in the buckets of a slice.
            sliced == null ? 0 : sliced.variants(),
            sliced == null ? 0 : (int) Math.min(Integer.MAX_VALUE, sliced.count()),
            rows.servers(scan.hasFilter()));
    KeyRange first = order.mayEndEarly() ? layout.firstPart(logical, reversed) : null;
    List<Scan> begin =
        first == null ? List.of() : scans(table, rows, keys.of(first), false, scan, budgetBytes);
    boolean bySteps = layout.slices().isNone() && !layout.steps().isNone();
    if (first == null || begin.isEmpty()) {
      List<Scan> all = scans(table, rows, keys.of(logical), true, scan, budgetBytes);
      return of(table, all, bySteps ? order.gradually(all) : order);
    }
    // The application may change its scan while this one is read.
    Scan kept = new Scan(scan);
    ScanRanges ranges =
        ScanRanges.beginningWith(
            begin,
            reversed ? first.start() : first.stop(),
            reversed,
            () -> scans(table, rows, keys.of(logical), false, kept, budgetBytes));
    return new PhysicalScans(table, ranges, bySteps ? order.beginningWith(begin.size()) : order);
  }

  // Not the whole scan where these ranges are the first ones of it, or follow those.
  private static List<Scan> scans(
      TableName table,
      RowMapping rows,
      Scatter scatter,
      boolean wholeScan,
      Scan scan,
      long budgetBytes)
      throws IOException {
    if (!scatter.ordered()) {
      throw new UnorderedScanException(table, rows.layout());
    }
    if (scan.hasFamilies() && scan.getFamilies()[0] == null) {
      // HBase's asynchronous scanners never answer to it.
      throw new NullPointerException("family of a scan is null: table=" + table);
    }
    boolean oneRange = wholeScan && scatter.fanOut() == 1;
    List<Scan> scans = new ArrayList<>(scatter.fanOut());
    for (KeyRange scattered : scatter.ranges()) {
      KeyRange range = scattered.upTo(HConstants.MAX_ROW_LENGTH);
      Scan physical = rows.stamped(new Scan(scan));
      if (scan.isReversed()) {
        physical.withStartRow(range.stop(), false).withStopRow(range.start(), true);
      } else {
        physical.withStartRow(range.start()).withStopRow(range.stop());
      }
      if (scan.getMaxResultSize() <= 0) {
        // The scanner holds up to two answers, one being filled while the other is consumed.
        physical.setMaxResultSize(
            Math.max(1, Math.min(MOST_RESULT_BYTES, budgetBytes / (2L * scatter.fanOut()))));
      }
      if (scan.hasFilter()) {
        physical.setFilter(rows.physicalFilter(scan, range.start(), oneRange));
      }
      scans.add(physical);
    }
    return scans;
  }

  /** The prefix of a salt with slices; null of another layout. */
  private static @Nullable Prefix sliced(Layout layout) {
    return layout.slices().isNone() ? null : layout.spread().prefix();
  }

  /**
   * Starts them all, and merges them into one scanner in logical order.
   *
   * @param limit for how long the first answer of region servers may be waited for
   */
  public TimedScanner gather(ScannedTable stored, TimeLimit limit) throws IOException {
    TimedScanner.Time first =
        limit.isBounded() ? new TimedScanner.Time(limit::leftMs, limit::unanswered) : null;
    return Gather.of(stored.table(), ranges, order, span(stored), first);
  }

  /**
   * As {@link #gather(ScannedTable, TimeLimit)} without a limit, for a span that was started for
   * the scan, and ends with it.
   */
  TimedScanner gather(ScannedTable stored, OperationSpan span) throws IOException {
    return Gather.of(stored.table(), ranges, order, span, null);
  }

  /** Starts the span of the whole scan. */
  OperationSpan span(ScannedTable stored) {
    return stored.span(table, ranges.known().size());
  }

  /** Starts them all, and tells an observer of their rows in logical order. */
  public void start(ScannedTable stored, AdvancedScanResultConsumer observer) {
    AsyncGather.start(stored.table(), ranges, order, span(stored), observer);
  }

  /** The logical keys that a scan asks for. */
  static KeyRange range(Scan scan) {
    boolean reversed = scan.isReversed();
    byte[] low = reversed ? scan.getStopRow() : scan.getStartRow();
    byte[] high = reversed ? scan.getStartRow() : scan.getStopRow();
    boolean withLow = reversed ? scan.includeStopRow() : scan.includeStartRow();
    boolean withHigh = reversed ? scan.includeStartRow() : scan.includeStopRow();
    byte[] start = low.length == 0 || withLow ? low : KeyRange.successor(low);
    byte[] stop = high.length == 0 || !withHigh ? high : KeyRange.successor(high);
    return KeyRange.of(start, stop);
  }

  private static long limit(Scan scan) {
    long pages = scan.hasFilter() ? pageSize(scan.getFilter()) : Long.MAX_VALUE;
    long limit = scan.getLimit() > 0 ? Math.min(scan.getLimit(), pages) : pages;
    return limit == Long.MAX_VALUE ? 0 : limit;
  }

  // On a plain table, a page filter lets as many rows pass in each region; here in all together.
  private static long pageSize(Filter filter) {
    if (filter instanceof PageFilter page) {
      return page.getPageSize();
    } else if (filter instanceof WhileMatchFilter until) {
      return pageSize(until.getFilter());
    }
    long least = Long.MAX_VALUE;
    if (filter instanceof FilterList list
        && list.getOperator() == FilterList.Operator.MUST_PASS_ALL) {
      for (Filter inner : list.getFilters()) {
        least = Math.min(least, pageSize(inner));
      }
    }
    return least;
  }
}
