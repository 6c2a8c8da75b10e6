/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.FailureCode;
import org.apache.hadoop.hbase.TableName;

/**
 * An increment or append that may or may not have been made, since HBase's client sent it more than
 * once and the last attempt met a migration. It is not repeated: it could be made twice.
 */
public final class OutcomeUnknownException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  /** An attempt whose answer did not arrive. */
  public OutcomeUnknownException(TableName table, String message, Throwable cause) {
    super(FailureCode.OUTCOME_UNKNOWN, table, message, cause);
  }
}
