/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.Generation;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the rows that have entries in an index, in the order of the index. The results have the
 * logical keys of the entries, and the columns of the rows. Thread-safe.
 */
public interface RowsOfEntries {
  /**
   * Opens a scanner; waits for region servers.
   *
   * @param entries the table of the index
   * @param keys those of the entries
   * @param scan the columns, the direction, the limit and the settings; its bounds are not looked
   *     at
   */
  ResultScanner open(Generation entries, KeyRange keys, Scan scan) throws IOException;

  /** As {@link #open}, without holding the caller's thread. */
  CompletableFuture<ResultScanner> opening(Generation entries, KeyRange keys, Scan scan);

  /** As {@link #opening}, as a reactive stream, for which no thread waits. */
  CompletableFuture<Flow.Publisher<Result>> publisher(Generation entries, KeyRange keys, Scan scan);
}
