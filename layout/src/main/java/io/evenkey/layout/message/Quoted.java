/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.message;

import java.util.regex.Pattern;

/**
 * Quotes names and texts so that a parser reads them back unchanged: for programs that compose
 * layout lines or conditions.
 *
 * <pre>{@code
 * String condition = Quoted.name(fieldName) + " = " + Quoted.literal(userInput);
 * }</pre>
 *
 * <p>Stateless and thread-safe.
 */
public final class Quoted {
  private static final Pattern BARE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private Quoted() {}

  /**
   * Returns a name as it is, or between backquotes if it has characters that a bare name cannot
   * have.
   */
  public static String name(String name) {
    return BARE_NAME.matcher(name).matches() ? name : "`" + escape(name, '`') + "`";
  }

  /** Returns a text between double quotes, with its quotes and backslashes escaped. */
  public static String literal(String text) {
    return '"' + escape(text, '"') + '"';
  }

  private static String escape(String text, char quote) {
    StringBuilder escaped = new StringBuilder(text.length() + 2);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        default -> {
          if (c == quote) {
            escaped.append('\\').append(c);
          } else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c) && isLone(text, i)) {
            escaped.append(String.format("\\u%04x", (int) c));
          } else {
            escaped.append(c);
          }
        }
      }
    }
    return escaped.toString();
  }

  private static boolean isLone(String text, int i) {
    char c = text.charAt(i);
    return Character.isHighSurrogate(c)
        ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
        : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
  }
}
