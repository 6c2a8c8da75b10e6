/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.language;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.field.FieldTypes;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.KeyForm;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.key.PartProblem;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.spread.ParsedPrefix;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Prefixes;
import io.evenkey.layout.text.Span;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.PlaceProblem;
import io.evenkey.layout.token.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a layout line:
 *
 * <pre>
 * layout  = [ prefix { "+" literal } "+" ] part { "+" part }
 * prefix  = name "(" arguments ")" …            see {@link Prefixes}
 * part    = field | literal | "reverse" "(" part { "+" part } ")" | "reverse_domain" "(" field ")"
 * field   = name ":" type [ "asc" | "desc" ]    see {@link FieldTypes}
 * literal = quoted text
 * </pre>
 */
public final class LayoutParser {
  private static final String LANGUAGE = "layout";
  private static final String REVERSE = "reverse";

  private final Cursor cursor;
  private final IdentityHashMap<Part, Span> places = new IdentityHashMap<>();

  private LayoutParser(String line) {
    cursor = Cursor.over(LANGUAGE, line);
  }

  /**
   * The parts of a line.
   *
   * @param prefix the prefix in front of the key, or null
   * @param separators literals between the prefix and the key
   * @param key the logical key
   */
  public record Line(@Nullable Prefix prefix, List<Part.Literal> separators, Key key) {
    /** Copies the list. */
    public Line {
      separators = List.copyOf(separators);
    }

    /** The line in its canonical spelling. */
    @Override
    public String toString() {
      List<String> parts = new ArrayList<>();
      if (prefix != null) {
        parts.add(prefix.toString());
        separators.forEach(separator -> parts.add(separator.toString()));
      }
      parts.add(key.toString());
      return String.join(" + ", parts);
    }
  }

  /**
   * Reads a line.
   *
   * @throws io.evenkey.layout.text.SyntaxException if it is not a layout
   */
  public static Line parse(String line) {
    Line parsed = new LayoutParser(line).line();
    // What is stored is the canonical spelling, which can be longer, and has to be read back.
    Cursor.over(LANGUAGE, parsed.toString());
    return parsed;
  }

