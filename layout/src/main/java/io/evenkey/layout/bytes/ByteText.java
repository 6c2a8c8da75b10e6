/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * Bytes as text for people, in hexadecimal or in the form of the HBase shell, and back.
 *
 * <pre>{@code
 * String shown = ByteText.printable(row); // d1\x00\x80
 * byte[] same = ByteText.fromPrintable(shown);
 * }</pre>
 *
 * <p>Stateless and thread-safe.
 */
public final class ByteText {
  private static final HexFormat HEX = HexFormat.of();
  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

  private ByteText() {}

  /** Returns two lower-case hex digits for each byte. */
  public static String hex(byte[] bytes) {
    return HEX.formatHex(bytes);
  }

  /**
   * Returns the bytes that hex digits in either case stand for.
   *
   * @throws IllegalArgumentException if the text has an odd length, or a character that is no hex
   *     digit
   */
  public static byte[] fromHex(String hex) {
    return HEX.parseHex(hex);
  }

  /**
   * Returns printable ASCII as it is, and every other byte and the backslash as {@code \xNN}: the
   * form of the HBase shell and of {@code Bytes.toStringBinary}.
   */
  public static String printable(byte[] bytes) {
    return printable(bytes, 0, bytes.length);
  }

  /**
   * Returns the bytes that {@link #printable(byte[])} shows as this text.
   *
   * @throws IllegalArgumentException if a backslash is not followed by {@code x} and two hex
   *     digits, or if a character is not printable ASCII
   */
  public static byte[] fromPrintable(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        if (!text.startsWith("x", i + 1) || i + 4 > text.length()) {
          throw new IllegalArgumentException("not \\xNN: " + text.substring(i));
        }
        bytes.writeBytes(fromHex(text.substring(i + 2, i + 4)));
        i += 3;
      } else if (c < ' ' || c > '~') {
        throw new IllegalArgumentException("not printable ASCII: " + c);
      } else {
        bytes.write(c);
      }
    }
    return bytes.toByteArray();
  }

  /** Returns {@code length} bytes from {@code offset} in the form of {@link #printable(byte[])}. */
  public static String printable(byte[] bytes, int offset, int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      if (b >= ' ' && b <= '~' && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x");
        UPPER_HEX.toHexDigits(text, b);
      }
    }
    return text.toString();
  }
}
