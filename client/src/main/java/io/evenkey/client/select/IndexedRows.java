/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.SummedMetrics;
import io.evenkey.client.internal.route.Route;
import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.EntryLimit;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a read through an index, in the order of their entries: entries are scanned as the
 * rows of any table are, and the rows that they name are read in batches. Those are returned whose
 * values are the entry's. Not thread-safe.
 *
 * <p><b>Why a request to the table is needed for each batch of entries, also for none.</b> The
 * client may take an index for public that has been dropped since then, so that rows were written
 * without entries; it may even be there again, and its table still be filled. A request that names
 * the version of the indexes, and is answered after the entries were read, shows that it was not:
 * no writer leaves entries out, and no command deletes them, before all regions refuse that
 * version. The reads of rows are such requests; a batch without rows makes one of its own, and so
 * does the end of the entries, unless the last batch was begun then.
 */
final class IndexedRows implements RowSource {
  private final Route route;
  private final IndexedRead read;
  private final boolean limited;
  private final BatchSize size;
  private final ArrayDeque<Batch> begun = new ArrayDeque<>();
  private final ArrayDeque<KeyedRow> ready = new ArrayDeque<>();

  private KeyedRows entries;

  /** The number of entries that may still be read of {@link #entries}. */
  private long room;

  /** The number of scans of entries that were opened. */
  private int scans;

  /** What the scans before this one have counted. */
  private final List<ScanMetrics> counted = new ArrayList<>();

  private long left;
  private byte @Nullable [] lastEntry;
  private @Nullable ReadCursor cursor;
  private boolean scanned;
  private boolean ended;

  /** Entries in their order, and their rows, which are being read. */
  private record Batch(List<KeyedRow> entries, CompletableFuture<@Nullable Result[]> rows) {}

  IndexedRows(Route route, IndexedRead read, int limit) throws IOException {
    this.route = route;
    this.read = read;
    this.limited = limit > 0;
    this.size = BatchSize.of(limited);
    this.left = limited ? limit : Long.MAX_VALUE;
    this.entries = opened();
  }

  private KeyedRows opened() throws IOException {
    int most = limited ? EntryLimit.after(scans++, (int) left) : 0;
    room = limited ? most : Long.MAX_VALUE;
    try {
      return read.entries(lastEntry, most).open();
    } catch (IOException e) {
      throw read.failed(e);
    }
  }

  @Override
  public @Nullable KeyedRow next() throws IOException {
    while (left > 0 && ready.isEmpty() && !ended) {
      fill();
    }
    if (left == 0 || ready.isEmpty()) {
      close();
      return null;
    }
    KeyedRow row = ready.remove();
    left--;
    cursor = row.cursor();
    return row;
  }

  /** Takes the rows of the next batch, and has those of others read at the same time. */
  private void fill() throws IOException {
    begin(1);
    if (begun.isEmpty()) {
      endOrGoOn();
      return;
    }
    take(begun.remove());
    if (ready.size() < left) {
      begin(size.ahead());
    }
  }

  /** Has as many batches under way, unless there are no more entries. */
  private void begin(int ahead) throws IOException {
    while (!scanned && begun.size() < ahead) {
      beginBatch();
    }
  }

  private void beginBatch() throws IOException {
    List<KeyedRow> met = new ArrayList<>();
    while (met.size() < size.rows()) {
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
    } else if (isCut()) {
      return;
    }
    begun.add(new Batch(met, read.rows(route, met)));
  }

  /** Whether the limit has ended the scan, and not the index. */
  private boolean isCut() {
    return room <= 0;
  }

  private @Nullable KeyedRow nextEntry() throws IOException {
    try {
      return entries.next();
    } catch (IOException e) {
      throw read.failed(e);
    }
  }

  private void endOrGoOn() throws IOException {
    entries.close();
    if (isCut()) {
      ScanMetrics last = entries.metrics();
      if (last != null) {
        counted.add(last);
      }
      entries = opened();
      scanned = false;
      return;
    }
    ended = true;
  }

  private void take(Batch batch) throws IOException {
    @Nullable Result[] rows = Futures.get(batch.rows());
    size.came(batch.entries(), rows);
    ready.addAll(read.found(batch.entries(), rows));
  }

  /** That of the entry of the last row. */
  @Override
  public @Nullable ReadCursor cursor() {
    return cursor;
  }

  @Override
  public List<Field> fields() {
    return read.fields();
  }

  @Override
  public List<IndexColumn> columns() {
    return read.fields().stream()
        .flatMap(field -> read.index().index().column(field.name()).stream())
        .toList();
  }

  /** Those of all scans of entries. */
  @Override
  public @Nullable ScanMetrics metrics() {
    ScanMetrics now = entries.metrics();
    if (now == null || counted.isEmpty()) {
      return now;
    }
    List<ScanMetrics> all = new ArrayList<>(counted);
    all.add(now);
    return SummedMetrics.of(all);
  }

  @Override
  public void close() {
    left = 0;
    begun.clear();
    ready.clear();
    entries.close();
  }
}
