/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.index;

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
   * The refusal of a condition that the key of a table cannot be read by, and that of an index can.
   *
   * @param index the name of the index
   */
  public static IndexException fieldsOfIndex(String index) {
    return new IndexException(
        "condition on fields that only an index has",
        "index=" + index,
        "read through it: select().by(\"" + index + "\"), or --by " + index + " of commands");
  }
}
