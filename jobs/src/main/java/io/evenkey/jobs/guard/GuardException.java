/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import org.apache.hadoop.hbase.TableName;

/**
 * The guard is missing on a region server or the master, is of an earlier version, or does not act
 * by a state that was set.
 */
public final class GuardException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /** A failure of a kind that concerns no one table. */
  GuardException(String message) {
    super(FailureCode.GUARD, null, message, null);
  }

  /**
   * A rule that a table breaks.
   *
   * @param values {@code name=value}, separated by blanks; may be empty
   */
  GuardException(TableName table, String rule, String values, Object remedy) {
    super(
        FailureCode.GUARD,
        table.getNameAsString(),
        FailureMessage.of(rule).with("table", table).with(values).remedy(remedy),
        null);
  }
}
