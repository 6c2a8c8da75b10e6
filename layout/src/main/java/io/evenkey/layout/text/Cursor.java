/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a line token by token, and complains with the place. Made for hand-written
 * recursive-descent parsers with one token of look-ahead. Not thread-safe.
 */
public final class Cursor {
  /** Far more than any key can need, small enough that a hostile line cannot hurt. */
  static final int MAX_LENGTH = 65_536;

  private final String language;
  private final String source;
  private final Lexer lexer;
  private final List<Token> references = new ArrayList<>();
  private @Nullable Token peeked;

  private Cursor(String language, String source) {
    this.language = language;
    this.source = source;
    this.lexer = new Lexer(this, source);
  }

  /**
   * Starts reading.
   *
   * @param language the begin of error messages, such as {@code layout}
   * @param source the line
   */
  public static Cursor over(String language, String source) {
    if (source.length() > MAX_LENGTH) {
      throw new SyntaxException(
          language,
          source.substring(0, 40) + "…",
          new Span(40, 1),
          "line too long: " + source.length() + " characters, at most " + MAX_LENGTH,
          null);
    }
    return new Cursor(language, source);
  }

  /** The next token, which stays where it is. */
  public Token peek() {
    Token token = peeked;
    if (token == null) {
      token = lexer.next();
      peeked = token;
    }
    return token;
  }

  /** Takes the next token. */
  public Token next() {
    Token token = peek();
    peeked = null;
    return token;
  }

  /** Whether this sign comes right after the next token, blanks aside. */
  public boolean isFollowedBy(String symbol) {
    Token token = peek();
    int at = token.span().start() + token.span().length();
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
    return source.startsWith(symbol, at);
  }

  /** Takes the next token if it is this sign. */
  public boolean skip(String symbol) {
    boolean there = peek().is(symbol);
    if (there) {
      next();
    }
    return there;
  }

  /** Takes the next token if it is this bare word. */
  public boolean skipWord(String word) {
    boolean there = peek().isWord(word);
    if (there) {
      next();
    }
    return there;
  }

  /** Takes the sign that must stand here. */
  public Token expect(String symbol) {
    if (!peek().is(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
    return next();
  }

  /** Takes the name that must stand here. */
  public Token expectName(String meaning) {
    if (peek().kind() != Token.Kind.NAME) {
      throw unexpected(meaning);
    }
    return next();
  }

  /**
   * Takes the name that must stand here, of something that the line defines elsewhere, perhaps
   * further on. {@link #references} has it for when the whole line is known.
   */
  public Token expectReference(String meaning) {
    Token name = expectName(meaning);
    references.add(name);
    return name;
  }

  /** The names taken by {@link #expectReference} so far. */
  public List<Token> references() {
    return List.copyOf(references);
  }

  /** Takes a whole number between two bounds, both allowed. */
  public int expectNumber(String meaning, int least, int most) {
    return (int) expectLong(meaning, least, most);
  }

  /** As {@link #expectNumber}, of numbers that an int cannot hold. */
  public long expectLong(String meaning, long least, long most) {
    Token token = peek();
    if (token.kind() != Token.Kind.NUMBER) {
      throw unexpected(meaning + ", a whole number from " + least + " to " + most);
    }
    next();
    // More than 18 digits are not allowed anywhere.
    long value = token.text().length() > 18 ? Long.MAX_VALUE : Long.parseLong(token.text());
    if (value < least || value > most) {
      throw error(
          token.span(),
          meaning + " out of range: " + token.text(),
          "expected a whole number from " + least + " to " + most);
    }
    return value;
  }

  /**
   * Takes a value as people write it after an operator: a quoted string, or everything up to the
   * next blank, comma or parenthesis, such as {@code 2026-01-01T00:00Z} or {@code -5}.
   */
  public Token bareValue(String meaning) {
    if (peeked != null && peeked.kind() != Token.Kind.END) {
      lexer.rewindTo(peeked.span().start());
    }
    peeked = null;
    Token value = lexer.bareValue();
    if (value.kind() == Token.Kind.END) {
      peeked = value;
      throw unexpected(meaning);
    }
    return value;
  }

  /** The complaint that the next token is not what should be here. */
  public SyntaxException unexpected(String expected) {
    return error(peek().span(), "unexpected " + peek().shown(), "expected " + expected);
  }

  /** A complaint about a word that is not among the known ones. */
  public SyntaxException unknown(String what, Token token, Collection<String> known) {
    return error(
        token.span(),
        "unknown " + what + " " + token.shown() + Suggestion.hint(token.text(), known),
        known.isEmpty() ? null : "expected one of " + String.join(", ", new TreeSet<>(known)));
  }

  /** A complaint about a place. */
  public SyntaxException error(Span span, String problem, @Nullable String expected) {
    return new SyntaxException(language, source, span, problem, expected);
  }

  /** The text at a place, as it was written. */
  public String text(Span span) {
    return source.substring(span.start(), Math.min(span.start() + span.length(), source.length()));
  }

  /** The place from the start of {@code first} to the last token taken. */
  public Span since(Span first) {
    int end = lexer.position();
    Token ahead = peeked;
    if (ahead != null) {
      end = ahead.span().start();
      while (end > first.start() && Character.isWhitespace(source.charAt(end - 1))) {
        end--;
      }
    }
    return Span.between(first.start(), end);
  }
}
