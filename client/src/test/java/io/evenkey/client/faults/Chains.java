/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.faults;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Chains of rows, each naming one that was written before it, as in HBase's own
 * IntegrationTestBigLinkedList: a row is named only after its write was acknowledged, so that any
 * row that is named and not there was lost.
 */
final class Chains implements Runnable {
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[] PREVIOUS = Bytes.toBytes("p");
  private static final int WIDTH = 50;
  private static final int KEY_BYTES = 16;

  /** Writes rows, and returns when they are acknowledged. */
  @FunctionalInterface
  interface Writer {
    void write(List<Put> puts) throws Exception;
  }

  private final Writer writer;
  private final SplittableRandom random;
  private final AtomicBoolean stop;
  private final Lock writing;
  private final List<ByteBuffer> acknowledged = new ArrayList<>();
  private final AtomicInteger retries = new AtomicInteger();
  private volatile int count;

  /**
   * Chains that are written until they are stopped.
   *
   * @param writing held while a write is under way
   */
  Chains(Writer writer, SplittableRandom random, AtomicBoolean stop, Lock writing) {
    this.writer = writer;
    this.random = random;
    this.stop = stop;
    this.writing = writing;
  }

  @Override
  public void run() {
    List<byte[]> previous = List.of();
    while (!stop.get()) {
      List<byte[]> keys = new ArrayList<>();
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < WIDTH; i++) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        keys.add(key);
        byte[] named = previous.isEmpty() ? new byte[0] : previous.get(i);
        puts.add(new Put(key, 1).addColumn(FAMILY, PREVIOUS, named));
      }
      writeUntilAcknowledged(puts);
      synchronized (this) {
        keys.forEach(key -> acknowledged.add(ByteBuffer.wrap(key)));
        count = acknowledged.size();
      }
      previous = keys;
    }
  }

  // The same rows with the same time: a writer that does not know whether a write went through
  // repeats it.
  private void writeUntilAcknowledged(List<Put> puts) {
    while (true) {
      writing.lock();
      try {
        writer.write(puts);
        return;
      } catch (Exception e) {
        retries.incrementAndGet();
      } finally {
        writing.unlock();
      }
    }
  }

  /** The number of rows that have been acknowledged. */
  int count() {
    return count;
  }

  /** The number of writes that the application had to repeat. */
  int retries() {
    return retries.get();
  }

  /** The first so many acknowledged rows. */
  synchronized List<ByteBuffer> acknowledged(int first) {
    return List.copyOf(acknowledged.subList(0, first));
  }
}
