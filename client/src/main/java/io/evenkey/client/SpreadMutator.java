/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import java.io.IOException;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Put;

/**
 * Sends puts in batches. A put may still wait in the buffer when {@link #put} returns; {@link
 * #flush} and {@link #close} return only when all have been acknowledged. Thread-safe.
 *
 * <pre>{@code
 * try (SpreadMutator puts = events.mutator()) {
 *   for (Put put : many) {
 *     puts.put(put);
 *   }
 * }
 * }</pre>
 */
public final class SpreadMutator implements AutoCloseable {
  private final BufferedMutator mutator;

  SpreadMutator(BufferedMutator mutator) {
    this.mutator = mutator;
  }

  /**
   * Writes a row.
   *
   * @param put with the logical key as its row
   * @throws org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException if this or an
   *     earlier put could not be written
   */
  public void put(Put put) throws IOException {
    mutator.mutate(put);
  }

  /** Waits until everything put so far has been acknowledged. */
  public void flush() throws IOException {
    mutator.flush();
  }

  @Override
  public void close() throws IOException {
    mutator.close();
  }
}
