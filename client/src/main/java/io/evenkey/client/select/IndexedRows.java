/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.gather.SummedMetrics;
import io.evenkey.client.internal.route.Route;
import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an {@link IndexedPublisher} for a caller that waits for each of them. The publisher
 * reads ahead, so that only one row is asked for at a time. Not thread-safe.
 */
final class IndexedRows implements RowSource, Flow.Subscriber<KeyedRow> {
  private final IndexedRead read;
  private final List<ScanMetrics> counted = new CopyOnWriteArrayList<>();

  /** Signals of the publisher: a row, null for the end, or a failure. */
  private final BlockingQueue<CompletableFuture<@Nullable KeyedRow>> told =
      new LinkedBlockingQueue<>();

  private CompletableFuture<@Nullable KeyedRow> last = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private @Nullable ReadCursor cursor;

  IndexedRows(Route route, IndexedRead read, int limit) {
    this.read = read;
    new IndexedPublisher(route, read, limit, counted::add).subscribe(this);
  }

  @Override
  public @Nullable KeyedRow next() throws IOException {
    if (isOver()) {
      return Futures.get(last);
    }
    Objects.requireNonNull(subscription).request(1);
    last = awaited();
    KeyedRow row = Futures.get(last);
    cursor = row == null ? cursor : row.cursor();
    return row;
  }

  private boolean isOver() {
    return last.isCompletedExceptionally() || last.isDone() && last.join() == null;
  }

  private CompletableFuture<@Nullable KeyedRow> awaited() throws InterruptedIOException {
    try {
      return told.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while rows were read").initCause(e);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
  }

  @Override
  public void onNext(KeyedRow row) {
    told.add(CompletableFuture.completedFuture(row));
  }

  @Override
  public void onError(Throwable error) {
    told.add(CompletableFuture.failedFuture(error));
  }

  @Override
  public void onComplete() {
    told.add(CompletableFuture.completedFuture(null));
  }

  /** The cursor of the last row's entry. */
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

  /** The summed metrics of all scans of entries. */
  @Override
  public @Nullable ScanMetrics metrics() {
    return read.asked().isScanMetricsEnabled() ? SummedMetrics.of(counted) : null;
  }

  @Override
  public void close() {
    Objects.requireNonNull(subscription).cancel();
  }
}
