package io.evenkey.client;

import io.evenkey.client.gather.Gather;
import io.evenkey.client.gather.GatherOrder;
import io.evenkey.client.gather.UnorderedScanException;
import io.evenkey.client.metrics.ForeignRows;
import io.evenkey.client.move.FencedException;
import io.evenkey.client.move.LiveTable;
import io.evenkey.client.row.RowMapping;
import io.evenkey.client.select.Selection;
import io.evenkey.client.table.PhysicalScans;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * One table, read and written by logical keys. The rows of every {@link Put}, {@link Get} and
 * {@link Result} here are logical keys; what HBase stores is the layout's business. Thread-safe.
 */
public final class SpreadTable {
  private final SpreadTables tables;
  private final LiveTable live;

  SpreadTable(SpreadTables tables, LiveTable live) {
    this.tables = tables;
    this.live = live;
  }

  /** The table's name. */
  public TableName name() {
    return live.name();
  }

  /**
   * The generation that is read now, by the name that HBase has for it.
   *
   * @see io.evenkey.client.registry.Move
   */
  public TableName generation() {
    return live.reading();
  }

  /**
   * The layout its rows are stored under now.
   *
   * @throws UncheckedIOException if that has changed since it was asked for, and cannot be read
   */
  public Layout layout() {
    try {
      return rows().layout();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RowMapping rows() throws IOException {
    return tables.rows(live.reading());
  }

  /**
   * The rows that were read and that the layout cannot have written.
   *
   * @throws IOException as {@link #get(Get)}
   */
  public ForeignRows foreignRows() throws IOException {
    return rows().foreign();
  }

  /** A writer that sends puts in batches; the caller closes it. Thread-safe, as HBase's own. */
  public SpreadMutator mutator() throws IOException {
    return new SpreadMutator(tables.mutator(live));
  }

  /**
   * Reads one row, with one request: its bucket follows from its key.
   *
   * @return the row, empty if there is none
   * @throws IllegalArgumentException if the layout chooses buckets freely: the row may be in any
   */
  public Result get(Get get) throws IOException {
    return live.read(
        view -> {
          RowMapping rows = tables.rows(view.primary());
          try (Table table = tables.connection().getTable(view.primary())) {
            return rows.logical(table.get(rows.physical(get)));
          }
        });
  }

  /**
   * Reads several rows, each with one request, those of one server together.
   *
   * @return the rows in the same order, empty where there is none
   * @throws IllegalArgumentException if the layout chooses buckets freely: a row may be in any
   */
  public Result[] get(List<Get> gets) throws IOException {
    return live.read(
        view -> {
          RowMapping rows = tables.rows(view.primary());
          List<Get> physical = new ArrayList<>(gets.size());
          for (Get get : gets) {
            physical.add(rows.physical(get));
          }
          try (Table table = tables.connection().getTable(view.primary())) {
            Result[] results = table.get(physical);
            for (int i = 0; i < results.length; i++) {
              results[i] = rows.logical(results[i]);
            }
            return results;
          }
        });
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
    return live.read(
        view ->
            PhysicalScans.of(
                    name(), tables.rows(view.primary()), logical, scan, options.budgetBytes())
                .gather(tables.scans(view.primary())));
  }

  /**
   * As {@link #scan(KeyRange, ScanOptions)}, forwards, with the columns, versions, time range and
   * whatever else of a scan that does not speak of rows.
   *
   * @param all without bounds, a limit or a filter that looks at rows
   */
  public ResultScanner scan(KeyRange logical, Scan all) throws IOException {
    return live.read(
        view ->
            PhysicalScans.of(
                    name(),
                    tables.rows(view.primary()),
                    logical,
                    new Scan(all),
                    ScanOptions.DEFAULT_BUDGET_BYTES)
                .gather(tables.scans(view.primary())));
  }

  /**
   * All rows, first key first, to be narrowed by conditions on the fields of the key; the rows come
   * with the values of those. Nothing is read before it is opened.
   */
  public Selection select() {
    try {
      TableName generation = live.reading();
      return Selection.of(
          name(),
          tables.rows(generation),
          () -> tables.scans(generation),
          ScanOptions.DEFAULT_BUDGET_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    return live.read(
        view -> {
          RowMapping rows = tables.rows(view.primary());
          GatherOrder asStored = new GatherOrder(0, false, 0, rows::logicalOrForeign);
          return Gather.of(tables.scans(view.primary()), List.of(scan), asStored);
        });
  }

  /**
   * Writes one row.
   *
   * @param put with the logical key as its row
   */
  public void put(Put put) throws IOException {
    try (Table table = tables.followed(live)) {
      table.put(put);
    }
  }

  /**
   * Deletes from one row.
   *
   * @param delete with the logical key as its row
   * @throws IllegalArgumentException if the layout chooses buckets freely: the row may be in
   *     several
   */
  public void delete(Delete delete) throws IOException {
    try (Table table = tables.followed(live)) {
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
    try (Table table = tables.followed(live)) {
      table.put(puts);
    }
  }

  /**
   * Deletes from several rows, those of one region server with one request. Not atomic: where it
   * fails, some may be deleted.
   *
   * @param deletes with logical keys as their rows; not changed
   * @throws IllegalArgumentException if the layout chooses buckets freely: a row may be in several
   */
  public void delete(List<Delete> deletes) throws IOException {
    try (Table table = tables.followed(live)) {
      table.delete(new ArrayList<>(deletes));
    }
  }

  /**
   * Keeps the table from being moved, for those who write to the generation itself. Whoever wants
   * to move it is told who is in the way.
   *
   * @return to be closed when that is done
   * @throws FencedException if it is being moved: what is written so would be in one generation
   *     alone
   */
  public Closeable hold() throws IOException {
    return live.hold();
  }

  @Override
  public String toString() {
    return name() + " " + layout();
  }
}
