/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** A scan as applications read it. Not thread-safe. */
public interface RowScan extends AutoCloseable {
  /** The result of {@link #next} after the last row. */
  long END = -1;

  /** Reads a row's key and value; returns {@link #mixed} of them, or {@link #END}. */
  long next() throws IOException;

  /** HBase's counts, or null if unknown. */
  @Nullable ScanMetrics metrics();

  @Override
  void close() throws IOException;

  /** A number computed from a key's bytes and a value's length, so that both are read. */
  static long mixed(byte[] key, int from, int to, int valueLength) {
    int mixed = valueLength;
    for (int i = from; i < to; i++) {
      mixed = 31 * mixed + key[i];
    }
    return mixed & 0xffffffffL;
  }
}
