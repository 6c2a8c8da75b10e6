/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * {@code date}: days since 1970-01-01 in four bytes, as {@code int32} is encoded; days before 1970
 * are negative and come first. About 5.8 million years either way.
 *
 * <p>Values are {@link LocalDate}s; as text ISO 8601 ({@code 2026-01-31}, {@code +12026-01-31}).
 */
final class DateType implements NumberType {
  private static final BinaryNumbers NUMBERS =
      BinaryNumbers.signed(Numbers.Unit.DAY, Integer.BYTES);

  static final DateType INSTANCE = new DateType();

  private DateType() {}

  @Override
  public Object parse(String text) throws IllegalValue {
    try {
      return checked(LocalDate.parse(text.strip()));
    } catch (DateTimeException e) {
      throw new IllegalValue("not a date", "give ISO 8601 such as 2026-01-31");
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    if (value instanceof LocalDate date) {
      return checked(date);
    }
    if (value instanceof CharSequence text) {
      return parse(text.toString());
    }
    throw new IllegalValue(
        "not a date", "give a LocalDate, not a " + value.getClass().getSimpleName());
  }

  private static LocalDate checked(LocalDate date) throws IllegalValue {
    long days = date.toEpochDay();
    if (days != (int) days) {
      throw new IllegalValue(
          "date out of range",
          "give one from "
              + LocalDate.ofEpochDay(Integer.MIN_VALUE)
              + " to "
              + LocalDate.ofEpochDay(Integer.MAX_VALUE));
    }
    return date;
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    out.putLow(((LocalDate) value).toEpochDay() - Integer.MIN_VALUE, Integer.BYTES);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) {
    return LocalDate.ofEpochDay(KeyBuffer.intAt(bytes, offset) ^ Integer.MIN_VALUE);
  }

  @Override
  public BinaryNumbers numbers() {
    return NUMBERS;
  }

  @Override
  public String toString() {
    return "date";
  }
}
