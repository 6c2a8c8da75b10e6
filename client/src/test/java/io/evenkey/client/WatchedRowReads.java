/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.select.IndexSource;
import io.evenkey.client.select.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * The rows of reads through an index as a client reads them, of which a test sees the batches.
 * Thread-safe.
 */
public final class WatchedRowReads implements IndexSource {
  private final IndexSource source;
  private final UnaryOperator<Result[]> answer;
  private final List<Integer> batches = new ArrayList<>();

  private WatchedRowReads(IndexSource source, UnaryOperator<Result[]> answer) {
    this.source = source;
    this.answer = answer;
  }

  /**
   * Those of tables.
   *
   * @param answer changes what the region servers have answered
   */
  public static WatchedRowReads of(SpreadTables tables, UnaryOperator<Result[]> answer) {
    return new WatchedRowReads(tables.indexSource(), answer);
  }

  /** The number of rows of each batch up to now, in the order in which they were begun. */
  public synchronized List<Integer> batches() {
    return List.copyOf(batches);
  }

  @Override
  public void forget(TableName table) {
    source.forget(table);
  }

  @Override
  public Selection entries(IndexReads index) throws IOException {
    return source.entries(index);
  }

  @Override
  public CompletableFuture<Result[]> rows(Generation generation, List<Get> gets)
      throws IOException {
    synchronized (this) {
      batches.add(gets.size());
    }
    return source.rows(generation, gets).thenApply(answer);
  }

  @Override
  public CompletableFuture<?> confirm(Generation generation, Get get) throws IOException {
    return source.confirm(generation, get);
  }
}
