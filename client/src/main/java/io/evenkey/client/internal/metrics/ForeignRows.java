/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import io.evenkey.layout.Layout;
import io.evenkey.layout.text.RowException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of a table that its layout cannot have written: counted each time that one is read, and
 * logged at most once a minute. Thread-safe.
 */
public final class ForeignRows {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignRows.class);
  private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String table;
  private final Layout layout;
  private final LongSupplier nanos;
  private final LongAdder met = new LongAdder();
  private final AtomicLong nextLog;

  /** Counts the foreign rows of a table, whose name is empty if it is not known. */
  public ForeignRows(String table, Layout layout) {
    this(table, layout, System::nanoTime);
  }

  ForeignRows(String table, Layout layout, LongSupplier nanos) {
    this.table = table;
    this.layout = layout;
    this.nanos = nanos;
    this.nextLog = new AtomicLong(nanos.getAsLong());
  }

  /**
   * One was read.
   *
   * @param row as it is stored, or the logical key of a row that has one
   * @return whether it was logged
   */
  public boolean met(byte[] row, RowException problem) {
    met.increment();
    long now = nanos.getAsLong();
    long due = nextLog.get();
    if (now - due < 0 || !nextLog.compareAndSet(due, now + EVERY_NANOS)) {
      return false;
    }
    LOG.warn(
        "row not written under the table's layout: table={} layout={} row={} read={} problem={};"
            + " verify the table, which lists examples",
        table,
        layout,
        Bytes.toStringBinary(row),
        met.sum(),
        problem.getMessage());
    return true;
  }

  /** The number of foreign rows that were read. */
  public long count() {
    return met.sum();
  }
}
