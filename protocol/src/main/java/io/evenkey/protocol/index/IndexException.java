/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.text.LayoutException;

/**
 * An index that its table cannot have, or an entry that cannot be read. The message reads {@code
 * rule: index=by_customer field=ts; remedy}.
 */
public final class IndexException extends LayoutException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal.
   *
   * @param rule the broken rule
   * @param values {@code name=value}, separated by blanks
   * @param remedy the way out
   */
  IndexException(String rule, String values, String remedy) {
    super(rule + ": " + values + "; " + remedy);
  }

  /**
   * Rejects an entry that is longer than HBase allows a row to be.
   *
   * @param values {@code name=value} pairs, separated by blanks
   * @param most the longest row, in bytes
   */
  public static IndexException tooLong(String values, int most) {
    return new IndexException(
        "row of an index too long",
        values,
        "HBase allows " + most + ", the prefix included: write shorter values, or drop the index");
  }
}
