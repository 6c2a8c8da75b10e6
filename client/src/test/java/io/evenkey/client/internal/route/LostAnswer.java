/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * A region coprocessor that lets the next increment or append of a table be made, and then answers
 * that it failed, as if the connection had broken.
 */
public final class LostAnswer implements RegionCoprocessor, RegionObserver {
  private static final Map<String, Loss> LOSSES = new ConcurrentHashMap<>();

  /** For HBase, which makes one for each region. */
  public LostAnswer() {}

  /** One answer that is lost. */
  public static final class Loss {
    private final AtomicBoolean used = new AtomicBoolean();
    private final CountDownLatch made = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    /** Waits until the increment or append is made; its client waits for the answer. */
    public void awaitMade() throws InterruptedException {
      if (!made.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("nothing was made");
      }
    }

    /** Answers that it failed. */
    public void answer() {
      answered.countDown();
    }
  }

  /** Loses the answer to the next increment or append of a table. */
  public static Loss next(TableName table) {
    Loss loss = new Loss();
    LOSSES.put(table.getNameAsString(), loss);
    return loss;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    Loss loss = LOSSES.get(c.getEnvironment().getRegionInfo().getTable().getNameAsString());
    if (loss == null || !success || !isMadeOnce(batch) || loss.used.getAndSet(true)) {
      return;
    }
    loss.made.countDown();
    try {
      loss.answered.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IOException("answer lost, for the test");
  }

  private static boolean isMadeOnce(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (mutation instanceof Increment || mutation instanceof Append) {
        return true;
      }
    }
    return false;
  }
}
