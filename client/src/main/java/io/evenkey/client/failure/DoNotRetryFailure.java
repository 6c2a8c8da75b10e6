/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.layout.failure.FailureCode;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/** A failure of a table that HBase's client does not retry. */
abstract class DoNotRetryFailure extends DoNotRetryIOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;
  private final String table;

  DoNotRetryFailure(FailureCode code, TableName table, String message) {
    super(message);
    this.code = code;
    this.table = table.getNameAsString();
  }

  DoNotRetryFailure(FailureCode code, TableName table, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.table = table.getNameAsString();
  }

  @Override
  public final FailureCode failureCode() {
    return code;
  }

  @Override
  public final String table() {
    return table;
  }
}
