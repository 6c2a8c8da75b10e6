/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.cell.CellType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The name of a column of a table in the header of a file: {@code family:qualifier}, or {@code
 * family:qualifier:type}. Bytes that are not UTF-8, control characters, colons and backslashes are
 * written as {@code \xNN}, as HBase's shell does it; so are blanks at either end. Every column of
 * every table has a name, and no two have the same.
 *
 * @param family of the column
 * @param qualifier of the column; may be empty
 * @param type of its values, or null if the name tells none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CellName(byte[] family, byte[] qualifier, @Nullable CellType type) {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /**
   * Reads a name.
   *
   * @param families the families of the table, as {@link #text(byte[])} writes them
   * @return null if it does not begin with one of them
   */
  public static @Nullable CellName parse(String name, Collection<String> families) {
    int colon = name.indexOf(':');
    if (colon < 0 || !families.contains(name.substring(0, colon))) {
      return null;
    }
    byte[] family = bytes(name.substring(0, colon));
    String rest = name.substring(colon + 1);
    int last = rest.lastIndexOf(':');
    CellType type = last < 0 ? null : CellType.named(rest.substring(last + 1));
    return new CellName(family, bytes(type == null ? rest : rest.substring(0, last)), type);
  }

  /** Returns the form that {@link #parse} reads. */
  public String text() {
    return text(family) + ":" + text(qualifier) + (type == null ? "" : ":" + type);
  }

  /** Another text of this name, in which the qualifier's first byte is escaped. */
  public String escaped() {
    if (qualifier.length == 0) {
      return text();
    }
    byte[] rest = Arrays.copyOfRange(qualifier, 1, qualifier.length);
    String first = "\\x" + HexFormat.of().withUpperCase().toHexDigits(qualifier[0]);
    return text(family) + ":" + first + text(rest) + (type == null ? "" : ":" + type);
  }

  /**
   * Whether the qualifier alone names the column in a table of one family: it is text, and is not
   * read as anything else.
   */
  public boolean isPlain() {
    return type == null
        && qualifier.length > 0
        && Arrays.equals(bytesOf(text(qualifier)), qualifier);
  }

  private static byte[] bytesOf(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Bytes as they are written in names. */
  public static String text(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length);
    for (int i = 0; i < bytes.length; ) {
      int length = length(bytes, i);
      String character = new String(bytes, i, Math.max(1, length), StandardCharsets.UTF_8);
      boolean atEnd = i == 0 || i + length == bytes.length;
      if (length > 0 && isWritten(character.codePointAt(0), atEnd)) {
        text.append(character);
      } else {
        for (int k = i; k < i + Math.max(1, length); k++) {
          text.append("\\x").append(HexFormat.of().withUpperCase().toHexDigits(bytes[k]));
        }
      }
      i += Math.max(1, length);
    }
    return text.toString();
  }

  private static boolean isWritten(int character, boolean atEnd) {
    return character != ':'
        && character != '\\'
        && character != BYTE_ORDER_MARK
        && !Character.isISOControl(character)
        && !(atEnd && Character.isWhitespace(character));
  }

  /** The number of bytes of the character in UTF-8 that begins here; 0 if there is none. */
  private static int length(byte[] bytes, int start) {
    for (int length = 1; length <= Math.min(4, bytes.length - start); length++) {
      byte[] part = Arrays.copyOfRange(bytes, start, start + length);
      String text = new String(part, StandardCharsets.UTF_8);
      if (text.codePointCount(0, text.length()) == 1 && Arrays.equals(bytesOf(text), part)) {
        return length;
      }
    }
    return 0;
  }

  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("\\x", at)
          && at + 4 <= text.length()
          && HexFormat.isHexDigit(text.charAt(at + 2))
          && HexFormat.isHexDigit(text.charAt(at + 3))) {
        bytes.write(HexFormat.fromHexDigits(text, at + 2, at + 4));
        at += 4;
      } else {
        int next = text.offsetByCodePoints(at, 1);
        bytes.writeBytes(bytesOf(text.substring(at, next)));
        at = next;
      }
    }
    return bytes.toByteArray();
  }
}
