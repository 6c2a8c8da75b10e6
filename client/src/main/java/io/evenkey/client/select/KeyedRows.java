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
 * The rows of a selection, in the order of their keys, or of those of the index through which they
 * are read; read ahead. To be closed; iterated over once. Not thread-safe.
 *
 * <pre>{@code
 * try (KeyedRows rows = events.select().where("device = 'd1'").open()) {
 *   for (KeyedRow row : rows) {
 *     show(row);
 *   }
 * }
 * }</pre>
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
   * The next row, or null if there are no more.
   *
   * @throws io.evenkey.client.failure.IndexRefusedException if the index may not be read any more
   * @throws IOException if a range, or the row of an entry, could not be read
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
   * The place behind which {@link Selection#after(ReadCursor)} continues: the last key of the table
   * that was read, whether it was wanted or not, or that of the entry of the last row; null before
   * the first.
   */
  public @Nullable ReadCursor cursor() {
    return source.cursor();
  }

  /**
   * The fields whose values rows have, in their order: those of the table's key, and those of the
   * condition that an index takes from columns. Of a read {@linkplain Selection#by by} an index,
   * those of the index's key.
   */
  public List<Field> fields() {
    return source.fields();
  }

  /** Those of the {@link #fields} that an index takes from columns of the row. */
  public List<IndexColumn> columns() {
    return source.columns();
  }

  /**
   * HBase's scan metrics up to now, summed over all ranges; null unless the selection was
   * {@linkplain Selection#measured measured}. Of a read through an index, those of all scans of its
   * entries, since HBase has none of the reads of rows.
   */
  public @Nullable ScanMetrics metrics() {
    return source.metrics();
  }

  /**
   * The rows not read yet.
   *
   * @throws UncheckedIOException while it is gone through, if rows could not be read
   */
  @Override
  public Iterator<KeyedRow> iterator() {
    return new RowIterator(this::next);
  }

  /** The rows not read yet, as {@link #iterator}; closing the stream closes this. */
  public Stream<KeyedRow> stream() {
    return RowIterator.stream(this::next, this::close);
  }

  /** Ends the scan; what is under way is called off. */
  @Override
  public void close() {
    left = 0;
    source.close();
  }
}
