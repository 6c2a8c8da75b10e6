/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.text.Span;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The width of the slices of a field, as a line spells it: {@code every 10s} of a time, {@code /
 * 1000} of a number. It is printed in the largest unit that divides it.
 *
 * @param field the field
 * @param time whether it is a time
 * @param amount the width in milliseconds, or the number
 * @param place where the width stands in the line
 */
record SliceWidth(Token field, boolean time, long amount, Span place) {
  static final long DAY = 86_400_000;

  /** The units from the largest to the smallest, in milliseconds. */
  private static final Map<String, Long> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("d", DAY);
    UNITS.put("h", 3_600_000L);
    UNITS.put("m", 60_000L);
    UNITS.put("s", 1_000L);
    UNITS.put("ms", 1L);
  }

  private static final String EVERY = "every";

  /** Ten thousand years: more than any table has. */
  private static final int MOST_DAYS = 3_652_500;

  /** The longest number that a line can have. */
  private static final long MOST = 999_999_999_999_999_999L;

  /** Reads what may stand after the name of a hashed field; null if nothing does. */
  static @Nullable SliceWidth read(Cursor cursor, Token field) {
    Token first = cursor.peek();
    if (cursor.skip("/")) {
      long width = cursor.expectLong("width of a slice", 2, MOST);
      return new SliceWidth(field, false, width, cursor.since(first.span()));
    } else if (cursor.skipWord(EVERY)) {
      Token number = cursor.peek();
      long count = cursor.expectLong("number of units of time, such as 1s", 1, MOST);
      Token unit = cursor.expectName("a unit of time: ms, s, m, h or d");
      Long milliseconds = UNITS.get(unit.text());
      if (milliseconds == null) {
        throw cursor.unknown("unit of time", unit, UNITS.keySet());
      }
      long most = MOST_DAYS * (DAY / milliseconds);
      if (count > most) {
        throw cursor.error(
            number.span(),
            "width of a slice out of range: " + count + unit.text(),
            "expected at most " + most + unit.text());
      }
      return new SliceWidth(field, true, count * milliseconds, cursor.since(first.span()));
    } else if (first.kind() == Token.Kind.NAME) {
      throw cursor.unknown("word after a field", first, List.of(EVERY));
    }
    return null;
  }

  /** Refuses a width behind a field of a prefix that hashes whole values. */
  static void refuse(Cursor cursor, String prefix) {
    Token first = cursor.peek();
    if (first.is("/") || first.isWord(EVERY)) {
      throw cursor.error(
          first.span(),
          "slices in " + prefix,
          "only a salt can hash slices of a field: salt(N, field every 1s)");
    }
  }

  @Override
  public String toString() {
    if (!time) {
      return " / " + amount;
    }
    for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
      if (amount % unit.getValue() == 0) {
        return " " + EVERY + " " + amount / unit.getValue() + unit.getKey();
      }
    }
    throw new AssertionError(amount);
  }
}
