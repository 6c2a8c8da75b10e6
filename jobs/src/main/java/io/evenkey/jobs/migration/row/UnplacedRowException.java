/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import java.io.IOException;

/** A row that the other generation cannot have by its row key. */
public final class UnplacedRowException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param row the row's key in readable form
   * @param problem the rule that it breaks
   */
  UnplacedRowException(String row, String problem) {
    super("row cannot have the other row key: row=\"" + row + "\" reason=" + problem);
  }
}
