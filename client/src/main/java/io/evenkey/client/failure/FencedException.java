/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * An operation that was not made, because a migration or a change of the table's indexes did not
 * allow it for longer than {@code evenkey.migration.wait.ms}. It can be made again.
 */
public final class FencedException extends IOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  /** A refusal, as the region server answered it. */
  public FencedException(TableName table, String message, Throwable cause) {
    super(message, cause);
    this.table = table.getNameAsString();
  }

  @Override
  public String code() {
    return "fenced";
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
