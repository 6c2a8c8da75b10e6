/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/** A migration that cannot be begun, or cannot go on as things are. */
public final class MigrationException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /** A failure of a kind that concerns no one table. */
  public MigrationException(String message) {
    super(FailureCode.MIGRATION, null, message, null);
  }

  /** A failure because something else failed, which the message does not tell. */
  public MigrationException(String message, Throwable cause) {
    super(FailureCode.MIGRATION, null, message, cause);
  }

  /**
   * A rule that a table breaks.
   *
   * @param values {@code name=value}, separated by blanks; may be empty
   */
  public MigrationException(TableName table, String rule, String values, Object remedy) {
    super(
        FailureCode.MIGRATION,
        table.getNameAsString(),
        FailureMessage.of(rule).with("table", table).with(values).remedy(remedy),
        null);
  }
}
