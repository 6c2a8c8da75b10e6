/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.internal.gather.GatherOrder;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Resumption;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.route.RoutedScanner;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.table.PhysicalScans;
import io.evenkey.client.select.RecordSelection;
import io.evenkey.client.select.RecordShape;
import io.evenkey.client.select.Selection;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * One table, read and written by logical keys. The rows of every {@link Put}, {@link Get} and
 * {@link Result} are logical keys; the layout maps them to the rows that HBase stores. Thread-safe.
 *
 * <pre>{@code
 * SpreadTable events = tables.open(TableName.valueOf("events"));
 * try (ResultScanner rows = events.scan(range, ScanOptions.all().atMost(100))) {
 *   for (Result row : rows) {
 *     System.out.println(Bytes.toStringBinary(row.getRow()));
 *   }
 * }
 * }</pre>
 */
public final class SpreadTable {
  private final SpreadTables tables;
  private final Route route;

  SpreadTable(SpreadTables tables, Route route) {
    this.tables = tables;
    this.route = route;
  }

  /** The table's name. */
  public TableName name() {
    return route.table();
  }

  /**
   * The generation that is read now, by the name that HBase has for it.
   *
   * @see io.evenkey.client.internal.registry.Migration
   */
  public TableName generation() {
    return now().physical();
  }

