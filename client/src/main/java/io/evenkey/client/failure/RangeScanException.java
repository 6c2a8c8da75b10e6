/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.layout.failure.FailureCode;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;

/** One of the ranges of a scan could not be read; says which, and on which server it was last. */
public final class RangeScanException extends RetriesExhaustedException implements EvenkeyFailure {
  private static final long serialVersionUID = 1;

  private final String table;

  /**
   * A range of which all attempts failed.
   *
   * @param range the range and its server, for the message
   */
  public RangeScanException(TableName table, String range, RetriesExhaustedException failure) {
    // One step to what happened, as from HBase's own.
    super(
        range + ": " + failure.getMessage(),
        failure.getCause() instanceof IOException cause ? cause : failure);
    this.table = table.getNameAsString();
  }

  @Override
  public String code() {
    return FailureCode.RANGE_NOT_READ.word();
  }

  @Override
  public String table() {
    return table;
  }

  @Override
  public boolean isRetriable() {
    return FailureCode.RANGE_NOT_READ.isRetriable();
  }
}
