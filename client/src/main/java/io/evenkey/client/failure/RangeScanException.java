/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.layout.failure.FailureCode;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;

/**
 * One of the ranges of a scan could not be read after all retries. The message names the range and
 * the region server that was asked last.
 *
 * <p>Retriable, code {@code range-not-read}. Rows that the scan returned before are complete and in
 * order, so a read by {@link io.evenkey.client.select.Selection} can continue after its last
 * cursor.
 */
public final class RangeScanException extends RetriesExhaustedException implements EvenkeyFailure {
  private static final long serialVersionUID = 1;

  private final String table;

  /**
   * A range for which all attempts failed.
   *
   * @param range the range and its server, for the message
   * @param failure the last attempt's failure
   */
  public RangeScanException(TableName table, String range, RetriesExhaustedException failure) {
    // One step to what happened, as from HBase's own.
    super(
        range + ": " + failure.getMessage(),
        failure.getCause() instanceof IOException cause ? cause : failure);
    this.table = table.getNameAsString();
  }

  @Override
  public FailureCode failureCode() {
    return FailureCode.RANGE_NOT_READ;
  }

  @Override
  public String table() {
    return table;
  }
}
