/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

/** The change that a migration makes, and the settings that only this change needs. Immutable. */
public sealed interface Kind {
  /** Another spread of the row key, which stays as it is: all rows are copied. */
  record AnotherSpread() implements Kind {}

  /**
   * Another row key: all rows are copied.
   *
   * @param before the line of the layout before
   * @param after the line of the layout after, which has all fields of the one before
   * @param columns the fields that are taken from columns, as {@code customer=d:customer}; empty if
   *     all are fields of the key before
   */
  record AnotherKey(String before, String after, String columns) implements Kind {
    @Override
    public boolean takesKeyFromColumns() {
      return !columns.isEmpty();
    }
  }

  /** A step that the salt of the table's layout gets. */
  sealed interface Step extends Kind {
    /** The line of the layout without the step. */
    String before();

    /** The line of the layout with it. */
    String after();
  }

  /**
   * A step behind all rows: none is rewritten, and there is one generation.
   *
   * @param before the line of the layout without the step
   * @param after the line of the layout with it
   */
  record StepInPlace(String before, String after) implements Step {}

  /**
   * A step at which rows are stored already: a clone of the table gets it, in which these rows
   * alone are rewritten.
   *
   * @param before the line of the layout without the step
   * @param after the line of the layout with it
   */
  record StepWithRewriting(String before, String after) implements Step {
    @Override
    public boolean clonesSource() {
      return true;
    }
  }

  /** The table's own name, with the source's layout: the table is cloned. */
  record Renaming() implements Kind {
    @Override
    public boolean clonesSource() {
      return true;
    }
  }

  /** Whether the target is a clone of the source, which is made while rows are copied. */
  default boolean clonesSource() {
    return false;
  }

  /** Whether fields of the next row key are taken from columns. */
  default boolean takesKeyFromColumns() {
    return false;
  }
}
