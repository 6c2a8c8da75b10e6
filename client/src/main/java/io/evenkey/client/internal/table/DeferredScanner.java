/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that is being opened: the first row waits for it, and says why it could not be opened.
 * Not thread-safe.
 */
final class DeferredScanner implements ResultScanner {
  private final CompletableFuture<ResultScanner> opening;

  DeferredScanner(CompletableFuture<ResultScanner> opening) {
    this.opening = opening;
  }

  @Override
  public @Nullable Result next() throws IOException {
    return Futures.get(opening).next();
  }

  @Override
  public void close() {
    FutureUtils.addListener(
        opening,
        (scanner, error) -> {
          if (scanner != null) {
            scanner.close();
          }
        });
  }

  @Override
  public boolean renewLease() {
    ResultScanner scanner = opened();
    return scanner != null && scanner.renewLease();
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    ResultScanner scanner = opened();
    return scanner == null ? null : scanner.getScanMetrics();
  }

  private @Nullable ResultScanner opened() {
    return opening.isCompletedExceptionally() ? null : opening.getNow(null);
  }
}
