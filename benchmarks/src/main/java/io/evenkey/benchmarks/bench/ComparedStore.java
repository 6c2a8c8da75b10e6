/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.io.Closeable;
import java.io.IOException;

/**
 * One way to store the rows of a comparison in HBase and to read them in key order. Reading is
 * thread-safe.
 */
public interface ComparedStore extends Closeable {
  /** The side's name in reports. */
  String name();

  /** Whether this side can run the task. */
  boolean can(Task task);

  /**
   * Creates the table, writes all rows and flushes it.
   *
   * @param buckets the number of buckets, and of regions
   */
  void fill(BenchRows rows, int buckets) throws IOException;

  /**
   * Opens a scan of the keys in a range.
   *
   * @param measured whether HBase collects scan metrics
   */
  RowScan scan(Task task, KeyRange range, boolean measured) throws IOException;

  /** Drops the tables that {@link #fill} has created, and no others. */
  void drop() throws IOException;

  /** Drops the tables that this side still has, and disconnects. */
  @Override
  void close() throws IOException;
}
