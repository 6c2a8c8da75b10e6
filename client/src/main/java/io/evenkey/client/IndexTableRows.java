/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.LogicalResults;
import io.evenkey.client.internal.table.RowsOfEntries;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** The rows of the entries of indexes, for applications that open an index as a table. */
record IndexTableRows(TableIndexSource source) implements RowsOfEntries {
  @Override
  public ResultScanner open(Generation entries, KeyRange keys, Scan scan) throws IOException {
    return new Scanner(selection(entries, keys, scan).open());
  }

  @Override
  public CompletableFuture<ResultScanner> opening(Generation entries, KeyRange keys, Scan scan) {
    return later(entries, () -> open(entries, keys, scan));
  }

  @Override
  public CompletableFuture<Flow.Publisher<Result>> publisher(
      Generation entries, KeyRange keys, Scan scan) {
    return later(
        entries,
        () -> {
          Flow.Publisher<KeyedRow> rows = selection(entries, keys, scan).publisher();
          return subscriber -> rows.subscribe(new Subscriber(subscriber));
        });
  }

  private Selection selection(Generation entries, KeyRange keys, Scan scan) throws IOException {
    return source
        .rows(indexed(entries))
        .by(entries.table().getNameAsString())
        .within(keys)
        .like(scan);
  }

  private static TableName indexed(Generation entries) {
    return Objects.requireNonNull(entries.indexed(), "table of an index");
  }

  @FunctionalInterface
  private interface Call<R> {
    R make() throws IOException;
  }

  // When the indexed table is known; it may have to be looked up again, which neither HBase's
  // threads nor those of Java's common pool must wait for.
  private <R> CompletableFuture<R> later(Generation entries, Call<R> call) {
    return Futures.chain(
        source.find(indexed(entries)),
        known -> Futures.call(BlockingCallThreads::executeAtOnce, call::make));
  }

  private static Result underEntry(KeyedRow row) {
    return LogicalResults.under(row.cursor().key(), row.result());
  }

  /** A scanner of them. Not thread-safe. */
  private record Scanner(KeyedRows rows) implements ResultScanner {
    @Override
    public @Nullable Result next() throws IOException {
      KeyedRow row = rows.next();
      return row == null ? null : underEntry(row);
    }

    @Override
    public void close() {
      rows.close();
    }

    /** There is no lease that could be renewed: the scan goes on behind its last entry. */
    @Override
    public boolean renewLease() {
      return false;
    }

    @Override
    public @Nullable ScanMetrics getScanMetrics() {
      return rows.metrics();
    }
  }

  /** Passes them on. */
  private record Subscriber(Flow.Subscriber<? super Result> subscriber)
      implements Flow.Subscriber<KeyedRow> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriber.onSubscribe(subscription);
    }

    @Override
    public void onNext(KeyedRow row) {
      subscriber.onNext(underEntry(row));
    }

    @Override
    public void onError(Throwable error) {
      subscriber.onError(error);
    }

    @Override
    public void onComplete() {
      subscriber.onComplete();
    }
  }
}
