/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.NextStep;
import org.apache.hadoop.hbase.TableName;

/**
 * Another process has the lock of a table: it migrates the table, or changes or verifies an index
 * of it. Or another process has taken the table's migration further since then.
 */
public final class MigrationConflictException extends RegistryException implements EvenkeyFailure {
  private static final long serialVersionUID = 1L;

  private final String table;

  /** Another process has taken this table's migration further. */
  public MigrationConflictException(TableName table) {
    this(
        table,
        "another process is migrating the table: table=" + table + "; " + NextStep.SHOW_MIGRATION);
  }

  private MigrationConflictException(TableName table, String message) {
    super(message);
    this.table = table.getNameAsString();
  }

  /**
   * Another process has the lock of this table.
   *
   * @param holder what is known of it, as {@code name=value} pairs; may be empty
   */
  public static MigrationConflictException ofLock(TableName table, String holder) {
    String rule =
        holder.isEmpty()
            ? "another process migrates the table, or adds, verifies, sweeps or drops an index of it"
            : "another process has the lock of the table";
    return new MigrationConflictException(
        table,
        rule
            + ": table="
            + table
            + (holder.isEmpty() ? "" : " " + holder)
            + "; try again when that has ended: "
            + NextStep.SHOW_MIGRATION
            + ", or "
            + NextStep.LIST_INDEXES
            + "; if it was killed, its lock is free when its session with ZooKeeper ends");
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
