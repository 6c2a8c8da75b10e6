/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import org.apache.hadoop.hbase.TableName;

/** Another process has taken a table's migration further meanwhile. */
public final class MigrationConflictException extends RegistryException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  /** Another process has taken this table's migration further. */
  public MigrationConflictException(TableName table) {
    super(
        "another process is migrating the table: table="
            + table
            + "; look at evenkey migrate "
            + table
            + " --status");
    this.table = table.getNameAsString();
  }

  @Override
  public String code() {
    return "migration-conflict";
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
