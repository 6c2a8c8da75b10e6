/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an open {@link Selection}, in the order of their keys or of the index through which
 * they are read. The client reads ahead within the selection's budget.
 *
 * <pre>{@code
 * try (KeyedRows rows = events.select().where("device = 'd1'").open()) {
 *   for (KeyedRow row : rows) {
 *     show(row);
 *   }
 * }
 * }</pre>
 *
 * <p>Close it, or scanners stay open on region servers until they expire. Iterate once: {@link
 * #next}, {@link #iterator} and {@link #stream} share one position. Not thread-safe.
 */
public final class KeyedRows implements Iterable<KeyedRow>, AutoCloseable {
  /** The number of rows between two reports of progress. */
  private static final int TELL_EVERY = 1024;

  private final RowSource source;
  private final LongConsumer progress;
  private long left;
  private long count;

  KeyedRows(RowSource source, long limit, LongConsumer progress) {
    this.source = source;
    this.left = limit == 0 ? Long.MAX_VALUE : limit;
    this.progress = progress;
  }

  /**
   * Returns the next row, or null after the last one. Blocks until one has arrived.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if the index has become unreadable
   *     since the read began
   * @throws io.evenkey.client.failure.RangeScanException if a range could not be read; names it and
   *     its region server
   * @throws IOException if the row of an entry could not be read
   */
  public @Nullable KeyedRow next() throws IOException {
    if (left == 0) {
      return null;
    }
    KeyedRow row = source.next();
    if (row == null) {
      end();
      return null;
    }
    left--;
    if (++count % TELL_EVERY == 0) {
      progress.accept(count);
    }
    if (left == 0) {
      end();
    }
    return row;
  }

  private void end() {
    if (count % TELL_EVERY != 0) {
      progress.accept(count);
    }
    close();
  }

  /**
   * The place after which {@link Selection#after(ReadCursor)} continues; null before the first row.
   * For a read of the table, it is the last key that was read, even if its row did not meet the
   * condition; for a read through an index, the entry of the last row.
   */
  public @Nullable ReadCursor cursor() {
    return source.cursor();
  }

  /**
   * The fields that every row has values for, in order: the fields of the table's key, then the
   * fields in the condition that the index takes from columns. For a read {@linkplain Selection#by
   * by} an index, the fields of the index's key.
   */
  public List<Field> fields() {
    return source.fields();
  }

  /**
   * The {@link #fields} that an index takes from columns of the row; empty for a read of the table.
   */
  public List<IndexColumn> columns() {
    return source.columns();
  }

  /**
   * HBase's scan metrics so far, summed over all ranges; null unless the selection was {@linkplain
   * Selection#measured measured}. A read through an index counts only the scans of its entries,
   * because HBase has no metrics of gets.
   */
  public @Nullable ScanMetrics metrics() {
    return source.metrics();
  }

  /**
   * Returns an iterator over the rows that were not read yet.
   *
   * @throws UncheckedIOException from the iterator's methods, if rows could not be read
   */
  @Override
  public Iterator<KeyedRow> iterator() {
    return new RowIterator(this::next);
  }

  /** Returns a stream of the rows that were not read yet; closing the stream closes this. */
  public Stream<KeyedRow> stream() {
    return RowIterator.stream(this::next, this::close);
  }

  /**
   * Ends the read, cancels requests under way, and closes the scanners on region servers. Further
   * calls do nothing.
   */
  @Override
  public void close() {
    left = 0;
    source.close();
  }
}
