/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.message;

import org.jspecify.annotations.Nullable;

/**
 * Builds the message of a failure, {@code rule: name=value name=value; remedy}. Not thread-safe.
 *
 * <pre>{@code
 * String message =
 *     FailureMessage.of("no such index").with("table", name).remedy("list the table's indexes");
 * }</pre>
 */
public final class FailureMessage {
  private final StringBuilder text;
  private boolean hasValues;

  private FailureMessage(String rule) {
    text = new StringBuilder(rule);
  }

  /**
   * Why something failed, as one line: HBase appends the server's stack trace to its messages, and
   * some exceptions have none.
   *
   * @return the first line of the message, or the name of the exception's class
   */
  public static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  /** Begins with the broken rule. */
  public static FailureMessage of(String rule) {
    return new FailureMessage(rule);
  }

  /** Adds where the rule is broken, and by what value. */
  public FailureMessage with(String name, @Nullable Object value) {
    return with(name + "=" + value);
  }

  /**
   * Adds values that are written already.
   *
   * @param values {@code name=value}, separated by blanks; may be empty
   */
  public FailureMessage with(String values) {
    if (!values.isEmpty()) {
      text.append(hasValues ? " " : ": ").append(values);
      hasValues = true;
    }
    return this;
  }

  /** Ends with the way out. */
  public String remedy(Object remedy) {
    return text.append("; ").append(remedy).toString();
  }

  /** The message without a remedy. */
  @Override
  public String toString() {
    return text.toString();
  }
}
