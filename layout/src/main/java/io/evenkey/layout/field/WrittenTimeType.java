/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code timestamp("yyyyMMddHHmmss")}: a moment written in ASCII digits, in UTC.
 *
 * <p>The pattern has {@code yyyy}, then as many of {@code MM dd HH mm ss SSS} as wanted, in this
 * order and without a gap, so that text order is the order of time; between them may be any ASCII
 * characters but letters. Years are from 0 to 9999. A moment finer than the pattern writes is
 * refused, since it could not be read back.
 *
 * <p>Values are {@link Long}s, milliseconds since 1970. As text: the pattern's own form, or ISO
 * 8601.
 */
final class WrittenTimeType implements FieldType {
  private static final long MILLIS_A_SECOND = 1000;

  private final String pattern;
  private final List<Piece> pieces;

  /** A unit of time, from the largest to the smallest, as a pattern spells it. */
  private enum Unit {
    YEAR("yyyy", ChronoField.YEAR, 0),
    MONTH("MM", ChronoField.MONTH_OF_YEAR, 1),
    DAY("dd", ChronoField.DAY_OF_MONTH, 1),
    HOUR("HH", ChronoField.HOUR_OF_DAY, 0),
    MINUTE("mm", ChronoField.MINUTE_OF_HOUR, 0),
    SECOND("ss", ChronoField.SECOND_OF_MINUTE, 0),
    MILLI("SSS", ChronoField.MILLI_OF_SECOND, 0);

    private final String spelled;
    private final ChronoField field;
    private final int least;

    Unit(String spelled, ChronoField field, int least) {
      this.spelled = spelled;
      this.field = field;
      this.least = least;
    }
  }

  /** A unit, or where there is none a character between two. */
  private record Piece(@Nullable Unit unit, String text) {}

  private WrittenTimeType(String pattern, List<Piece> pieces) {
    this.pattern = pattern;
    this.pieces = List.copyOf(pieces);
  }

  /** Reads what may stand between the parentheses. */
  static FieldType read(Cursor cursor) {
    if (!cursor.skip("(")) {
      return TimestampType.INSTANCE;
    }
    if (cursor.skipWord(TimestampType.LONG)) {
      cursor.expect(")");
      return TimestampType.FROM_1970;
    }
    if (cursor.peek().kind() != Token.Kind.STRING) {
      throw cursor.unexpected("a quoted pattern such as \"yyyyMMddHHmmss\", or long");
    }
    Token token = cursor.next();
    String pattern = token.text();
    List<Piece> pieces = new ArrayList<>();
    int units = 0;
    int at = 0;
    while (at < pattern.length()) {
      String next = pattern.substring(at);
      if (units < Unit.values().length && next.startsWith(Unit.values()[units].spelled)) {
        Unit unit = Unit.values()[units++];
        pieces.add(new Piece(unit, unit.spelled));
        at += unit.spelled.length();
      } else {
        char c = pattern.charAt(at++);
        if (c < ' ' || c > '~' || Character.isLetter(c) || units == 0) {
          throw cursor.error(
              token.span(),
              "pattern that does not sort by time: unexpected '"
                  + Character.toString(next.codePointAt(0))
                  + "' after '"
                  + pattern.substring(0, at - 1)
                  + "'",
              "expected yyyy, then MM, dd, HH, mm, ss, SSS in this order, as many as wanted, other"
                  + " than letters between them");
        }
        pieces.add(new Piece(null, Character.toString(c)));
      }
    }
    if (units == 0) {
      throw cursor.error(token.span(), "empty pattern", "expected one such as \"yyyyMMdd\"");
    }
    cursor.expect(")");
    return new WrittenTimeType(pattern, pieces);
  }

  @Override
  public int width() {
    return pattern.length();
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    String time = text.strip();
    Long written = time.length() == pattern.length() ? written(time) : null;
    return checked(written == null ? iso(time) : written);
  }

  private Long iso(String time) throws IllegalValue {
    try {
      return TimeText.iso(time);
    } catch (IllegalValue e) {
      throw new IllegalValue(
          "not a time for " + this, "give it in that form, or in ISO 8601 such as 2026-01-31");
    }
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    return value instanceof CharSequence text
        ? parse(text.toString())
        : checked(TimeText.milliseconds(value));
  }

  private Long checked(Long milliseconds) throws IllegalValue {
    LocalDateTime time = timeOf(milliseconds);
    if (time.getYear() < 0 || time.getYear() > 9999) {
      throw new IllegalValue(
          "year " + time.getYear() + " has not four digits",
          "use timestamp without a pattern, which has every year");
    }
    for (Unit unit : Unit.values()) {
      if (!has(unit) && time.get(unit.field) != unit.least) {
        throw new IllegalValue(
            "time finer than " + this + " writes",
            "round it, or extend the pattern to " + unit.spelled);
      }
    }
    return milliseconds;
  }

  private boolean has(Unit unit) {
    return pieces.stream().anyMatch(piece -> piece.unit == unit);
  }

  private static LocalDateTime timeOf(long milliseconds) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(milliseconds, MILLIS_A_SECOND),
        (int) Math.floorMod(milliseconds, MILLIS_A_SECOND) * 1_000_000,
        ZoneOffset.UTC);
  }

  @Override
  public void write(Object value, KeyBuffer out) {
    LocalDateTime time = timeOf((Long) value);
    for (Piece piece : pieces) {
      if (piece.unit != null) {
        DigitsType.putDigits(time.get(piece.unit.field), piece.text.length(), out);
      } else {
        out.put(piece.text.charAt(0));
      }
    }
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    Long time = written(new String(bytes, offset, length, StandardCharsets.ISO_8859_1));
    if (time == null) {
      throw new IllegalValue(
          "bytes that are not a time written as " + this, "is this row of another layout?");
    }
    return time;
  }

  /** The moment that text in the pattern's form stands for, or null if it is not in that form. */
  private @Nullable Long written(String text) {
    LocalDateTime time = LocalDateTime.of(0, 1, 1, 0, 0);
    int at = 0;
    try {
      for (Piece piece : pieces) {
        int end = at + piece.text.length();
        if (piece.unit != null) {
          time = time.with(piece.unit.field, number(text, at, end));
        } else if (text.charAt(at) != piece.text.charAt(0)) {
          return null;
        }
        at = end;
      }
    } catch (DateTimeException e) {
      return null;
    }
    return time.toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        throw new DateTimeException("not a digit");
      }
      number = 10 * number + text.charAt(i) - '0';
    }
    return number;
  }

  @Override
  public String format(Object value) {
    KeyBuffer written = new KeyBuffer(pattern.length());
    write(value, written);
    return new String(written.array(), 0, written.size(), StandardCharsets.US_ASCII);
  }

  @Override
  public boolean growsWithArrival() {
    return true;
  }

  @Override
  public boolean canHaveSteps() {
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WrittenTimeType that && pattern.equals(that.pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }

  /** Compares with the time as it is written. */
  @Override
  public void writeBeginning(String text, KeyBuffer out) {
    out.putUtf8(text);
  }

  @Override
  public String toString() {
    return "timestamp(" + Quoted.literal(pattern) + ")";
  }
}
