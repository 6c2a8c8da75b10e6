/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.jspecify.annotations.Nullable;

/**
 * Since when the reader of a scan has waited for an answer of region servers, and for how long it
 * does. The time begins when the reader asks for a row that has not come, and begins again at each
 * answer that brings the scan forward. While the application does something else, no time counts.
 *
 * <p>The limit is the scan timeout that a table has of its own, through all attempts to read a
 * range. That of the connection bounds each attempt instead, since a server that dies takes longer
 * than that. Thread-safe.
 */
final class ScanWait {
  private final TableName table;
  private final long atMostMs;
  private volatile long since = System.nanoTime();

  private ScanWait(TableName table, long atMostMs) {
    this.table = table;
    this.atMostMs = atMostMs;
  }

  /** The wait for the first answer of a scan that begins. */
  static ScanWait of(AsyncTable<?> table) {
    long ms = table.getScanTimeout(TimeUnit.MILLISECONDS);
    int usualMs =
        table
            .getConfiguration()
            .getInt(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD);
    return new ScanWait(table.getName(), ms == usualMs ? 0 : ms);
  }

  /** The reader waits for the next answer from now on. */
  void begin() {
    since = System.nanoTime();
  }

  /** When the wait began, by {@link System#nanoTime}. */
  long since() {
    return since;
  }

  /** Whether the wait ends by itself at all. */
  boolean isBounded() {
    return atMostMs > 0;
  }

  /** For how much longer the reader waits, in milliseconds. */
  long leftMs() {
    return Math.max(0, atMostMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
  }

  /**
   * The exception of a reader that has waited for too long, as HBase's asynchronous client has it.
   *
   * @param failure the latest of the range that is waited for; null if it has had none
   */
  IOException late(@Nullable Throwable failure) {
    String message =
        "operation timed out: table="
            + table
            + " timeout="
            + atMostMs
            + " ms; its scan was not answered in this time: see the table's region servers";
    return failure == null
        ? new RetriesExhaustedException(message)
        : new RetriesExhaustedException(
            message, failure instanceof IOException known ? known : new IOException(failure));
  }
}
