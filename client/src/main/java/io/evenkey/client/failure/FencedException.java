/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import org.apache.hadoop.hbase.TableName;

/**
 * An operation that was not made, because a migration or a change of the table's indexes did not
 * allow it for longer than {@code evenkey.migration.wait.ms}. It can be made again.
 */
public final class FencedException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /** A refusal, as the region server answered it. */
  public FencedException(TableName table, String message, Throwable cause) {
    super(FailureCode.FENCED, table.getNameAsString(), message, cause);
  }
}
