/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.future.Futures;
import io.evenkey.client.index.IndexReads;
import io.evenkey.client.index.IndexRefusedException;
import io.evenkey.client.route.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a read through an index, in the order of their entries. A row's values are those of
 * the fields of the index's key, which has all fields of the table's key; its cells are those of
 * the row. To be closed; iterated over once. Not thread-safe.
 *
 * <p><b>Why a request to the table is needed, even if there are no entries.</b> The client may take
 * an index for public that was dropped meanwhile, so that rows were written without entries. A
 * request that names the version of the indexes, and is answered after the read began, shows that
 * it was not: no writer leaves entries out before all regions refuse that version. The reads of
 * rows are such requests; a read without rows makes one of its own.
 */
public final class IndexedRows implements Iterable<KeyedRow>, AutoCloseable {
  /** The largest number of entries whose rows are read together. */
  static final int BATCH = 100;

  /** Batches of rows that are under way at once, while their rows are small. */
  private static final int AHEAD = 3;

  /** From this size on of the last batch, only one is under way. */
  private static final long LARGE_BYTES = 2L << 20;

  private final Route route;
  private final IndexReads index;
  private final IndexSource source;
  private final Selection all;
  private final boolean limited;
  private final ArrayDeque<Batch> begun = new ArrayDeque<>();
  private final ArrayDeque<Found> ready = new ArrayDeque<>();

  private KeyedRows entries;

  /** The number of entries that may still be read of {@link #entries}. */
  private long room;

  private long left;
  private byte @Nullable [] lastEntry;
  private byte @Nullable [] cursor;
  private boolean confirmed;
  private boolean scanned;
  private boolean ended;
  private long batchBytes;

  /** A row, and the key of its entry. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Found(KeyedRow row, byte[] entry) {}

  /** Entries in their order, and their rows, which are being read. */
  private record Batch(List<KeyedRow> entries, CompletableFuture<Result[]> rows) {}

  IndexedRows(Route route, IndexReads index, IndexSource source, Selection entries, int limit)
      throws IOException {
    this.route = route;
    this.index = index;
    this.source = source;
    this.all = entries;
    this.limited = limit > 0;
    this.left = limited ? limit : Long.MAX_VALUE;
    this.entries = opened();
  }

  /** The number of entries to read at first for a number of rows: some may be without one. */
  static int entriesFor(int rows) {
    return (int) Math.min(Integer.MAX_VALUE, rows + rows / 8L + 4);
  }

  private KeyedRows opened() throws IOException {
    Selection next = lastEntry == null ? all : all.after(lastEntry);
    int most = limited ? entriesFor((int) left) : 0;
    room = limited ? most : Long.MAX_VALUE;
    try {
      return limited ? next.limit(most).open() : next.open();
    } catch (IOException e) {
      throw IndexRefusedException.entryFailed(index.entries(), e);
    }
  }

  /**
   * The next row, or null if there are no more.
   *
   * @throws io.evenkey.client.index.IndexRefusedException if the index may not be read any more
   * @throws IOException if a range or rows could not be read
   */
  public @Nullable KeyedRow next() throws IOException {
    while (left > 0 && ready.isEmpty() && !ended) {
      fill();
    }
    if (left == 0 || ready.isEmpty()) {
      close();
      return null;
    }
    Found found = ready.remove();
    left--;
    cursor = found.entry();
    return found.row();
  }

  /** Takes the rows of the next batch, while those of others are read. */
  private void fill() throws IOException {
    int ahead = batchBytes > LARGE_BYTES ? 1 : AHEAD;
    while (!scanned && begun.size() < ahead) {
      beginBatch();
    }
    if (begun.isEmpty()) {
      endOrGoOn();
    } else {
      take(begun.remove());
    }
  }

  private void beginBatch() throws IOException {
    List<KeyedRow> met = new ArrayList<>();
    while (met.size() < BATCH) {
      KeyedRow entry = nextEntry();
      if (entry == null) {
        scanned = true;
        break;
      }
      met.add(entry);
      room--;
    }
    if (!met.isEmpty()) {
      lastEntry = met.get(met.size() - 1).key();
      begun.add(new Batch(met, rows(met)));
    }
  }

  private CompletableFuture<Result[]> rows(List<KeyedRow> met) {
    List<Get> gets = new ArrayList<>(met.size());
    for (KeyedRow entry : met) {
      gets.add(index.get(entry.key()));
    }
    return route.later(
        generation -> {
          index.check(generation.rows().indexes());
          return source.rows(generation, gets);
        });
  }

  private @Nullable KeyedRow nextEntry() throws IOException {
    try {
      return entries.next();
    } catch (IOException e) {
      throw IndexRefusedException.entryFailed(index.entries(), e);
    }
  }

  private void endOrGoOn() throws IOException {
    entries.close();
    if (room <= 0) {
      // The limit has ended the scan, not the index.
      entries = opened();
      scanned = false;
      return;
    }
    if (!confirmed) {
      route.call(
          generation -> {
            index.check(generation.rows().indexes());
            source.confirm(generation);
            return Boolean.TRUE;
          });
    }
    ended = true;
  }

  private void take(Batch batch) throws IOException {
    Result[] rows = Futures.get(batch.rows());
    confirmed = true;
    batchBytes = 0;
    for (int i = 0; i < rows.length; i++) {
      KeyedRow entry = batch.entries().get(i);
      batchBytes += Result.getTotalSizeOfCells(rows[i]);
      if (index.matches(entry.key(), rows[i])) {
        ready.add(new Found(new KeyedRow(entry.values(), rows[i]), entry.key()));
      }
    }
  }

  /**
   * The key behind which {@link IndexSelection#after} continues: that of the entry of the last row
   * that was returned; null before the first.
   */
  public byte @Nullable [] cursor() {
    return cursor == null ? null : cursor.clone();
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

  /** Ends the read; what is under way is called off. */
  @Override
  public void close() {
    left = 0;
    begun.clear();
    ready.clear();
    entries.close();
  }
}
