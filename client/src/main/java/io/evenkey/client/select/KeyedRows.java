/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a selection, in the order of their keys, read ahead. To be closed; iterated over
 * once. Not thread-safe.
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

  private final ResultScanner scanner;
  private final Matching matching;
  private final LongConsumer progress;
  private long left;
  private long count;
  private @Nullable Result last;

  KeyedRows(ResultScanner scanner, Matching matching, long limit, LongConsumer progress) {
    this.scanner = scanner;
    this.matching = matching;
    this.left = limit == 0 ? Long.MAX_VALUE : limit;
    this.progress = progress;
  }

  /**
   * The next row, or null if there are no more.
   *
   * @throws IOException if a range could not be read; says which
   */
  public @Nullable KeyedRow next() throws IOException {
    while (left > 0) {
      Result result = scanner.next();
      if (result == null) {
        end();
        break;
      }
      last = result;
      KeyedRow row = matching.row(result);
      if (row != null) {
        left--;
        if (++count % TELL_EVERY == 0) {
          progress.accept(count);
        }
        if (left == 0) {
          end();
        }
        return row;
      }
    }
    return null;
  }

  private void end() {
    if (count % TELL_EVERY != 0) {
      progress.accept(count);
    }
    close();
  }

  /**
   * The key behind which {@link Selection#after} continues: the last logical key that was read,
   * whether it was wanted or not; null before the first.
   */
  public byte @Nullable [] cursor() {
    return last == null ? null : last.getRow().clone();
  }

  /**
   * HBase's scan metrics up to now, summed over all ranges; null unless the selection was
   * {@linkplain Selection#measured measured}.
   */
  public @Nullable ScanMetrics metrics() {
    return scanner.getScanMetrics();
  }

  /**
   * The rows not read yet.
   *
   * @throws UncheckedIOException while it is gone through, if a range could not be read
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
    scanner.close();
  }
}
