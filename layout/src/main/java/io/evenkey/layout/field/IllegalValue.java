/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

/**
 * A value that a type rejects. The type does not know the field's name; {@link FieldCodec} adds it
 * and throws a {@link ValueException}.
 */
public final class IllegalValue extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  /**
   * Rejects a value.
   *
   * @param rule the broken rule
   * @param remedy what to do
   */
  public IllegalValue(String rule, String remedy) {
    super(rule, null, false, false);
    this.remedy = remedy;
  }

  /** The broken rule. */
  public String rule() {
    return String.valueOf(getMessage());
  }

  /** The remedy. */
  public String remedy() {
    return remedy;
  }
}
