/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

/**
 * A type's complaint about a value. It does not know the field's name yet; {@link FieldCodec} turns
 * it into a {@link ValueException} that does.
 */
public final class IllegalValue extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  /**
   * A complaint.
   *
   * @param rule the broken rule
   * @param remedy the way out
   */
  public IllegalValue(String rule, String remedy) {
    super(rule, null, false, false);
    this.remedy = remedy;
  }

  /** The broken rule. */
  public String rule() {
    return String.valueOf(getMessage());
  }

  /** The way out. */
  public String remedy() {
    return remedy;
  }
}