  private Generation now() {
    try {
      return route.now();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The layout its rows are stored under now.
   *
   * @throws UncheckedIOException if that has changed since it was asked for, and cannot be read
   */
  public Layout layout() {
    return now().rows().layout();
  }

  /** A writer that sends puts in batches; the caller closes it. Thread-safe, as HBase's own. */
  public SpreadMutator mutator() throws IOException {
    return new SpreadMutator(tables.mutator(route));
  }

  /**
   * Reads one row, with one request: its bucket follows from its key.
   *
   * @return the row, empty if there is none
   * @throws IllegalArgumentException if the layout chooses buckets at random: the row may be in any
   */
  public Result get(Get get) throws IOException {
    try (Table table = tables.table(route)) {
      return table.get(checked(get));
    }
  }

  // HBase's Table has an answer there; this one says that it takes a request for each bucket.
  private Get checked(Get get) throws IOException {
    if (route.now().rows().isRandom()) {
      route.now().rows().physical(get);
    }
    return get;
  }

  /**
   * Reads several rows, each with one request, those of one server together.
   *
   * @return the rows in the same order, empty where there is none
   * @throws IllegalArgumentException if the layout chooses buckets at random: a row may be in any
   */
  public Result[] get(List<Get> gets) throws IOException {
    for (Get get : gets) {
      checked(get);
    }
    try (Table table = tables.table(route)) {
      return table.get(gets);
    }
  }

  /**
   * Reads a logical range in logical order. All its physical ranges are read ahead at once.
   *
   * @throws UnorderedScanException if the layout has no order to read this range in
   */
  public ResultScanner scan(KeyRange logical, ScanOptions options) throws IOException {
    Scan scan = new Scan().setReversed(options.reversed());
    if (options.limit() > 0) {
      scan.setLimit(options.limit());
    }
    return scan(logical, scan, options.budgetBytes());
  }

  private ResultScanner scan(KeyRange logical, Scan scan, long budgetBytes) throws IOException {
    return RoutedScanner.open(
        route,
        Resumption.isPossible(scan),
        scan.getLimit(),
        (generation, after, rows, limit) ->
            PhysicalScans.of(
                    name(),
                    generation.rows(),
                    Resumption.rest(logical, after, scan.isReversed()),
                    Resumption.limited(scan, rows),
                    budgetBytes)
                .gather(tables.scans(generation.physical()), limit));
  }

  /**
   * As {@link #scan(KeyRange, ScanOptions)}, forwards, with the columns, versions, time range and
   * whatever else of a scan that does not speak of rows.
   *
   * @param all without bounds, a limit or a filter that looks at rows
   */
  public ResultScanner scan(KeyRange logical, Scan all) throws IOException {
    return scan(logical, new Scan(all), ScanOptions.DEFAULT_BUDGET_BYTES);
  }

  /**
   * All rows, first key first, to be narrowed by conditions on the fields of the key; the rows come
   * with the values of those. Nothing is read before it is opened.
   */
  public Selection select() {
    return Selection.of(route, now().rows(), tables::scans, ScanOptions.DEFAULT_BUDGET_BYTES)
        .withIndexes(tables.indexSource());
  }

  /**
   * Reads every row, in the order in which they are stored. For layouts that have no other order,
   * and for those who need none.
   */
  public ResultScanner scanStored() throws IOException {
    return scanStored(new Scan());
  }

  /**
   * As {@link #scanStored()}, with the columns, the time range and whatever else of a scan that
   * does not speak of rows.
   *
   * @param all without bounds; without a filter that looks at rows
   */
  public ResultScanner scanStored(Scan all) throws IOException {
    // The scanner holds up to two answers, one being filled while the other is consumed.
    Scan scan = new Scan(all).setMaxResultSize(ScanOptions.DEFAULT_BUDGET_BYTES / 2);
    return RoutedScanner.open(
        route,
        false,
        0,
        (generation, after, rows, limit) -> {
          RowMapping mapping = generation.rows();
          GatherOrder asStored = new GatherOrder(0, false, 0, mapping::logicalOrForeign);
          return PhysicalScans.of(name(), List.of(mapping.stamped(scan)), asStored)
              .gather(tables.scans(generation.physical()), limit);
        });
  }

  /**
   * Writes one row.
   *
   * @param put with the logical key as its row
   */
  public void put(Put put) throws IOException {
    try (Table table = tables.table(route)) {
      table.put(put);
    }
  }

  /**
   * Deletes from one row.
   *
   * @param delete with the logical key as its row
   * @throws IllegalArgumentException if the layout chooses buckets at random: the row may be in
   *     several
   */
  public void delete(Delete delete) throws IOException {
    try (Table table = tables.table(route)) {
      table.delete(delete);
    }
  }

  /**
   * Writes several rows, those of one region server with one request. Not atomic: where it fails,
   * some may be written.
   *
   * @param puts with logical keys as their rows
   */
  public void put(List<Put> puts) throws IOException {
    try (Table table = tables.table(route)) {
      table.put(puts);
    }
  }

  /**
   * Deletes from several rows, those of one region server with one request. Not atomic: where it
   * fails, some may be deleted.
   *
   * @param deletes with logical keys as their rows; not changed
   * @throws IllegalArgumentException if the layout chooses buckets at random: a row may be in
   *     several
   */
  public void delete(List<Delete> deletes) throws IOException {
    try (Table table = tables.table(route)) {
      table.delete(new ArrayList<>(deletes));
    }
  }

  /**
   * Adds to counters of one row, atomically.
   *
   * @param increment with the logical key as its row
   * @return the counters after it
   * @throws io.evenkey.client.failure.OutcomeUnknownException if it may have been made, and a
   *     migration keeps the client from seeing whether it was
   * @throws IllegalArgumentException if the layout chooses buckets at random: the row may be in any
   */
  public Result increment(Increment increment) throws IOException {
    try (Table table = tables.table(route)) {
      return table.increment(increment);
    }
  }

  /**
   * Appends to values of one row, atomically.
   *
   * @param append with the logical key as its row
   * @return the values after it
   * @throws io.evenkey.client.failure.OutcomeUnknownException as {@link #increment}
   * @throws IllegalArgumentException as {@link #increment}
   */
  public Result append(Append append) throws IOException {
    try (Table table = tables.table(route)) {
      return table.append(append);
    }
  }

  /**
   * Changes one row if it is as expected, atomically.
   *
   * @param check with the logical key as the row of its condition and of its changes
   * @return whether it was, and the result of the change
   * @throws IllegalArgumentException as {@link #increment}
   */
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    try (Table table = tables.table(route)) {
      return table.checkAndMutate(check);
    }
  }

  /**
   * Makes several changes of one row, atomically.
   *
   * @param changes with the logical key as their row
   * @return the result of the increments and appends among them
   * @throws IllegalArgumentException as {@link #increment}
   */
  public Result mutate(RowMutations changes) throws IOException {
    try (Table table = tables.table(route)) {
      return table.mutateRow(changes);
    }
  }

  /** This table with calls that return futures and hold no thread of the caller. */
  public AsyncSpreadTable async() throws IOException {
    return new AsyncSpreadTable(tables.async(route), route);
  }

  /**
   * Rows as a Java record of the application's: {@code record Reading(String device, Instant ts,
   * double celsius)} has the fields {@code device} and {@code ts} of the key and, of {@code
   * selectAs(Reading.class, "d:celsius=celsius:float64")}, a column.
   *
   * @param columns the components that are columns, as {@link
   *     io.evenkey.client.cell.CellColumn#parse} reads them; all others are fields of the key
   * @throws IllegalArgumentException if a component is neither a field nor a column, or a column no
   *     component
   */
  public <R extends Record> RecordSelection<R> selectAs(Class<R> type, String... columns) {
    List<CellColumn> parsed = Arrays.stream(columns).map(CellColumn::parse).toList();
    return RecordSelection.of(select(), RecordShape.of(type, layout(), parsed));
  }

  @Override
  public String toString() {
    return name() + " " + layout();
  }
}
