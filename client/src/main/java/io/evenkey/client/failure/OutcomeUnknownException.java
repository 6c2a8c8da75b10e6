/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.FailureCode;
import org.apache.hadoop.hbase.TableName;

/**
 * An increment or append that may or may not have been made: HBase's client sent it more than once,
 * and the last attempt met a migration. The client does not repeat it, because it could be made
 * twice.
 *
 * <p>Not retriable, code {@code outcome-unknown}. Read the row to find out.
 */
public final class OutcomeUnknownException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  /** An operation of which an earlier attempt may have succeeded. */
  public OutcomeUnknownException(TableName table, String message, Throwable cause) {
    super(FailureCode.OUTCOME_UNKNOWN, table, message, cause);
  }
}
