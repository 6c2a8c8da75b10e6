/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.token;

import io.evenkey.layout.text.Span;
import io.evenkey.layout.token.Token.Kind;
import org.jspecify.annotations.Nullable;

/** Cuts a line into tokens. */
final class Lexer {
  private static final String[] SYMBOLS = {
    "..", "<=", ">=", "!=", "<>", "+", "(", ")", "[", "]", ",", ":", ";", "=", "<", ">", "-", "*",
    "/"
  };

  private final Cursor cursor;
  private final String source;
  private int at;

  Lexer(Cursor cursor, String source) {
    this.cursor = cursor;
    this.source = source;
  }

  /** The first character not yet taken. */
  int position() {
    return at;
  }

  void rewindTo(int position) {
    at = position;
  }

  Token next() {
    Token simple = endOrQuoted();
    if (simple != null) {
      return simple;
    }
    char c = source.charAt(at);
    if (c == '`') {
      return quoted(Kind.NAME, c);
    }
    int start = at;
    if (isDigit(c)) {
      while (at < source.length() && isDigit(source.charAt(at))) {
        at++;
      }
      return token(Kind.NUMBER, start);
    }
    if (isNameStart(c)) {
      while (at < source.length() && isNamePart(source.charAt(at))) {
        at++;
      }
      return token(Kind.NAME, start);
    }
    for (String symbol : SYMBOLS) {
      if (source.startsWith(symbol, at)) {
        at += symbol.length();
        return token(Kind.SYMBOL, start);
      }
    }
    int codePoint = source.codePointAt(at);
    throw cursor.error(
        Span.between(at, at + Character.charCount(codePoint)),
        "unexpected character '" + Character.toString(codePoint) + "'",
        "a name with special characters goes between `backquotes`, text between \"quotes\"");
  }

  Token bareValue() {
    Token simple = endOrQuoted();
    if (simple != null) {
      return simple;
    }
    int start = at;
    while (at < source.length()
        && !Character.isWhitespace(source.charAt(at))
        && ",();".indexOf(source.charAt(at)) < 0) {
      at++;
    }
    return at == start ? next() : token(Kind.STRING, start);
  }

  private @Nullable Token endOrQuoted() {
    skipBlanks();
    if (at == source.length()) {
      return end();
    }
    char c = source.charAt(at);
    return c == '"' || c == '\'' ? quoted(Kind.STRING, c) : null;
  }

  private Token quoted(Kind kind, char quote) {
    int start = at++;
    StringBuilder text = new StringBuilder();
    while (at < source.length() && source.charAt(at) != quote) {
      char c = source.charAt(at++);
      text.append(c == '\\' ? escaped(start) : c);
    }
    if (at == source.length()) {
      throw cursor.error(
          Span.between(start, at),
          kind == Kind.STRING ? "text without its closing quote" : "name without its backquote",
          "expected " + quote + " before the end of the line");
    }
    at++;
    if (kind == Kind.NAME && text.isEmpty()) {
      throw cursor.error(Span.between(start, at), "empty name", "expected a name");
    }
    return new Token(kind, text.toString(), Span.between(start, at));
  }

  private char escaped(int quoteStart) {
    if (at == source.length()) {
      throw cursor.error(Span.between(quoteStart, at), "text without its closing quote", null);
    }
    char c = source.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hexCharacter();
      case '\\', '"', '\'', '`' -> c;
      default ->
          throw cursor.error(
              Span.between(at - 2, at),
              "unknown escape '\\" + c + "'",
              "expected one of \\\\ \\\" \\' \\` \\n \\r \\t \\uXXXX");
    };
  }

  private char hexCharacter() {
    int end = Math.min(at + 4, source.length());
    int value = 0;
    for (int i = at; i < end; i++) {
      int digit = Character.digit(source.charAt(i), 16);
      value = digit < 0 ? -1 : value < 0 ? value : value * 16 + digit;
    }
    if (value < 0 || end < at + 4) {
      throw cursor.error(
          Span.between(at - 2, end), "incomplete escape", "expected \\u and four hex digits");
    }
    at = end;
    return (char) value;
  }

  private void skipBlanks() {
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
  }

  private Token end() {
    return new Token(Kind.END, "", new Span(source.length(), 1));
  }

  private Token token(Kind kind, int start) {
    return new Token(kind, source.substring(start, at), Span.between(start, at));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
  }
}
