/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import java.io.IOException;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;

/**
 * Writes many rows in batches: the fastest way to load rows through region servers. Created by
 * {@link SpreadTable#mutator}.
 *
 * <pre>{@code
 * try (SpreadMutator puts = events.mutator()) {
 *   for (Put put : many) {
 *     puts.put(put);
 *   }
 * }
 * }</pre>
 *
 * <p>When {@link #put} returns, the row may still be in the buffer of {@code
 * hbase.client.write.buffer} bytes. {@link #flush} and {@link #close} return after region servers
 * have acknowledged all rows. If the process dies before, buffered rows are lost. Thread-safe.
 */
public final class SpreadMutator implements AutoCloseable {
  private final BufferedMutator mutator;

  SpreadMutator(BufferedMutator mutator) {
    this.mutator = mutator;
  }

  /**
   * Adds a row to the buffer. If the buffer is full, this sends it, and blocks while it does: one
   * request per region server for all rows there.
   *
   * @param put with the logical key as its row
   * @throws org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException if this or an
   *     earlier row could not be written; it names each of them
   */
  public void put(Put put) throws IOException {
    mutator.mutate(put);
  }

  /**
   * Sends the buffer and waits until all rows have been acknowledged.
   *
   * @throws org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException if a row could not
   *     be written
   */
  public void flush() throws IOException {
    mutator.flush();
  }

  /**
   * Flushes, then releases the buffer.
   *
   * @throws org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException if a row could not
   *     be written
   */
  @Override
  public void close() throws IOException {
    mutator.close();
  }
}
