/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.failure.RangeScanException;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** The failure of one range of a scan, with the range and its region server. */
final class RangeFailure {
  private RangeFailure() {}

  /**
   * The exception that the caller of a scan gets for a failure of HBase's. If no other attempt can
   * succeed: the cause that says so, with the range as a suppressed exception. If many attempts
   * failed: a {@link RangeScanException}. Else the same failure, with the range suppressed.
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
}
