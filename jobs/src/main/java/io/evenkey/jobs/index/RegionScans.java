/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.jobs.compare.CellTags;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads all stored rows of a table, some regions at a time, in batches. Not thread-safe; the
 * batches come from several threads.
 */
final class RegionScans {
  /** Regions that are read at once. */
  private static final int AT_ONCE = 4;

  private static final int BATCH = 500;
  private static final long TICK_MS = 200;

  private final Connection plain;
  private final TableName table;
  private final UnaryOperator<Scan> restriction;

  /** Called every now and then by the thread that waits. */
  @FunctionalInterface
  interface Ticks {
    void at(double share, long rows) throws IOException;
  }

  /** Takes some rows of one region, in order. */
  @FunctionalInterface
  interface Batches {
    /**
     * Some rows.
     *
     * @param range what was read for them: all rows of it, and no others
     */
    void accept(KeyRange range, List<Result> rows) throws IOException;
  }

  /**
   * @param restriction to columns and by filters that do not look at rows
   */
  RegionScans(Connection plain, TableName table, UnaryOperator<Scan> restriction) {
    this.plain = plain;
    this.table = table;
    this.restriction = restriction;
  }

  /**
   * Reads.
   *
   * @param parts the parts of a region that are to be read
   * @return the number of rows
   */
  long read(Function<KeyRange, List<KeyRange>> parts, Batches batches, Ticks ticks)
      throws IOException {
    AtomicBoolean called = new AtomicBoolean();
    AtomicLong rows = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, this::thread);
    // With tags: labels and rights of single cells are seen there.
    try (Connection tagged =
        ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()))) {
      CompletionService<Boolean> reads = new ExecutorCompletionService<>(threads);
      List<KeyRange> regions = regions(tagged);
      for (KeyRange region : regions) {
        Future<Boolean> unused =
            reads.submit(
                () -> {
                  for (KeyRange part : parts.apply(region)) {
                    read(tagged, part, batches, rows, called);
                  }
                  return true;
                });
      }
      try {
        await(reads, regions.size(), rows, ticks);
        return rows.get();
      } finally {
        called.set(true);
        threads.shutdown();
        end(threads);
      }
    }
  }

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task, "evenkey-index-" + table);
    thread.setDaemon(true);
    return thread;
  }

  private static void await(
      CompletionService<Boolean> reads, int regions, AtomicLong rows, Ticks ticks)
      throws IOException {
    int done = 0;
    while (done < regions) {
      try {
        Future<Boolean> ended = reads.poll(TICK_MS, TimeUnit.MILLISECONDS);
        if (ended != null) {
          Futures.get(ended);
          done++;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while regions are read");
      }
      ticks.at((double) done / regions, rows.get());
    }
  }

  private static void end(ExecutorService threads) throws InterruptedIOException {
    try {
      if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while regions are read");
    }
  }

  private List<KeyRange> regions(Connection connection) throws IOException {
    // A server that has lost a region without knowing it would answer from the past.
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      List<KeyRange> regions = new ArrayList<>();
      for (HRegionLocation at : locator.getAllRegionLocations()) {
        regions.add(KeyRange.of(at.getRegion().getStartKey(), at.getRegion().getEndKey()));
      }
      return regions;
    }
  }

  private void read(
      Connection connection, KeyRange range, Batches batches, AtomicLong rows, AtomicBoolean called)
      throws IOException {
    Scan scan =
        restriction
            .apply(new Scan())
            .withStartRow(range.start())
            .withStopRow(range.stop())
            .setCaching(BATCH)
            .setCacheBlocks(false);
    scan.setAttribute(GuardAttributes.RAW, new byte[0]);
    byte[] from = range.start();
    List<Result> batch = new ArrayList<>(BATCH);
    try (Table read = connection.getTable(table);
        ResultScanner scanner = read.getScanner(scan)) {
      for (Result row = scanner.next(); row != null && !called.get(); row = scanner.next()) {
        batch.add(row);
        if (batch.size() == BATCH) {
          byte[] to = KeyRange.successor(row.getRow());
          batches.accept(KeyRange.of(from, to), batch);
          rows.addAndGet(batch.size());
          from = to;
          batch = new ArrayList<>(BATCH);
        }
      }
    }
    if (!called.get()) {
      batches.accept(KeyRange.of(from, range.stop()), batch);
      rows.addAndGet(batch.size());
    }
  }

  @Override
  public String toString() {
    return "regions of " + table;
  }
}
