/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/**
 * An increment or append that may or may not have been made, since HBase's client sent it more than
 * once and the last attempt met a migration. It is not repeated: it could be made twice.
 */
public final class OutcomeUnknownException extends DoNotRetryIOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  /** An attempt whose answer did not arrive. */
  public OutcomeUnknownException(TableName table, String message, Throwable cause) {
    super(message, cause);
    this.table = table.getNameAsString();
  }

  @Override
  public String code() {
    return "outcome-unknown";
  }

  @Override
  public TableName table() {
    return TableName.valueOf(table);
  }

  @Override
  public boolean isRetriable() {
    return false;
  }
}
