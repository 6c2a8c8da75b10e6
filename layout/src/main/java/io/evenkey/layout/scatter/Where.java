package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.text.Cursor;
import io.evenkey.layout.text.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the fields of a key, such as {@code device = 'x' and ts >= 2026-01-01 and ts <
 * 2026-02-01}: comparisons ({@code = < <= > >=}) and {@code between … and …} (both ends included),
 * joined by {@code and}. A value is quoted text, or anything without blanks, commas and
 * parentheses.
 *
 * <p>The keys that fulfil it and lie next to each other are a logical range: as many leading fields
 * as are fixed to one value, then one more that may be bounded. Conditions on the fields after that
 * are left {@link #residual}. Immutable.
 */
public final class Where {
  private final Key key;
  private final Map<String, Bounds> bounds = new LinkedHashMap<>();
  private final Map<String, List<String>> written = new LinkedHashMap<>();

  private Where(Key key) {
    this.key = key;
  }

  /**
   * Reads a condition on the fields of {@code key}.
   *
   * @throws io.evenkey.layout.text.SyntaxException if it is not one
   */
  public static Where parse(Key key, String text) {
    Where where = new Where(key);
    Cursor cursor = Cursor.over("where", text);
    do {
      where.readCondition(cursor);
    } while (cursor.skipWord("and"));
    if (cursor.peek().kind() != Token.Kind.END) {
      throw cursor.unexpected("'and' or the end of the line");
    }
    return where;
  }

  private void readCondition(Cursor cursor) {
    Token name = cursor.expectName("a field name");
    int index = key.indexOf(name.text());
    if (index < 0) {
      throw cursor.unknown("field", name, key.fields().stream().map(Field::name).toList());
    }
    Field field = key.fields().get(index);
    Bounds condition = readBounds(cursor, field);
    Bounds before = bounds.get(field.name());
    // Comparing two values encodes both, which can refuse one.
    bounds.put(
        field.name(),
        pointing(cursor, name, () -> before == null ? condition : before.and(condition, field)));
    written
        .computeIfAbsent(field.name(), n -> new ArrayList<>())
        .add(cursor.text(cursor.since(name.span())));
  }

  private static Bounds readBounds(Cursor cursor, Field field) {
    if (cursor.skipWord("between")) {
      Object lower = readValue(cursor, field);
      if (!cursor.skipWord("and")) {
        throw cursor.unexpected("'and' with the upper end");
      }
      return new Bounds(lower, true, readValue(cursor, field), true);
    }
    Token operator = cursor.peek();
    if (operator.kind() != Token.Kind.SYMBOL || !"= < <= > >=".contains(operator.text())) {
      throw cursor.unexpected("one of = < <= > >= between");
    }
    cursor.next();
    Object value = readValue(cursor, field);
    return switch (operator.text()) {
      case "=" -> Bounds.exactly(value);
      case "<" -> Bounds.atMost(value, false);
      case "<=" -> Bounds.atMost(value, true);
      case ">" -> Bounds.atLeast(value, false);
      default -> Bounds.atLeast(value, true);
    };
  }

  private static Object readValue(Cursor cursor, Field field) {
    Token value = cursor.bareValue("a value of " + field);
    return pointing(cursor, value, () -> field.parse(value.text()));
  }

  private static <T> T pointing(Cursor cursor, Token place, Supplier<T> work) {
    try {
      return work.get();
    } catch (ValueException e) {
      throw cursor.error(place.span(), e.getMessage(), null);
    }
  }

  /**
   * The logical keys that fulfil the conditions on the leading fields.
   *
   * @throws ValueException if a value of the condition cannot stand in a key
   */
  public KeyRange range() {
    for (Field field : key.fields()) {
      Bounds b = bounds.get(field.name());
      if (b != null && b.isEmpty(field)) {
        return KeyRange.none();
      }
    }
    Object[] values = new Object[key.fields().size()];
    KeyBuffer beginning = new KeyBuffer(64);
    for (int step = 0; step < key.stepCount(); step++) {
      if (key.stepAt(step) instanceof Part.Value part) {
        Field field = part.field();
        Bounds b = bounds.get(field.name());
        Object only = b == null ? null : b.onlyValue(field);
        if (only == null) {
          return b == null
              ? KeyRange.prefix(beginning.toArray())
              : bounded(beginning.toArray(), step, field, b);
        }
        values[key.indexOf(field.name())] = only;
      }
      key.writeStep(step, values, beginning);
    }
    return KeyRange.point(beginning.toArray());
  }

  private KeyRange bounded(byte[] beginning, int step, Field field, Bounds b) {
    boolean descending = field.descending();
    Object first = descending ? b.upper() : b.lower();
    Object last = descending ? b.lower() : b.upper();
    boolean withFirst = descending ? b.upperInclusive() : b.lowerInclusive();
    boolean withLast = descending ? b.lowerInclusive() : b.upperInclusive();
    byte[] start = first == null ? beginning : edge(beginning, step, field, first, !withFirst);
    byte[] stop =
        last == null
            ? KeyRange.afterPrefix(beginning)
            : edge(beginning, step, field, last, withLast);
    // An empty bound stands for no bound; here it is one, and nothing is beyond it.
    boolean nothingAfter = first != null && !withFirst && start.length == 0;
    boolean nothingBefore = last != null && !withLast && stop.length == 0;
    return nothingAfter || nothingBefore ? KeyRange.none() : KeyRange.of(start, stop);
  }

  /** The first key with this value, or the first after all that have it. */
  private byte[] edge(byte[] beginning, int step, Field field, Object value, boolean after) {
    Object[] values = new Object[key.fields().size()];
    values[key.indexOf(field.name())] = value;
    KeyBuffer edge = new KeyBuffer(64).put(beginning);
    key.writeStep(step, values, edge);
    if (key.endsWithKey(step)) {
      return after ? edge.put(0).toArray() : edge.toArray();
    }
    for (int next = step + 1; isLiteral(next); next++) {
      key.writeStep(next, values, edge);
    }
    return after ? KeyRange.afterPrefix(edge.toArray()) : edge.toArray();
  }

  private boolean isLiteral(int step) {
    return step < key.stepCount() && key.stepAt(step) instanceof Part.Literal;
  }

  /**
   * The conditions, as they were written, that {@link #range} does not fulfil by itself.
   *
   * @param exact whether the range is read exactly, as {@link Scatter#exact} says; if not, the
   *     conditions on every field have to be checked
   */
  public List<String> residual(boolean exact) {
    List<String> left = new ArrayList<>();
    boolean covered = exact;
    for (Field field : key.fields()) {
      Bounds b = bounds.get(field.name());
      if (b != null && !covered) {
        left.addAll(written.getOrDefault(field.name(), List.of()));
      }
      covered &= isFixed(field, b);
    }
    return left;
  }

  private static boolean isFixed(Field field, @Nullable Bounds b) {
    return b != null && b.onlyValue(field) != null;
  }
}
