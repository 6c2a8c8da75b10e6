/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/**
 * Another process works on the table: it holds the table's lock to migrate it or to change or
 * verify an index, or it has moved the migration on since this process read it.
 *
 * <p>Not retriable, code {@code migration-conflict}. The message names the other process and what
 * it does, if that is known. Wait until it has ended, then look at the migration's state before you
 * continue.
 */
public final class MigrationConflictException extends RegistryException {
  private static final long serialVersionUID = 1L;

  /** Another process has moved this table's migration on. */
  public MigrationConflictException(TableName table) {
    this(
        table,
        FailureMessage.of("another process is migrating the table")
            .with("table", table)
            .remedy(Remedy.SHOW_MIGRATION));
  }

  private MigrationConflictException(TableName table, String message) {
    super(FailureCode.MIGRATION_CONFLICT, table.getNameAsString(), message);
  }

  /**
   * Another process holds the table's lock.
   *
   * @param holder what is known of the process, as {@code name=value} pairs; may be empty
   */
  public static MigrationConflictException ofLock(TableName table, String holder) {
    String rule =
        holder.isEmpty()
            ? "another process migrates the table, or adds, verifies, sweeps or drops an index of"
                + " it"
            : "another process has the lock of the table";
    return new MigrationConflictException(
        table,
        FailureMessage.of(rule)
            .with("table", table)
            .with(holder)
            .remedy(
                "try again when that has ended: "
                    + Remedy.SHOW_MIGRATION
                    + ", or "
                    + Remedy.LIST_INDEXES
                    + "; if it was killed, its lock is free when its session with ZooKeeper ends"));
  }
}
