/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Result;

/** Keeps all rows of a scan. As thread-safe as consumers have to be. */
final class CollectedRows implements AdvancedScanResultConsumer {
  private final CompletableFuture<List<Result>> all = new CompletableFuture<>();
  private final List<Result> rows = new ArrayList<>();

  /** Forgets them: the scan is made again. */
  void forget() {
    rows.clear();
  }

  /** Complete when the scan is over. */
  CompletableFuture<List<Result>> rows() {
    return all;
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    rows.addAll(Arrays.asList(results));
  }

  @Override
  public void onError(Throwable error) {
    all.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    all.complete(rows);
  }
}
