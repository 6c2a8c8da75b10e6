/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.LayoutException;

/**
 * A value that a field cannot hold, or cannot hold without breaking the order of keys. The message
 * reads {@code rule: field=ts value="2021-13-01"; remedy}, and can be shown to a user as it is.
 *
 * <pre>{@code
 * try {
 *   layout.encode(record);
 * } catch (ValueException e) {
 *   System.err.println(e.field() + ": " + e.getMessage());
 * }
 * }</pre>
 */
public final class ValueException extends LayoutException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 80;

  private final String field;
  private final String value;

  private ValueException(String field, String value, String rule, String remedy) {
    super(
        FailureMessage.of(rule)
            .with("field", Quoted.name(field))
            .with("value", shown(value))
            .remedy(remedy));
    this.field = field;
    this.value = value;
  }

  /** Rejects a value of a field. */
  public static ValueException of(String field, Object value, IllegalValue problem) {
    return new ValueException(field, String.valueOf(value), problem.rule(), problem.remedy());
  }

  /** Rejects a record that has no value for a field. */
  public static ValueException missing(String field) {
    return new ValueException(field, "", "value missing", "every field of a key needs a value");
  }

  /** The field's name. */
  public String field() {
    return field;
  }

  /** The rejected value as text. */
  public String value() {
    return value;
  }

  private static String shown(String value) {
    return Quoted.literal(value.length() <= SHOWN ? value : value.substring(0, SHOWN - 1) + "…");
  }
}
