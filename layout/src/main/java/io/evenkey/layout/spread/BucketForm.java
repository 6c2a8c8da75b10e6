/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The form of a bucket's number in front of a row: digits of one width in some base, the most
 * significant first, so that buckets sort by number; and perhaps a separator.
 */
final class BucketForm {
  /** The digits of a bucket number. */
  enum Style {
    /** Bytes: one for up to 256 buckets, two above. */
    BYTE("byte", ""),
    /** Decimal digits. */
    DIGITS("digits", "0123456789"),
    /** Lower-case hex digits. */
    HEX("hex", "0123456789abcdef"),
    /** Lower-case letters: one for up to 26 buckets, more above. */
    LETTERS("letters", "abcdefghijklmnopqrstuvwxyz");

    private final String spelled;
    private final String signs;

    Style(String spelled, String signs) {
      this.spelled = spelled;
      this.signs = signs;
    }

    private int base() {
      return this == BYTE ? 256 : signs.length();
    }

    private int digitsFor(int buckets) {
      int digits = 1;
      for (long reach = base(); reach < buckets; reach *= base()) {
        digits++;
      }
      return digits;
    }

    /** Whether a line has to say how many digits; else as few as hold the buckets are usual. */
    private boolean needsWidth() {
      return this == DIGITS || this == HEX;
    }

    private byte sign(int digit) {
      return (byte) (this == BYTE ? digit : signs.charAt(digit));
    }

    private int digit(byte sign) {
      return this == BYTE ? sign & 0xff : signs.indexOf(sign);
    }
  }

  private static final int MAX_DIGITS = 32;

  private final Style style;
  private final int digits;
  private final boolean usualDigits;
  private final String separator;
  private final byte[] mark;

  private BucketForm(Style style, int digits, boolean usualDigits, String separator) {
    this.style = style;
    this.digits = digits;
    this.usualDigits = usualDigits;
    this.separator = separator;
    this.mark = separator.getBytes(StandardCharsets.UTF_8);
  }

  /** The usual form: bytes, nothing after them. */
  static BucketForm bytes(int buckets) {
    return new BucketForm(Style.BYTE, Style.BYTE.digitsFor(buckets), true, "");
  }

  /** Reads a style, such as {@code digits(2)}, wide enough for the buckets. */
  BucketForm readStyle(Cursor cursor, int buckets) {
    Token word =
        cursor.expectName("how a bucket is written: byte, byte(n), digits(n), hex(n) or letters");
    for (Style known : Style.values()) {
      if (known.spelled.equals(word.text())) {
        int least = known.digitsFor(buckets);
        int count = least;
        if (known.needsWidth() || cursor.peek().is("(")) {
          cursor.expect("(");
          count = cursor.expectNumber("digits for " + buckets + " buckets", least, MAX_DIGITS);
          cursor.expect(")");
        }
        return new BucketForm(known, count, !known.needsWidth() && count == least, separator);
      }
    }
    throw cursor.unknown("form of a bucket", word, List.of("byte", "digits", "hex", "letters"));
  }

  /** Reads the quoted separator. */
  BucketForm readSeparator(Cursor cursor) {
    if (cursor.peek().kind() != Token.Kind.STRING || cursor.peek().text().isEmpty()) {
      throw cursor.unexpected("a quoted separator such as \"_\"");
    }
    return new BucketForm(style, digits, usualDigits, cursor.next().text());
  }

  /** Whether the digits can number this many buckets. */
  boolean holds(int buckets) {
    return style.digitsFor(buckets) <= digits;
  }

  /** This style with digits for {@code buckets} buckets, as an option of a salt spells it. */
  String widened(int buckets) {
    return "as=" + style.spelled + "(" + style.digitsFor(buckets) + ")";
  }

  int width() {
    return digits + mark.length;
  }

  void write(int bucket, byte[] out, int at) {
    if (style == Style.BYTE && digits == 1 && mark.length == 0) {
      out[at] = (byte) bucket;
      return;
    }
    int rest = bucket;
    for (int i = at + digits - 1; i >= at; i--) {
      out[i] = style.sign(rest % style.base());
      rest /= style.base();
    }
    System.arraycopy(mark, 0, out, at + digits, mark.length);
  }

  /** The bucket that a row begins with, or -1 if it begins with none. */
  int read(byte[] row) {
    if (row.length < digits + mark.length) {
      return -1;
    }
    long bucket = 0;
    for (int i = 0; i < digits; i++) {
      int digit = style.digit(row[i]);
      // 65,536 is more than any bucket's number.
      bucket =
          digit < 0 ? -1 : bucket < 0 ? bucket : Math.min(65_536, bucket * style.base() + digit);
    }
    for (int i = 0; i < mark.length; i++) {
      bucket = row[digits + i] == mark[i] ? bucket : -1;
    }
    return (int) bucket;
  }

  /** The form as options of a salt; empty for the default form. */
  @Override
  public String toString() {
    String as = style.spelled + (usualDigits ? "" : "(" + digits + ")");
    return (style == Style.BYTE && usualDigits ? "" : ", as=" + as)
        + (separator.isEmpty() ? "" : ", sep=" + Quoted.literal(separator));
  }
}
