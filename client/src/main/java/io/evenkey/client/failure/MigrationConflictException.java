/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.NextStep;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.failure.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/**
 * Another process has the lock of a table: it migrates the table, or changes or verifies an index
 * of it. Or another process has taken the table's migration further since then.
 */
public final class MigrationConflictException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /** Another process has taken this table's migration further. */
  public MigrationConflictException(TableName table) {
    this(
        table,
        FailureMessage.of("another process is migrating the table")
            .with("table", table)
            .remedy(NextStep.SHOW_MIGRATION));
  }

  private MigrationConflictException(TableName table, String message) {
    super(FailureCode.MIGRATION_CONFLICT, table.getNameAsString(), message);
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
        FailureMessage.of(rule)
            .with("table", table)
            .with(holder)
            .remedy(
                "try again when that has ended: "
                    + NextStep.SHOW_MIGRATION
                    + ", or "
                    + NextStep.LIST_INDEXES
                    + "; if it was killed, its lock is free when its session with ZooKeeper ends"));
  }
}
