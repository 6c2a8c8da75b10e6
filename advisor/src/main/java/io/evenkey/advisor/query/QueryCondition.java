/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of a column. Immutable.
 *
 * @param column the column
 * @param operator the comparison
 * @param values with what: null stands for {@code ?}, a value of the data
 */
public record QueryCondition(String column, Operator operator, List<@Nullable String> values) {
  /** The comparison of a column. */
  public enum Operator {
    /** The column equals one value. */
    EQUAL("="),
    /** The column equals one of several values. */
    IN("in"),
    /** The column is between two bounds, both inclusive. */
    BETWEEN("between"),
    /** From a value on. */
    AT_LEAST(">="),
    /** Beyond a value. */
    MORE(">"),
    /** Up to a value. */
    AT_MOST("<="),
    /** Before a value. */
    LESS("<"),
    /** The column's text starts with a prefix. */
    STARTS_WITH("starts with"),
    /** The column is a domain or one of its subdomains. */
    UNDER("under");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** Whether it leaves one value, or a few, of the column. */
    public boolean fixes() {
      return this == EQUAL || this == IN;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
