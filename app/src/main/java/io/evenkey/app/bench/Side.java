package io.evenkey.app.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.io.Closeable;
import java.io.IOException;

/**
 * One way to keep the rows of a comparison in HBase and to read them in the order of their keys.
 * Reading is thread-safe.
 */
public interface Side extends Closeable {
  /** What figures call it. */
  String name();

  /** Whether it can do a task at all. */
  boolean can(Task task);

  /**
   * Makes the table and writes all rows; flushed when it returns.
   *
   * @param buckets over how many buckets the rows are spread; as many regions
   */
  void fill(BenchRows rows, int buckets) throws IOException;

  /**
   * Opens a scan of the keys in a range.
   *
   * @param measured whether HBase shall count what it does for it
   */
  RowScan scan(Task task, KeyRange range, boolean measured) throws IOException;

  /** Drops the tables that {@link #fill} has created, and no others. */
  void drop() throws IOException;

  /** Drops the tables that it has still, and disconnects. */
  @Override
  void close() throws IOException;
}
