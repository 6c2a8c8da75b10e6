/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

/**
 * {@code float32} and {@code float64}: IEEE 754 numbers, most significant byte first, ordered as
 * {@link Double#compare}: −∞, negative numbers, −0.0, 0.0, positive numbers, ∞, NaN.
 *
 * <p>A number without its sign bit set gets it set, any other has every bit inverted; then one is
 * added. Those are the bytes of Phoenix's FLOAT and DOUBLE: {@code 1.5} is {@code
 * bff8000000000001}. −0.0 and 0.0 are two values; all NaNs are one.
 *
 * <p>Values are {@link Float}s and {@link Double}s; a number that the type cannot hold exactly is
 * refused, but for text, which is rounded as Java rounds it, though never to infinity or zero.
 *
 * @param width bytes of every value: 4 or 8
 */
record FloatType(int width) implements FieldType {
  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      Number value = width == Float.BYTES ? (Number) Float.valueOf(text) : Double.valueOf(text);
      double rounded = value.doubleValue();
      if (Double.isInfinite(rounded) && !text.contains("Infinity")
          || rounded == 0 && text.matches("[^eEpP]*[1-9].*")) {
        throw new IllegalValue("number out of range for " + this, "use decimal");
      }
      return value;
    } catch (NumberFormatException e) {
      throw new IllegalValue(
          "not a number for " + this, "give one such as -1.5, 2e9, NaN or -Infinity");
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    if (value instanceof Double || value instanceof Float) {
      return fitted(((Number) value).doubleValue());
    }
    if (IntegerType.isWhole(value)) {
      long whole = ((Number) value).longValue();
      if ((long) (double) whole != whole || whole == Long.MAX_VALUE) {
        throw inexact();
      }
      return fitted((double) whole);
    }
    throw new IllegalValue(
        "not a number for " + this, "give a Double, not a " + value.getClass().getSimpleName());
  }

  private Object fitted(double value) throws IllegalValue {
    if (width == Double.BYTES) {
      return value;
    }
    float narrow = (float) value;
    if (Double.compare(narrow, value) != 0) {
      throw inexact();
    }
    return narrow;
  }

  private IllegalValue inexact() {
    return new IllegalValue(
        "number that " + this + " cannot hold exactly", "round it, or use float64 or decimal");
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    long bits =
        width == Float.BYTES
            ? (long) Float.floatToIntBits((Float) value) << Integer.SIZE
            : Double.doubleToLongBits((Double) value);
    long ordered = bits ^ (bits >> Long.SIZE - 1 | Long.MIN_VALUE);
    out.putLow((ordered >>> Long.SIZE - 8 * width) + 1, width);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    long ordered = 0;
    for (int i = offset; i < offset + width; i++) {
      ordered = ordered << 8 | bytes[i] & 0xff;
    }
    ordered = ordered - 1 << Long.SIZE - 8 * width;
    long bits = ordered ^ (~ordered >> Long.SIZE - 1 | Long.MIN_VALUE);
    if (width == Float.BYTES) {
      int narrow = (int) (bits >>> Integer.SIZE);
      float value = Float.intBitsToFloat(narrow);
      check(Float.floatToIntBits(value) == narrow);
      return value;
    }
    double value = Double.longBitsToDouble(bits);
    check(Double.doubleToLongBits(value) == bits);
    return value;
  }

  // Other NaNs than the one that is written would not encode to what they were read from.
  private static void check(boolean written) throws IllegalValue {
    if (!written) {
      throw new IllegalValue("bytes that are not a number", "is this row of another layout?");
    }
  }

  @Override
  public String toString() {
    return "float" + 8 * width;
  }
}
