/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.index.CoveredColumns;
import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.table.ScannedTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.EvenkeyUnsupportedException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.protocol.index.EntryLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.yetus.audience.InterfaceAudience;
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
 * <p><b>Order.</b> Rows come in the order of the table's key. They come in the order of an index if
 * only the index has the fields of the condition, or if {@link #by} or {@link #anyOrder} say so.
 * Among the ways that have the order, the client takes the cheapest by {@link
 * io.evenkey.protocol.index.ReadFigures}; {@link #explain} shows them all.
 *
 * <p><b>Cost.</b> If a condition fixes every field that the salt hashes, the client reads one
 * range. Any other condition reads one range in each bucket. Some conditions cannot be expressed by
 * ranges alone; then the client reads more rows and drops those that do not match, and {@link
 * Where#residual} names these conditions. Through an index, the client also reads the row of each
 * entry, in batches.
 *
 * <p>Immutable and thread-safe: each option returns another selection, and nothing is read before
 * {@link #open}, {@link #stream} or {@link #publisher}.
 */
public final class Selection {
  /** The source of the table's scans. */
  @FunctionalInterface
  @InterfaceAudience.Private
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
  @InterfaceAudience.Private
  public static Selection of(Route route, RowMapping rows, Source source, long budgetBytes) {
    return new Selection(route, rows, source, budgetBytes, new SelectionOptions(), null);
  }

  /** This selection of a table that may have indexes. */
  @InterfaceAudience.Private
  public Selection withIndexes(IndexSource source) {
    return new Selection(route, rows, this.source, budgetBytes, options, source);
  }

  /**
   * Reads by one key, and in its order: that of an index, or the table's own. An index has only the
   * rows that have an entry: no row that lacks an indexed column, or that the index's own condition
   * leaves out. The condition may use all fields of the index's key.
   *
   * @param name the table's name; or the name of an index, alone or as {@code table.index}
   * @throws io.evenkey.client.failure.IndexRefusedException if no such index exists, or if it
   *     cannot be read now
   */
  public Selection by(String name) throws IOException {
    String table = route.table().getNameAsString();
    if (name.equals(table)) {
      return with(next -> by(next, null));
    }
    if (indexes == null) {
      throw new EvenkeyUnsupportedException(
          "table that is opened as one generation is not read through an index: table="
              + table
              + " index="
              + name
              + "; open it by its name");
    }
    return route.call(
        generation -> {
          // An index that was added since this selection began is of a later mapping than its own.
          RowMapping now = generation.rows();
          IndexReads read = IndexReads.of(route.table(), now.indexes(), name);
          return with(now, next -> by(next, read.name()));
        });
  }

  private static void by(SelectionOptions options, @Nullable String index) {
    options.byTable = index == null;
    options.by = index;
  }

  /**
   * Allows any order, so that the client may read through any index that has an entry for each row.
   * The rows still come in the order of one key.
   */
  public Selection anyOrder() {
    return with(next -> next.anyOrder = true);
  }

  /**
   * Selects the rows that meet a condition on fields of the table's key, or of the key of one of
   * its indexes. It replaces an earlier condition. {@link Where#parse} has the grammar.
   *
   * <p>If the client knows none of the fields, it looks the table up once more, because an index
   * may have been added.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the text is not a condition; shows the place
   */
  public Selection where(String text) {
    return where(layout -> layout.where(text));
  }

  /**
   * Selects the rows that meet a condition built in Java, whose values need no quotes. It replaces
   * an earlier condition.
   *
   * @throws io.evenkey.layout.field.UnknownFieldException if no field has a name in it
   * @throws io.evenkey.layout.field.ValueException if a field cannot hold a value in it
   */
  public Selection where(Condition condition) {
    return where(layout -> layout.where(condition));
  }

  private Selection where(Function<Layout, Where> parser) {
    try {
      return where(rows, parser);
    } catch (SyntaxException | UnknownFieldException e) {
      return where(lookedUpAgain(e), parser);
    }
  }

  private Selection where(RowMapping mapping, Function<Layout, Where> parser) {
    KeyCondition condition =
        KeyCondition.of(parser, mapping.layout(), indexes == null ? List.of() : reads(mapping));
    return with(mapping, next -> next.condition = condition);
  }

  private static List<IndexReads> reads(RowMapping mapping) {
    IndexWrites known = mapping.indexes();
    return known == null ? List.of() : known.reads();
  }

  /** The table as it is now, for a condition that is none on what the client knew of it. */
  private RowMapping lookedUpAgain(LayoutException unknown) {
    if (indexes == null) {
      throw unknown;
    }
    indexes.forget(route.table());
    try {
      RowMapping now = route.now().rows();
      if (now.indexes() != null) {
        return now;
      }
    } catch (IOException e) {
      unknown.addSuppressed(e);
    }
    throw unknown;
  }

  /** The condition, on the fields of the table or else of an index; null if there is none. */
  @InterfaceAudience.Private
  public @Nullable Where condition() {
    KeyCondition condition = options.condition;
    if (condition == null) {
      return null;
    }
    Where onTable = condition.onTable();
    return onTable == null ? condition.onFirstOf(reads(rows)) : onTable;
  }

  /** Reverses the direction: from the last key to the first. */
  public Selection reversed() {
    return with(next -> next.scan.setReversed(!next.scan.isReversed()));
  }

  /**
   * Limits the selection to its first {@code rowCount} rows, 1 or more. Region servers with the
   * guard answer small limits with one request each.
   */
  public Selection limit(int rowCount) {
    if (rowCount < 1) {
      throw new EvenkeyArgumentException(
          "limit out of range: " + rowCount + "; expected 1 or more");
    }
    return with(next -> next.limit = rowCount);
  }

  /**
   * Reads this column family, in addition to those named before. Without any family or column,
   * reads all.
   */
  public Selection family(byte[] family) {
    return with(next -> next.scan.addFamily(family));
  }

  /**
   * Reads this column, in addition to those named before. As in HBase, rows without any of the
   * requested columns are left out.
   */
  public Selection column(byte[] family, byte[] qualifier) {
    return with(next -> next.scan.addColumn(family, qualifier));
  }

  /**
   * Selects the rows that pass one of HBase's filters. The filter sees logical keys.
   *
   * @throws io.evenkey.client.failure.UnsupportedFilterException when the read begins, if the
   *     filter would pass other rows than on a plain table
   */
  public Selection filter(Filter filter) {
    return with(next -> next.scan.setFilter(filter));
  }

  /** Collects HBase's scan metrics; see {@link KeyedRows#metrics}. */
  public Selection measured() {
    return with(next -> next.scan.setScanMetricsEnabled(true));
  }

  /** Selects the rows whose keys are in a range; by an index, those whose entries' keys are. */
  @InterfaceAudience.Private
  public Selection within(KeyRange keys) {
    return with(next -> next.keys = keys);
  }

  /**
   * Takes columns, direction, limit and all other settings from an HBase scan.
   *
   * @param scan its start and stop rows are ignored
   */
  @InterfaceAudience.Private
  public Selection like(Scan scan) {
    return with(
        next -> {
          next.scan = SelectionOptions.copy(scan).setLimit(-1);
          next.limit = Math.max(scan.getLimit(), 0);
        });
  }

  /**
   * Begins after a key of the table, in the direction of the read. This makes the client read the
   * table, not an index.
   *
   * @param key a logical key; a row of this key need not exist
   */
  public Selection after(byte[] key) {
    return after(ReadCursor.of(key));
  }

  /**
   * Begins after a row that an earlier read returned, in the direction of this read and in the
   * order of that one.
   *
   * @param cursor from {@link KeyedRows#cursor} or {@link KeyedRow#cursor}
   */
  public Selection after(ReadCursor cursor) {
    return with(next -> next.cursor = cursor);
  }

  /**
   * Reports the number of rows from time to time and at the end, in the thread that reads. {@link
   * #publisher} does not report, because its subscriber counts the rows itself.
   */
  public Selection onProgress(LongConsumer rowsSoFar) {
    return with(next -> next.progress = rowsSoFar);
  }

  private Selection with(Consumer<SelectionOptions> change) {
    return with(rows, change);
  }

  private Selection with(RowMapping mapping, Consumer<SelectionOptions> change) {
    SelectionOptions next = options.copy();
    change.accept(next);
    return new Selection(route, mapping, source, budgetBytes, next, indexes);
  }

  /**
   * Starts to read. The caller closes the rows.
   *
   * @throws io.evenkey.client.failure.UnorderedScanException if the layout does not store these
   *     rows in an order that can be merged
   * @throws io.evenkey.client.failure.IndexRefusedException if the selection needs an index that
   *     cannot be read now, or if the cursor belongs to another read
   * @throws io.evenkey.client.failure.UnsupportedFilterException if the filter would pass other
   *     rows than on a plain table
   */
  public KeyedRows open() throws IOException {
    RowSource source = mayReadIndex() ? new FallbackRows(this) : scan().open();
    return new KeyedRows(source, options.limit, options.progress);
  }

  /** Starts to read. Close the stream to end the scan. See {@link #open} for what it throws. */
  public Stream<KeyedRow> stream() throws IOException {
    return open().stream();
  }

  /**
   * Returns the rows as a reactive stream that blocks no thread. Each subscriber has its own scan,
   * which begins when it subscribes and reads no further ahead than the budget allows. Subscribers
   * are called in threads of HBase's client. See {@link #open} for what it throws.
   */
  public Flow.Publisher<KeyedRow> publisher() throws IOException {
    return mayReadIndex() ? FallbackPublisher.of(this) : scanned(metrics -> {});
  }

  /**
   * The rows of a scan of the table itself.
   *
   * @param measured is given the metrics of each subscriber's scan, if they were asked for
   */
  RowPublisher scanned(Consumer<ScanMetrics> measured) {
    return scan().publisher(measured);
  }

  /**
   * Explains how the rows would be read now: by which key and why, which ranges, and who merges
   * them. Reads no row; looks up regions that are not in the client's cache.
   *
   * @throws IOException for the same reasons as {@link #open}
   */
  public SelectionExplanation explain() throws IOException {
    PlannedRead chosen = choose(Set.of());
    if (chosen.index() == null) {
      return scan().explain(chosen.choice());
    }
    int most = options.limit == 0 ? 0 : EntryLimit.of(options.limit);
    return read(chosen.index()).entries(null, most).explain().with(chosen.choice());
  }

  private SelectionScan scan() {
    return new SelectionScan(route, rows, source, budgetBytes, options);
  }

  /** Whether there is something to choose, which costs a table without indexes nothing. */
  private boolean mayReadIndex() {
    return options.isByIndex() || indexes != null && rows.indexes() != null;
  }

  /**
   * Chooses what is read.
   *
   * @param failed the names of indexes that could not be read just now
   */
  PlannedRead choose(Set<String> failed) throws IOException {
    if (!mayReadIndex()) {
      return Candidates.of(route.table(), rows.layout(), null, options, failed).choose();
    }
    return route.call(
        generation -> {
          RowMapping now = generation.rows();
          IndexWrites known = indexes == null ? null : now.indexes();
          return Candidates.of(route.table(), now.layout(), known, options, failed).choose();
        });
  }

  /** Whether another choice may be made if an index cannot be read. */
  boolean isRandom() {
    return options.by == null && !options.byTable && options.cursor == null;
  }

  RowSource open(PlannedRead chosen) throws IOException {
    return chosen.index() == null
        ? scan().open()
        : new IndexedRows(route, read(chosen.index()), options.limit);
  }

  Flow.Publisher<KeyedRow> publisher(PlannedRead chosen) throws IOException {
    return chosen.index() == null
        ? scanned(metrics -> {})
        : new IndexedPublisher(route, read(chosen.index()), options.limit, scan -> {});
  }

  private IndexedRead read(IndexReads index) throws IOException {
    Selection entries;
    try {
      entries = Objects.requireNonNull(indexes).entries(index);
    } catch (IOException e) {
      throw IndexRefusedException.entryFailed(index.entries(), e);
    }
    if (options.condition != null) {
      entries = entries.where(options.condition.parser());
    }
    SelectionOptions own = options;
    Scan scan = RequestSettings.rows(own.scan);
    entries =
        entries.with(
            next -> {
              next.scan = scan;
              next.keys = own.keys;
              next.cursor = own.cursor == null ? null : ReadCursor.of(own.cursor.key());
            });
    WantedColumns columns = WantedColumns.of(options.scan);
    return new IndexedRead(
        index,
        ReadCursor.formOf(index),
        indexes,
        entries,
        own.scan(),
        columns,
        CoveredColumns.of(index.index(), columns.families()).orElse(null),
        fields(index));
  }

  /** The fields whose values rows have, however they are read; by a named index, all of its key. */
  private List<Field> fields(IndexReads index) {
    if (options.by != null) {
      return index.layout().fields();
    }
    Where where = options.where(index.layout());
    List<Field> fields = new ArrayList<>(rows.layout().fields());
    for (Field field : index.layout().fields()) {
      boolean isOfTable = rows.layout().key().indexOf(field.name()) >= 0;
      if (!isOfTable && where != null && where.fields().contains(field.name())) {
        fields.add(field);
      }
    }
    return List.copyOf(fields);
  }
}
