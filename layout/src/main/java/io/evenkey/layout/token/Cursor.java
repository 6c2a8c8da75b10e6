/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.token;

import io.evenkey.layout.message.Suggestion;
import io.evenkey.layout.text.Span;
import io.evenkey.layout.text.SyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a line token by token, and makes errors that show the place. For hand-written
 * recursive-descent parsers with one token of look-ahead, such as that of a new field type or
 * prefix. Not thread-safe.
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
   * Starts to read a line.
   *
   * @param language the beginning of error messages, such as {@code layout}
   * @param source the line
   * @throws SyntaxException if the line is longer than 65,536 characters
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

  /**
   * Returns the next token without taking it.
   *
   * @throws SyntaxException if no token can begin with the next character, or if a quote is not
   *     closed
   */
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

  /** Whether this symbol comes after the next token. */
  public boolean isFollowedBy(String symbol) {
    Token token = peek();
    int at = token.span().start() + token.span().length();
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
    return source.startsWith(symbol, at);
  }

  /** Takes the next token if it is this symbol. */
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

  /**
   * Takes the symbol that must come next.
   *
   * @throws SyntaxException if something else comes next
   */
  public Token expect(String symbol) {
    if (!peek().is(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
    return next();
  }

  /**
   * Takes the name that must come next.
   *
   * @param meaning what it names, for the error
   * @throws SyntaxException if something else comes next
   */
  public Token expectName(String meaning) {
    if (peek().kind() != Token.Kind.NAME) {
      throw unexpected(meaning);
    }
    return next();
  }

  /**
   * Takes the name, which must come next, of something that the line may define further on. When
   * the whole line is read, {@link #references} returns it for a check.
   *
   * @param meaning what it names, for the error
   * @throws SyntaxException if something else comes next
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

  /**
   * Takes the whole number that must come next.
   *
   * @param meaning what it counts, for the error
   * @param least the smallest that is allowed
   * @param most the largest that is allowed
   * @throws SyntaxException if something else comes next, or another number
   */
  public int expectNumber(String meaning, int least, int most) {
    return (int) expectLong(meaning, least, most);
  }

  /**
   * Takes the whole number that must come next and may be larger than an {@code int}; see {@link
   * #expectNumber}.
   */
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
   *
   * @throws SyntaxException if no value comes next
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

  /** Returns the error that something else is expected instead of the next token. */
  public SyntaxException unexpected(String expected) {
    return error(peek().span(), "unexpected " + peek().shown(), "expected " + expected);
  }

  /** Returns the error that a word is unknown, with the closest known one as a suggestion. */
  public SyntaxException unknown(String what, Token token, Collection<String> known) {
    return error(
        token.span(),
        "unknown " + what + " " + token.shown() + Suggestion.hint(token.text(), known),
        known.isEmpty() ? null : "expected one of " + Suggestion.listed(new TreeSet<>(known)));
  }

  /** Returns an error that points at a place. */
  public SyntaxException error(Span span, String problem, @Nullable String expected) {
    return new SyntaxException(language, source, span, problem, expected);
  }

  /** Returns the text at a place, as it was written. */
  public String text(Span span) {
    return source.substring(span.start(), Math.min(span.start() + span.length(), source.length()));
  }

  /** Returns the place from the start of {@code first} to the end of the last token taken. */
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
