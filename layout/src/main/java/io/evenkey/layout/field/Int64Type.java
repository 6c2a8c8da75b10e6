package io.evenkey.layout.field;

/**
 * A signed 64-bit number, encoded as {@link SignedLongType}: {@code 1} is {@code 8000000000000001}.
 */
final class Int64Type extends SignedLongType {
  static final Int64Type INSTANCE = new Int64Type();

  private Int64Type() {}

  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      return Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalValue(
          "not a whole number for int64",
          "give a number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
    }
  }

  @Override
  public String toString() {
    return "int64";
  }
}
