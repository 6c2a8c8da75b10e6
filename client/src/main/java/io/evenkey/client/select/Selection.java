/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.index.IndexReads;
import io.evenkey.client.index.IndexWrites;
import io.evenkey.client.route.Route;
import io.evenkey.client.row.RowMapping;
import io.evenkey.client.table.ScannedTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.index.IndexException;
import io.evenkey.layout.index.IndexFit;
import io.evenkey.layout.index.TableIndex;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.SyntaxException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows of a spread table by conditions on the fields of its key:
 *
 * <pre>{@code
 * try (KeyedRows rows =
 *     table.select().where("device = 'd7' and ts >= 2026-01-01").reversed().limit(100).open()) {
 *   for (KeyedRow row : rows) {
 *     System.out.println(row.getInstant("ts"));
 *   }
 * }
 * }</pre>
 *
 * <p>A condition that fixes all inputs of the salt reads one range; any other condition reads a
 * range in each bucket. The ranges of some conditions hold further rows, which the client reads and
 * drops; {@link Where#residual} names these conditions. Immutable: each option gives another
 * selection.
 */
public final class Selection {
  /** The source of the table's scans. */
  @FunctionalInterface
  public interface Source {
    /** A generation, for scanning. */
    ScannedTable open(TableName physical) throws IOException;
  }

  private final Route route;
  private final RowMapping rows;
  private final Source source;
  private final long budgetBytes;
  private final SelectionOptions options;
  private final @Nullable IndexSource indexes;

  private Selection(
      Route route,
      RowMapping rows,
      Source source,
      long budgetBytes,
      SelectionOptions options,
      @Nullable IndexSource indexes) {
    this.route = route;
    this.rows = rows;
    this.source = source;
    this.budgetBytes = budgetBytes;
    this.options = options;
    this.indexes = indexes;
  }

  /**
   * All rows of a table, first key first.
   *
   * @param rows the current mapping of the rows, by whose fields conditions are parsed
   * @param budgetBytes about how many bytes all ranges together may hold ahead of the caller
   */
  public static Selection of(Route route, RowMapping rows, Source source, long budgetBytes) {
    return new Selection(route, rows, source, budgetBytes, new SelectionOptions(), null);
  }

  /** The same of a table that may have indexes. */
  public Selection withIndexes(IndexSource source) {
    return new Selection(route, rows, this.source, budgetBytes, options, source);
  }

  /**
   * All rows that have an entry in an index of the table, in the index's order; options that were
   * set before are not carried over.
   *
   * @param index its name, with or without that of the table and a dot before it
   * @throws io.evenkey.client.index.IndexRefusedException if there is no such index, or it may not
   *     be read now
   */
  public IndexSelection by(String index) throws IOException {
    IndexSource known = indexes;
    if (known == null) {
      throw new UnsupportedOperationException(
          "table that is opened as one generation is not read through an index: table="
              + route.table()
              + " index="
              + index
              + "; open it by its name");
    }
    IndexReads reads =
        route.call(
            generation ->
                IndexReads.of(route.table(), rows.layout(), generation.rows().indexes(), index));
    return IndexSelection.of(route, reads, known);
  }

  /**
   * Selects the rows whose keys fulfil a condition, which replaces any condition before.
   *
   * @throws io.evenkey.layout.index.IndexException if it is a condition on fields of an index
   * @throws io.evenkey.layout.text.SyntaxException if the text is not a condition; says where
   */
  public Selection where(String text) {
    return where(layout -> layout.where(text));
  }

  /**
   * As {@link #where(String)}, with a condition that was made in Java.
   *
   * @throws io.evenkey.layout.field.UnknownFieldException if a name in it is no field's
   * @throws io.evenkey.layout.field.ValueException if a field cannot hold a value in it
   */
  public Selection where(Condition condition) {
    return where(layout -> layout.where(condition));
  }

  private Selection where(Function<Layout, Where> reading) {
    Where where = read(reading);
    return with(next -> next.condition = new SelectionOptions.FieldCondition(reading, where));
  }

  private Where read(Function<Layout, Where> reading) {
    try {
      return reading.apply(rows.layout());
    } catch (SyntaxException | UnknownFieldException e) {
      IndexWrites known = rows.indexes();
      for (TableIndex index : known == null ? List.<TableIndex>of() : known.indexes().list()) {
        if (index.state().isRead() && isRead(reading, IndexFit.complete(rows.layout(), index))) {
          throw IndexException.fieldsOfIndex(index.name());
        }
      }
      throw e;
    }
  }

  private static boolean isRead(Function<Layout, Where> reading, TableIndex index) {
    try {
      Where unused = reading.apply(index.layout());
      return true;
    } catch (LayoutException e) {
      return false;
    }
  }

  /** Reverses the direction: from the last key to the first. */
  public Selection reversed() {
    return with(next -> next.scan.setReversed(!next.scan.isReversed()));
  }

  /** Limits the selection to its first rows, 1 or more. */
  public Selection limit(int rowCount) {
    if (rowCount < 1) {
      throw new IllegalArgumentException(
          "limit out of range: " + rowCount + "; expected 1 or more");
    }
    return with(next -> next.limit = rowCount);
  }

  /** Reads this family, and those named before. */
  public Selection family(byte[] family) {
    return with(next -> next.scan.addFamily(family));
  }

  /** Reads this column, and those named before. */
  public Selection column(byte[] family, byte[] qualifier) {
    return with(next -> next.scan.addColumn(family, qualifier));
  }

  /** Selects the rows that pass one of HBase's filters, which sees logical keys. */
  public Selection filter(Filter filter) {
    return with(next -> next.scan.setFilter(filter));
  }

  /** Counts HBase's work: see {@link KeyedRows#metrics}. */
  public Selection measured() {
    return with(next -> next.scan.setScanMetricsEnabled(true));
  }

  /**
   * Begins behind a key, in the direction of the scan.
   *
   * @param key a logical key, as {@link KeyedRows#cursor} gives it
   */
  public Selection after(byte[] key) {
    byte[] cursor = key.clone();
    return with(next -> next.cursor = cursor);
  }

  /**
   * Reports the number of rows now and then, and at the end, in the thread that reads. {@link
   * #publisher} does not report, because its subscriber counts by itself.
   */
  public Selection onProgress(LongConsumer rowsSoFar) {
    return with(next -> next.progress = rowsSoFar);
  }

  private Selection with(Consumer<SelectionOptions> change) {
    SelectionOptions next = options.copy();
    change.accept(next);
    return new Selection(route, rows, source, budgetBytes, next, indexes);
  }

  /**
   * Starts to read.
   *
   * @throws io.evenkey.client.gather.UnorderedScanException if the layout has no order to read
   *     these rows in
   */
  public KeyedRows open() throws IOException {
    return scan().open();
  }

  /** Starts to read; closing the stream ends the scan. See {@link #open}. */
  public Stream<KeyedRow> stream() throws IOException {
    return open().stream();
  }

  /**
   * The rows as a reactive stream. Each subscriber has its own scan, which begins when it
   * subscribes and goes no further ahead than the budget allows. See {@link #open}.
   */
  public Flow.Publisher<KeyedRow> publisher() throws IOException {
    return scan().publisher();
  }

  /**
   * Explains how the rows would be read now: the ranges, and where they are brought into one order.
   * Reads no row; looks up the regions that are not in the client's cache.
   *
   * @throws io.evenkey.client.gather.UnorderedScanException as {@link #open}
   */
  public SelectionExplanation explain() throws IOException {
    return scan().explain();
  }

  private SelectionScan scan() {
    return new SelectionScan(route, rows, source, budgetBytes, options);
  }
}
