/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.route;

import io.evenkey.client.failure.EvenkeyFailure;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;

/**
 * An operation that was not made, because a migration did not allow it for longer than {@link
 * Repeats#SETTING}. It can be made again.
 */
public final class FencedException extends IOException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  FencedException(TableName table, String message, Throwable cause) {
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
