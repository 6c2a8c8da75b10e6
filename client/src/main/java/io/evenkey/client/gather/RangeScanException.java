/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.gather;

import io.evenkey.client.failure.EvenkeyFailure;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** One of the ranges of a scan could not be read; says which, and on which server it was last. */
public final class RangeScanException extends RetriesExhaustedException implements EvenkeyFailure {
  private static final long serialVersionUID = 1;

  private final String table;

  private RangeScanException(TableName table, String range, RetriesExhaustedException failure) {
    // One step to what happened, as from HBase's own.
    super(
        range + ": " + failure.getMessage(),
        failure.getCause() instanceof IOException cause ? cause : failure);
    this.table = table.getNameAsString();
  }

  /**
   * The exception that the caller gets for a failure of HBase's: where no other try can succeed,
   * the cause that says so, which and tells the kind of error by its class, with the range as a
   * suppressed exception; where many tries failed, one that names the range; else that failure,
   * with the range suppressed.
   */
  static Throwable of(TableName table, Scan scan, String server, Throwable failure) {
    String range = describe(table, scan, server);
    Throwable permanent = DoNotRetry.in(failure);
    if (permanent != null) {
      permanent.addSuppressed(new IOException(range));
      return permanent;
    }
    if (failure.getClass() == RetriesExhaustedException.class) {
      return new RangeScanException(table, range, (RetriesExhaustedException) failure);
    }
    failure.addSuppressed(new IOException(range));
    return failure;
  }

  private static String describe(TableName table, Scan scan, String server) {
    return "range not read: table="
        + table
        + " range=["
        + Bytes.toStringBinary(scan.getStartRow())
        + ", "
        + Bytes.toStringBinary(scan.getStopRow())
        + (scan.isReversed() ? "] backwards" : ")")
        + " server="
        + server;
  }

  @Override
  public String code() {
    return "range-not-read";
  }

  @Override
  public TableName table() {
    return TableName.valueOf(table);
  }

  @Override
  public boolean isRetriable() {
    return true;
  }
}
