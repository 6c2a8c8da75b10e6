package io.evenkey.app.bench;

import java.io.IOException;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** A scan as an application would read it. Not thread-safe. */
public interface RowScan extends AutoCloseable {
  /** What {@link #next} gives behind the last row. */
  long END = -1;

  /** Reads a row's key and value; gives what {@link #mixed} makes of them, or {@link #END}. */
  long next() throws IOException;

  /** What HBase counted, or null if that is not known. */
  @Nullable ScanMetrics metrics();

  @Override
  void close() throws IOException;

  /** A number made of a key's bytes and a value's length, so that both have been looked at. */
  static long mixed(byte[] key, int from, int to, int valueLength) {
    int mixed = valueLength;
    for (int i = from; i < to; i++) {
      mixed = 31 * mixed + key[i];
    }
    return mixed & 0xffffffffL;
  }
}
