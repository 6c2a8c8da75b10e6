/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.future.Futures;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scanner that is being opened: the first row waits for it, and says why it could not be opened.
 * Not thread-safe.
 */
final class DeferredScanner implements ResultScanner {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredScanner.class);

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
    Futures.whenDone(
        opening,
        (scanner, error) -> {
          if (error == null) {
            scanner.close();
          }
        },
        failure -> LOG.warn("scanner not closed", failure));
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
