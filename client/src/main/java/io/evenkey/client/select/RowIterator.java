/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Rows that are read one by one, as an iterator and as a stream. Not thread-safe. */
final class RowIterator implements Iterator<KeyedRow> {
  private final Source rows;
  private @Nullable KeyedRow ahead;

  RowIterator(Source rows) {
    this.rows = rows;
  }

  /** The source of the rows. */
  @FunctionalInterface
  interface Source {
    /** The next row, or null if there are no more. */
    @Nullable KeyedRow next() throws IOException;
  }

  /** The rows as a stream; {@code close} is run when it is closed. */
  static Stream<KeyedRow> stream(Source rows, Runnable close) {
    Spliterator<KeyedRow> each =
        Spliterators.spliteratorUnknownSize(
            new RowIterator(rows),
            Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
    return StreamSupport.stream(each, false).onClose(close);
  }

  @Override
  public boolean hasNext() {
    if (ahead == null) {
      try {
        ahead = rows.next();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return ahead != null;
  }

  @Override
  public KeyedRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no more rows");
    }
    KeyedRow row = ahead;
    ahead = null;
    return Objects.requireNonNull(row);
  }
}
