/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Another coprocessor beside the guard, which runs before it. What it does depends on the row of a
 * write: {@value #HELD} waits after the guard's check, {@value #BROKEN} is written and then fails,
 * {@value #INDEXED} writes a second row.
 */
public final class Interference implements RegionCoprocessor, RegionObserver {
  static final String HELD = "held";
  static final String BROKEN = "broken";
  static final String INDEXED = "indexed";
  static final String INDEX = "index";

  private static volatile CountDownLatch arrived = new CountDownLatch(1);
  private static volatile CountDownLatch released = new CountDownLatch(0);

  /** For HBase. */
  public Interference() {}

  /** From now on a write of {@link #HELD} waits. */
  static void hold() {
    arrived = new CountDownLatch(1);
    released = new CountDownLatch(1);
  }

  static void awaitHeld() throws InterruptedException {
    if (!arrived.await(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("no write came");
    }
  }

  static void release() {
    released.countDown();
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (Bytes.toString(batch.getOperation(i).getRow()).equals(INDEXED)) {
        batch.addOperationsFromCP(
            i,
            new Mutation[] {
              new Put(Bytes.toBytes(INDEX), 1)
                  .addColumn(GuardedTable.FAMILY, GuardedTable.QUALIFIER, Bytes.toBytes(1L))
            });
      }
    }
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, WALKey key, WALEdit edit)
      throws IOException {
    for (Cell cell : edit.getCells()) {
      if (CellUtil.matchingRows(cell, Bytes.toBytes(HELD))) {
        arrived.countDown();
        try {
          if (!released.await(1, TimeUnit.MINUTES)) {
            throw new IOException("held too long");
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    }
  }

  @Override
  public void postPut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
    if (Bytes.toString(put.getRow()).equals(BROKEN)) {
      throw new IOException("broken by a test");
    }
  }
}
