package io.evenkey.client.select;

import io.evenkey.client.route.Generation;
import io.evenkey.client.route.Resumption;
import io.evenkey.client.route.Route;
import io.evenkey.client.route.RoutedScanner;
import io.evenkey.client.row.RowMapping;
import io.evenkey.client.table.PhysicalScans;
import io.evenkey.client.table.ResumedScan;
import io.evenkey.client.table.ScannedTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import java.io.IOException;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows of a spread table by conditions on the fields of its key:
 *
 * <pre>{@code
 * try (KeyedRows rows =
 *     table.select().where("device = 'd7' and ts >= 2026-01-01").reversed().limit(100).open()) {
 *   for (KeyedRow row : rows) {
 *     System.out.println(row.get("ts"));
 *   }
 * }
 * }</pre>
 *
 * <p>Conditions that fix what a salt is computed from open one range. What the ranges of a
 * condition hold besides is left out here, after it was read; {@link Where#residual} says of which
 * conditions that is so. Immutable: every method gives another selection.
 */
public final class Selection {
  /** Where the scans of the table come from. */
  @FunctionalInterface
  public interface Source {
    /** A generation, for scanning. */
    ScannedTable open(TableName physical) throws IOException;
  }

  private final Route route;
  private final RowMapping rows;
  private final Source source;
  private final @Nullable String condition;
  private final @Nullable Where where;
  private final Scan scan;
  private final byte @Nullable [] cursor;
  private final int limit;
  private final long budgetBytes;
  private final LongConsumer progress;

  private Selection(
      Route route,
      RowMapping rows,
      Source source,
      @Nullable String condition,
      @Nullable Where where,
      Scan scan,
      byte @Nullable [] cursor,
      int limit,
      long budgetBytes,
      LongConsumer progress) {
    this.route = route;
    this.rows = rows;
    this.source = source;
    this.condition = condition;
    this.where = where;
    this.scan = scan;
    this.cursor = cursor;
    this.limit = limit;
    this.budgetBytes = budgetBytes;
    this.progress = progress;
  }

  /**
   * All rows of a table, first key first.
   *
   * @param rows how its rows are stored now: conditions are parsed by the fields of its keys
   * @param budgetBytes about how many bytes all ranges together may hold ahead of the caller
   */
  public static Selection of(Route route, RowMapping rows, Source source, long budgetBytes) {
    return new Selection(
        route, rows, source, null, null, new Scan(), null, 0, budgetBytes, count -> {});
  }

  /**
   * Of these, the rows whose keys fulfil a condition, in place of any before.
   *
   * @throws io.evenkey.layout.text.SyntaxException if it is not one; says where
   */
  public Selection where(String text) {
    Where parsed = rows.layout().where(text);
    return new Selection(
        route, rows, source, text, parsed, scan, cursor, limit, budgetBytes, progress);
  }

  /** The same from the last key to the first. */
  public Selection reversed() {
    return with(copy().setReversed(!scan.isReversed()));
  }

  /** Limits the selection to its first rows, 1 or more. */
  public Selection limit(int rowCount) {
    if (rowCount < 1) {
      throw new IllegalArgumentException(
          "limit out of range: " + rowCount + "; expected 1 or more");
    }
    return new Selection(
        route, rows, source, condition, where, scan, cursor, rowCount, budgetBytes, progress);
  }

  /** Reads this family, and those named before. */
  public Selection family(byte[] family) {
    return with(copy().addFamily(family));
  }

  /** Reads this column, and those named before. */
  public Selection column(byte[] family, byte[] qualifier) {
    return with(copy().addColumn(family, qualifier));
  }

  /** Of these, the rows that pass a filter of HBase's, which sees logical keys. */
  public Selection filter(Filter filter) {
    return with(copy().setFilter(filter));
  }

  /** The same, with HBase counting what it does: see {@link KeyedRows#metrics}. */
  public Selection measured() {
    return with(copy().setScanMetricsEnabled(true));
  }

  /**
   * Goes on behind a key, in the direction of the scan.
   *
   * @param key a logical key, as {@link KeyedRows#cursor} gives it
   */
  public Selection after(byte[] key) {
    return new Selection(
        route, rows, source, condition, where, scan, key.clone(), limit, budgetBytes, progress);
  }

  /**
   * Is given the number of rows now and then, and at the end, in the thread that reads. Not called
   * by {@link #publisher}, whose subscriber counts by itself.
   */
  public Selection onProgress(LongConsumer rowsSoFar) {
    return new Selection(
        route, rows, source, condition, where, scan, cursor, limit, budgetBytes, rowsSoFar);
  }

  private Selection with(Scan other) {
    return new Selection(
        route, rows, source, condition, where, other, cursor, limit, budgetBytes, progress);
  }

  private Scan copy() {
    try {
      return new Scan(scan);
    } catch (IOException e) {
      throw new IllegalStateException("a scan can always be copied", e);
    }
  }

  /**
   * Starts to read.
   *
   * @throws io.evenkey.client.gather.UnorderedScanException if the layout has no order to read
   *     these rows in
   */
  public KeyedRows open() throws IOException {
    Matching matching = matching();
    boolean exact = limitsExactly();
    ResultScanner scanner =
        RoutedScanner.open(
            route,
            Resumption.isPossible(scan),
            exact ? limit : 0,
            (generation, after, read) ->
                scans(generation, after, exact ? limit - (int) read : 0)
                    .gather(source.open(generation.physical())));
    return new KeyedRows(scanner, matching, limit, progress);
  }

  /** Starts to read; closing the stream ends the scan. See {@link #open}. */
  public Stream<KeyedRow> stream() throws IOException {
    return open().stream();
  }

  /**
   * The rows as a reactive stream; every subscriber has a scan of its own, which begins when it
   * subscribes and goes no further ahead than the budget allows. See {@link #open}.
   */
  public Flow.Publisher<KeyedRow> publisher() throws IOException {
    Matching matching = matching();
    boolean exact = limitsExactly();
    return new RowPublisher(
        () ->
            new ResumedScan<>(
                route,
                Resumption.isPossible(scan),
                exact ? limit : 0,
                (generation, after, read, observer) ->
                    scans(generation, after, exact ? limit - (int) read : 0)
                        .start(source.open(generation.physical()), observer)),
        matching,
        limit);
  }

  // A key of fields that is stored as it is has no mapping of its own in the catalog.
  private RowMapping mapping(Generation generation) {
    return generation.rows() == RowMapping.NONE && rows.isPlain() ? rows : generation.rows();
  }

  private boolean limitsExactly() {
    return limit > 0 && isExact(rows.layout(), within());
  }

  private boolean isExact(Layout layout, KeyRange within) {
    return scatter(layout, within).exact() && (where == null || where.residual(true).isEmpty());
  }

  private Scatter scatter(Layout layout, KeyRange within) {
    String text = condition;
    if (where == null || text == null) {
      return layout.scatter(within);
    }
    // The fields of the key are the same in all generations of a table.
    return layout.scatter(layout.equals(rows.layout()) ? where : layout.where(text), within);
  }

  // Of the rows behind one of them.
  private PhysicalScans scans(Generation generation, byte @Nullable [] after, int most)
      throws IOException {
    RowMapping mapping = mapping(generation);
    KeyRange within = Resumption.rest(within(), after, scan.isReversed());
    Scan physical = copy();
    if (most > 0) {
      physical.setLimit(most);
    }
    return PhysicalScans.of(
        route.table(), mapping, scatter(mapping.layout(), within), physical, budgetBytes);
  }

  private Matching matching() {
    Layout layout = rows.layout();
    KeyRange within = within();
    return new Matching(layout, rows.foreign(), isExact(layout, within) ? null : where, within);
  }

  private KeyRange within() {
    byte[] behind = cursor;
    if (behind == null) {
      return KeyRange.all();
    }
    if (!scan.isReversed()) {
      return KeyRange.of(KeyRange.successor(behind), new byte[0]);
    }
    // No key is before the empty one; as a bound it would stand for the end.
    return behind.length == 0 ? KeyRange.none() : KeyRange.of(new byte[0], behind);
  }
}
