/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.token;

import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.Span;

/**
 * One token of a line: a name, a string, a number, a symbol, or its end. Immutable.
 *
 * @param kind its kind
 * @param text its meaning: a name or string without quotes, a number's digits, a symbol itself
 * @param span its place in the line, quotes included
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

  /** Whether this is the given bare word, in upper or lower case. */
  public boolean isWord(String word) {
    return kind == Kind.NAME && text.equalsIgnoreCase(word);
  }

  /** Returns this token for an error message. */
  public String shown() {
    return switch (kind) {
      case END -> "the end of the line";
      case STRING -> Quoted.literal(text);
      case NAME, NUMBER, SYMBOL -> "'" + text + "'";
    };
  }
}
