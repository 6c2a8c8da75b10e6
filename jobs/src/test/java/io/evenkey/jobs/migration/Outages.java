/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops ZooKeeper again and again, each time for less than a session's timeout, until closed. */
final class Outages implements AutoCloseable {
  private static final long OUTAGE_MS = 1_500;
  private static final int LONGEST_BETWEEN_MS = 60_000;

  private final EmbeddedHBase hbase;
  private final SplittableRandom random;
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger count = new AtomicInteger();
  private final CompletableFuture<Void> thread;

  Outages(EmbeddedHBase hbase, long seed) {
    this.hbase = hbase;
    this.random = new SplittableRandom(seed);
    this.thread = CompletableFuture.runAsync(this::run);
  }

  private void run() {
    try {
      while (!isOverAfter(random.nextInt(LONGEST_BETWEEN_MS))) {
        hbase.stopZooKeeper();
        isOverAfter(OUTAGE_MS);
        hbase.startZooKeeper();
        count.incrementAndGet();
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isOverAfter(long ms) throws InterruptedException {
    return over.await(ms, TimeUnit.MILLISECONDS);
  }

  /** The number of outages. */
  int count() {
    return count.get();
  }

  @Override
  public void close() {
    over.countDown();
    thread.join();
  }
}
