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
 * {@link Result} are logical keys; the layout maps them to the physical rows that HBase stores.
 *
 * <pre>{@code
 * SpreadTable events = tables.open(TableName.valueOf("events"));
 * try (ResultScanner rows = events.scan(range, ScanOptions.all().atMost(100))) {
 *   for (Result row : rows) {
 *     System.out.println(Bytes.toStringBinary(row.getRow()));
 *   }
 * }
 * }</pre>
 *
 * <p><b>Cost.</b> An operation on one row is one request, as on a plain table, because the bucket
 * follows from the key. On a table with indexes, a write sends its entries first and then the row.
 * A scan opens one range per bucket that can hold its rows, reads them ahead in parallel within one
 * budget, and merges them by logical key.
 *
 * <p><b>Failures</b> are HBase's, plus those of {@link io.evenkey.client.failure}. If region
 * servers reject an operation because a migration has moved the table, the client looks the table
 * up again and repeats it, for up to {@code evenkey.migration.wait.ms}.
 *
 * <p>Thread-safe. Do not use it after its {@link SpreadTables} is closed. To call it without
 * blocking, use {@link #async}.
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
   * Returns HBase's name of the table that is read now. It differs from {@link #name} during a
   * migration.
   *
   * @throws UncheckedIOException if the client has to look the table up again and cannot
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
   * Returns the layout under which rows are stored now; a migration changes it.
   *
   * @throws UncheckedIOException if the client has to look the table up again and cannot
   */
  public Layout layout() {
    return now().rows().layout();
  }

  /** Opens a writer that sends rows in batches. The caller closes it. */
  public SpreadMutator mutator() throws IOException {
    return new SpreadMutator(tables.mutator(route));
  }

  /**
   * Reads one row with one request.
   *
   * @return the row; empty if it does not exist
   * @throws IllegalArgumentException if the layout has a random salt, because the row may be in any
   *     bucket: use {@link #select}
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
   * Reads several rows. The client sends one request to each region server involved.
   *
   * @return the rows in the order of {@code gets}; empty where one does not exist
   * @throws IllegalArgumentException if the layout has a random salt, because a row may be in any
   *     bucket
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
   * Scans a logical range in the order of logical keys. The client reads all physical ranges ahead
   * in parallel; region servers with the guard answer short scans with one request each.
   *
   * @return a scanner that the caller closes
   * @throws UnorderedScanException if the layout does not store this range in an order that can be
   *     merged: use {@link #scanStored()}
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
   * Scans a logical range in ascending order with the columns, versions, time range and filter of
   * an HBase scan.
   *
   * @param all a scan without bounds and limit, whose filter does not look at rows
   * @throws UnorderedScanException if the layout does not store this range in an order that can be
   *     merged
   */
  public ResultScanner scan(KeyRange logical, Scan all) throws IOException {
    return scan(logical, new Scan(all), ScanOptions.DEFAULT_BUDGET_BYTES);
  }

  /**
   * Starts a selection of rows by conditions on the fields of the key. Without a condition, it has
   * all rows in ascending key order. Nothing is read before it is opened.
   */
  public Selection select() {
    return Selection.of(route, now().rows(), tables::scans, ScanOptions.DEFAULT_BUDGET_BYTES)
        .withIndexes(tables.indexSource());
  }

  /**
   * Scans all rows in the order in which HBase stores them: for layouts without another order, and
   * for callers that need none.
   */
  public ResultScanner scanStored() throws IOException {
    return scanStored(new Scan());
  }

  /**
   * Scans all rows in stored order with the columns, versions, time range and filter of an HBase
   * scan.
   *
   * @param all a scan without bounds, whose filter does not look at rows
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
          GatherOrder asStored = new GatherOrder(0, false, 0, mapping.results()::logicalOrForeign);
          return PhysicalScans.of(name(), List.of(mapping.stamped(scan)), asStored)
              .gather(tables.scans(generation.physical()), limit);
        });
  }

  /**
   * Writes one row. When this returns, the region server has acknowledged it.
   *
   * @param put with the logical key as its row
   * @throws io.evenkey.client.failure.IndexRefusedException if the table has indexes, and the put
   *     would leave a row without its entry
   * @throws io.evenkey.client.failure.FencedException if a migration rejected the write for longer
   *     than {@code evenkey.migration.wait.ms}; it was not made
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
   * @throws IllegalArgumentException if the layout has a random salt, because the row may be in
   *     several buckets
   */
  public void delete(Delete delete) throws IOException {
    try (Table table = tables.table(route)) {
      table.delete(delete);
    }
  }

  /**
   * Writes several rows, with one request per region server. Not atomic: if it fails, some rows may
   * have been written, and the exception names the others.
   *
   * @param puts with logical keys as their rows
   */
  public void put(List<Put> puts) throws IOException {
    try (Table table = tables.table(route)) {
      table.put(puts);
    }
  }

  /**
   * Deletes from several rows, with one request per region server. Not atomic: if it fails, some
   * may have been deleted.
   *
   * @param deletes with logical keys as their rows; the list is not changed
   * @throws IllegalArgumentException if the layout has a random salt, because a row may be in
   *     several buckets
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
   * @return the new values of the counters
   * @throws io.evenkey.client.failure.OutcomeUnknownException if the increment may have been made,
   *     and a migration hides whether it was: read the row before you repeat it
   * @throws IllegalArgumentException if the layout has a random salt, because the row may be in any
   *     bucket
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
   * @return the new values
   * @throws io.evenkey.client.failure.OutcomeUnknownException if the append may have been made, and
   *     a migration hides whether it was: read the row before you repeat it
   * @throws IllegalArgumentException if the layout has a random salt, because the row may be in any
   *     bucket
   */
  public Result append(Append append) throws IOException {
    try (Table table = tables.table(route)) {
      return table.append(append);
    }
  }

  /**
   * Changes one row if it meets a condition, atomically.
   *
   * @param check with the logical key as the row of the condition and of its changes
   * @return whether the condition was met, and the result of the change
   * @throws IllegalArgumentException if the layout has a random salt, because the row may be in any
   *     bucket
   */
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    try (Table table = tables.table(route)) {
      return table.checkAndMutate(check);
    }
  }

  /**
   * Applies several changes to one row, atomically.
   *
   * @param changes with the logical key as their row
   * @return the result of the increments and appends among them
   * @throws IllegalArgumentException if the layout has a random salt, because the row may be in any
   *     bucket
   */
  public Result mutate(RowMutations changes) throws IOException {
    try (Table table = tables.table(route)) {
      return table.mutateRow(changes);
    }
  }

  /**
   * Returns this table with calls that return futures and block no thread. It is closed with the
   * {@link SpreadTables}.
   */
  public AsyncSpreadTable async() throws IOException {
    return new AsyncSpreadTable(tables.async(route), route);
  }

  /**
   * Starts a selection of rows as Java records of the application. Components are fields of the key
   * by name, or one of the named columns:
   *
   * <pre>{@code
   * record Reading(String device, Instant ts, double celsius) {}
   *
   * List<Reading> all = table.selectAs(Reading.class, "d:celsius=celsius:float64").list();
   * }</pre>
   *
   * @param columns the components that are columns, as {@link
   *     io.evenkey.client.cell.CellColumn#parse} reads them
   * @throws IllegalArgumentException if a component is neither a field nor a named column, or if a
   *     named column is no component
   */
  public <R extends Record> RecordSelection<R> selectAs(Class<R> type, String... columns) {
    List<CellColumn> parsed = Arrays.stream(columns).map(CellColumn::parse).toList();
    return RecordSelection.of(select(), type, layout(), parsed);
  }

  @Override
  public String toString() {
    return name() + " " + layout();
  }
}
