/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

/**
 * One word of a line.
 *
 * @param kind its kind
 * @param text its meaning: a name or string without its quotes, a number's digits, a symbol itself
 * @param span where it stands, quotes included
 */
public record Token(Kind kind, String text, Span span) {
  /** The kinds of tokens. */
  public enum Kind {
    /** A bare or backquoted name. */
    NAME,
    /** Decimal digits. */
    NUMBER,
    /** Text between single or double quotes. */
    STRING,
    /** One of the languages' signs, such as {@code +} or {@code >=}. */
    SYMBOL,
    /** The end of the line. */
    END
  }

  /** Whether this is the given sign. */
  public boolean is(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** Whether this is the given bare word, in any case. */
  public boolean isWord(String word) {
    return kind == Kind.NAME && text.equalsIgnoreCase(word);
  }

  /** The name of this token in an error message. */
  public String shown() {
    return switch (kind) {
      case END -> "the end of the line";
      case STRING -> Quoted.literal(text);
      case NAME, NUMBER, SYMBOL -> "'" + text + "'";
    };
  }
}