  private Line line() {
    ParsedPrefix prefix = null;
    List<Part> parts = new ArrayList<>();
    do {
      Token first = cursor.peek();
      Function<Cursor, ParsedPrefix> reader = prefixReader();
      if (reader == null) {
        parts.add(part(false));
      } else if (prefix == null && parts.isEmpty()) {
        prefix = reader.apply(cursor);
      } else {
        throw cursor.error(
            first.span(),
            first.shown() + " can only stand first",
            prefix == null
                ? "a salt or hash prefix is the beginning of the row"
                : "a layout has one prefix, and this one has " + prefix);
      }
    } while (cursor.skip("+"));
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("'+' and another part, or the end of the line");
    }
    List<Part.Literal> separators = new ArrayList<>();
    while (prefix != null && !parts.isEmpty() && parts.get(0) instanceof Part.Literal literal) {
      separators.add(literal);
      parts.remove(0);
    }
    Key key = key(prefix == null ? KeyForm.EVENKEY : prefix.keyForm(), parts);
    if (key.fields().isEmpty()) {
      throw cursor.error(
          cursor.peek().span(),
          "a layout without a field",
          "expected at least one, such as id:string");
    }
    checkReferences(key);
    return new Line(prefix == null ? null : before(key, prefix, separators), separators, key);
  }

  // A prefix is a known name before a parenthesis; a field of that name has a colon instead.
  private @Nullable Function<Cursor, ParsedPrefix> prefixReader() {
    Token name = cursor.peek();
    if (name.kind() != Token.Kind.NAME || !cursor.isFollowedBy("(")) {
      return null;
    }
    Function<Cursor, ParsedPrefix> reader = Prefixes.reader(name.text());
    if (reader != null) {
      cursor.next();
    } else if (!name.text().equals(REVERSE) && !name.text().equals(FieldTypes.DOMAIN.toString())) {
      Collection<String> known = new TreeSet<>(Prefixes.names());
      known.add(REVERSE);
      known.add(FieldTypes.DOMAIN.toString());
      throw cursor.unknown("spread", name, known);
    }
    return reader;
  }

  private Part part(boolean insideReverse) {
    Token first = cursor.peek();
    Part part =
        switch (first.kind()) {
          case STRING -> literal();
          case NAME ->
              !cursor.isFollowedBy("(")
                  ? field()
                  : first.text().equals(FieldTypes.DOMAIN.toString())
                      ? domain()
                      : reverse(insideReverse);
          default ->
              throw cursor.unexpected(
                  "a field (name:type), \"text\", salt(…), a hash or reverse(…)");
        };
    places.put(part, cursor.since(first.span()));
    return part;
  }

  private Part literal() {
    Token text = cursor.next();
    if (text.text().isEmpty()) {
      throw cursor.error(text.span(), "empty text", "leave it out");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text.text())) {
      throw cursor.error(text.span(), "half a surrogate pair", "expected whole characters");
    }
    return new Part.Literal(text.text());
  }

  private Part field() {
    Token name = cursor.next();
    if (!cursor.skip(":")) {
      throw cursor.error(
          name.span(),
          "field '" + name.text() + "' without a type",
          "expected "
              + Quoted.name(name.text())
              + ":type, where type is one of "
              + String.join(", ", new TreeSet<>(FieldTypes.names())));
    }
    FieldType type = FieldTypes.read(cursor);
    boolean descending = cursor.skipWord("desc");
    if (!descending && !cursor.skipWord("asc") && cursor.peek().kind() == Token.Kind.NAME) {
      throw cursor.unknown("direction", cursor.peek(), List.of("asc", "desc"));
    }
    return new Part.Value(new Field(name.text(), type, descending));
  }

  private Part domain() {
    cursor.next();
    cursor.expect("(");
    Token type = cursor.peek();
    Field text = ((Part.Value) field()).field();
    if (!text.type().toString().equals("string")) {
      throw cursor.error(
          cursor.since(type.span()),
          "reverse_domain of a " + text.type(),
          "expected a string without a width: reverse_domain("
              + Quoted.name(text.name())
              + ":string)");
    }
    if (!cursor.skip(")")) {
      throw cursor.unexpected("')'");
    }
    return new Part.Value(new Field(text.name(), FieldTypes.DOMAIN, text.descending()));
  }

  private Part reverse(boolean insideReverse) {
    Token name = cursor.next();
    if (!name.text().equals(REVERSE) || insideReverse) {
      throw cursor.error(
          name.span(),
          name.shown() + " cannot stand inside reverse(…)",
          "expected fields and literals");
    }
    cursor.expect("(");
    List<Part> parts = new ArrayList<>();
    do {
      parts.add(part(true));
    } while (cursor.skip("+"));
    if (!cursor.skip(")")) {
      throw cursor.unexpected("'+' or ')'");
    }
    return new Part.Reverse(parts);
  }

  private Key key(KeyForm form, List<Part> parts) {
    try {
      return Key.of(form, parts);
    } catch (PartProblem e) {
      throw problem(e);
    }
  }

  private Prefix before(Key key, ParsedPrefix prefix, List<Part.Literal> separators) {
    if (prefix.keyForm() == KeyForm.PHOENIX && !separators.isEmpty()) {
      throw cursor.error(
          places.getOrDefault(separators.get(0), cursor.peek().span()),
          separators.get(0) + " cannot be part of a Phoenix key",
          "leave it out, or use salt(N)");
    }
    try {
      return prefix.before(key);
    } catch (PartProblem e) {
      throw problem(e);
    } catch (PlaceProblem e) {
      throw cursor.error(e.place(), String.valueOf(e.getMessage()), e.remedy());
    }
  }

  private SyntaxException problem(PartProblem problem) {
    Span place = places.getOrDefault(problem.part(), cursor.peek().span());
    return cursor.error(place, String.valueOf(problem.getMessage()), problem.remedy());
  }

  private void checkReferences(Key key) {
    for (Token reference : cursor.references()) {
      if (key.indexOf(reference.text()) < 0) {
        throw cursor.unknown("field", reference, key.fields().stream().map(Field::name).toList());
      }
    }
  }
}
