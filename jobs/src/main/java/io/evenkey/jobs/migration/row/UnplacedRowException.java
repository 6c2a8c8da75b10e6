/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;

/** A row that the other generation cannot have by its row key. */
public final class UnplacedRowException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /**
   * @param row the row's key in readable form
   * @param problem the rule that it breaks
   */
  UnplacedRowException(String row, String problem) {
    super(
        FailureCode.ROW_KEY,
        null,
        "row cannot get the new row key: row=\"" + row + "\" reason=" + problem,
        null);
  }
}
