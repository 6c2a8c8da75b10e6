/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import org.apache.hadoop.hbase.TableName;

/**
 * Region servers rejected an operation for longer than {@code evenkey.migration.wait.ms}, because
 * the table is being migrated or its indexes are being changed. The operation was not made.
 *
 * <p>Retriable, code {@code fenced}. The client repeats a rejected operation by itself; this
 * exception ends that. If it lasts, look at the migration: a command may have been killed and wait
 * to be resumed.
 */
public final class FencedException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /** A rejection, with the region server's answer as its cause. */
  public FencedException(TableName table, String message, Throwable cause) {
    super(FailureCode.FENCED, table.getNameAsString(), message, cause);
  }
}
