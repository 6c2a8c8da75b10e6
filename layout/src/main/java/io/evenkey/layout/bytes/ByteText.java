/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import java.util.HexFormat;

/** Bytes as people read and write them. Stateless. */
public final class ByteText {
  private static final HexFormat HEX = HexFormat.of();
  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();

  private ByteText() {}

  /** Two lower-case hex digits a byte. */
  public static String hex(byte[] bytes) {
    return HEX.formatHex(bytes);
  }

  /**
   * The bytes that hex digits in either case stand for.
   *
   * @throws IllegalArgumentException if the text has an odd length or another character
   */
  public static byte[] fromHex(String hex) {
    return HEX.parseHex(hex);
  }

  /**
   * Printable ASCII as it is, every other byte and the backslash as {@code \xNN}: the form of the
   * HBase shell and of {@code Bytes.toStringBinary}.
   */
  public static String printable(byte[] bytes) {
    return printable(bytes, 0, bytes.length);
  }

  /** As {@link #printable(byte[])}, of {@code length} bytes from {@code offset}. */
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
