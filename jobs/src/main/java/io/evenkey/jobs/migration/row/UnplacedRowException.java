/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;

/** A row that the other generation cannot have by its row key. */
public final class UnplacedRowException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  private final boolean moving;

  private UnplacedRowException(String row, String problem, boolean moving) {
    super(
        FailureCode.ROW_KEY,
        null,
        "row cannot get the new row key: row=\"" + row + "\" reason=" + problem,
        null);
    this.moving = moving;
  }

  /**
   * A row that breaks a rule.
   *
   * @param row the row's key in readable form
   * @param problem the rule
   */
  static UnplacedRowException of(String row, String problem) {
    return new UnplacedRowException(row, problem, false);
  }

  /**
   * One of two rows of which the old table can hold only one.
   *
   * @param row the row's key in readable form
   * @param before the old key of both
   */
  static UnplacedRowException ofTwo(String row, String before) {
    String problem =
        "another row has the same old key, and the old table can hold only one of them: key=";
    return new UnplacedRowException(row, problem + before, true);
  }

  /** Whether a client may be moving the row, and delete it under its other key in a moment. */
  public boolean mayBeMoving() {
    return moving;
  }
}
