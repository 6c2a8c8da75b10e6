/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Slices;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the fields of a key, parsed for one layout, such as {@code device in ('x', 'y')
 * and ts >= 2026-01-01}.
 *
 * <pre>{@code
 * Where where = layout.where("device in ('x', 'y') and ts >= 2026-01-01");
 * List<KeyRange> two = where.ranges();
 * boolean wanted = where.matches(layout.decode(row)::get);
 * }</pre>
 *
 * <p>The keys that meet it lie in logical ranges: one for each combination of the single values
 * that the leading fields may have, narrowed by the first field that may have more values.
 * Conditions on fields behind that are {@link #residual}: the reader must test them. A null meets
 * no condition.
 *
 * <p>Immutable and thread-safe.
 */
public final class Where {
  /**
   * The most ranges that a condition makes. If there would be more, the next field is filtered
   * instead, because each range costs at least one request.
   */
  public static final int MAX_RANGES = 10_000;

  private final Key key;
  private final Map<String, ValueSet> allowed;
  private final Map<String, List<String>> written;
  private final int expanded;

  Where(Key key, Map<String, ValueSet> allowed, Map<String, List<String>> written) {
    this.key = key;
    this.allowed = Map.copyOf(allowed);
    this.written = Map.copyOf(written);
    this.expanded = expandable();
  }

  /**
   * Parses a condition on the fields of {@code key}:
   *
   * <pre>
   * condition  = comparison { "and" comparison }
   * comparison = field ( "=" | "!=" | "&lt;&gt;" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=" ) value
   *            | field "between" value "and" value          both ends included
   *            | field "in" "(" value { "," value } ")"
   *            | field "starts" "with" value
   * value      = quoted text | anything without blanks, commas and parentheses
   * </pre>
   *
   * @throws io.evenkey.layout.text.SyntaxException if the text is not a condition; shows the place
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static Where parse(Key key, String text) {
    return new WhereParser(key, text).where();
  }

  /**
   * Binds a condition that was built in Java to the fields of {@code key}.
   *
   * @throws io.evenkey.layout.field.UnknownFieldException if the key has no field of a name in it
   * @throws io.evenkey.layout.field.ValueException if a field cannot hold a value in it
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static Where of(Key key, Condition condition) {
    return condition.of(key);
  }

  /**
   * Logical keys that lie next to each other, and what is known of all of them.
   *
   * @param keys the keys
   * @param fixed the ascending form of each field that has one value in them all, in the order of
   *     the key's fields; null for the others
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this package
  record Stretch(KeyRange keys, byte @Nullable [][] fixed) {}

  /** The number of leading fields of which each range is read by itself. */
  private int expandable() {
    long ranges = 1;
    int fields = 0;
    for (Field field : key.fields()) {
      ValueSet values = allowed.get(field.name());
      if (values == null || ranges * values.ranges().size() > MAX_RANGES) {
        return fields;
      }
      ranges *= values.ranges().size();
      fields++;
    }
    return fields;
  }

  /**
   * Returns the logical ranges that the conditions on the leading fields make: ascending and
   * disjoint.
   *
   * @throws io.evenkey.layout.field.ValueException if a key cannot hold a value of the condition
   */
  public List<KeyRange> ranges() {
    List<KeyRange> joined = new ArrayList<>();
    for (Stretch stretch : stretches()) {
      int last = joined.size() - 1;
      KeyRange both = last < 0 ? null : joined.get(last).joined(stretch.keys);
      if (both == null) {
        joined.add(stretch.keys);
      } else {
        joined.set(last, both);
      }
    }
    return List.copyOf(joined);
  }

  /** Returns the smallest range that contains all of {@link #ranges()}. */
  public KeyRange bounds() {
    List<Stretch> stretches = stretches();
    return stretches.isEmpty()
        ? KeyRange.none()
        : KeyRange.of(
            stretches.get(0).keys.start(), stretches.get(stretches.size() - 1).keys.stop());
  }

  List<Stretch> stretches() {
    if (allowed.values().stream().anyMatch(ValueSet::isEmpty)) {
      return List.of();
    }
    List<Stretch> all = new ArrayList<>();
    byte[][] fixed = new byte[key.fields().size()][];
    expand(0, new byte[0], fixed, all);
    all.removeIf(stretch -> stretch.keys.isEmpty());
    all.sort((a, b) -> Arrays.compareUnsigned(a.keys.start(), b.keys.start()));
    return all;
  }

  private void expand(int from, byte[] beginning, byte[][] fixed, List<Stretch> all) {
    int element = from;
    KeyBuffer written = new KeyBuffer(64).put(beginning);
    while (element < key.elementCount() && key.elementAt(element) instanceof Part.Literal) {
      key.writeElements(element, element + 1, new Object[0], written);
      element++;
    }
    byte[] here = written.toArray();
    if (element == key.elementCount()) {
      all.add(new Stretch(KeyRange.point(here), fixed.clone()));
      return;
    }
    int field = key.fields().indexOf(((Part.Value) key.elementAt(element)).field());
    ValueSet values = allowed.get(key.fields().get(field).name());
    if (values == null) {
      // Where the rest may be null, a key can end here, without the mark that would part the two.
      int ending = field == 0 ? 0 : key.codecOf(field - 1).markLeftOut();
      byte[] start = Arrays.copyOf(here, here.length - ending);
      all.add(new Stretch(KeyRange.of(start, KeyRange.afterPrefix(here)), fixed.clone()));
      return;
    }
    for (KeyRange range : (field < expanded ? values : values.hull()).ranges()) {
      byte[] only = range.onlyKey();
      if (only == null) {
        all.add(new Stretch(between(here, key.codecOf(field), range), fixed.clone()));
        continue;
      }
      KeyBuffer with = new KeyBuffer(64).put(here);
      key.codecOf(field).writeEncoded(only, with);
      fixed[field] = only;
      expand(element + 1, with.toArray(), fixed, all);
      fixed[field] = null;
    }
  }

  /** The keys that go on after a beginning with a value in the range. */
  private static KeyRange between(byte[] beginning, FieldCodec codec, KeyRange range) {
    byte[] low = range.start();
    byte[] high = range.stop();
    byte[] first = codec.field().descending() ? high : low;
    byte[] last = codec.field().descending() ? low : high;
    byte[] start =
        first.length == 0 ? firstValue(beginning, codec) : codec.boundary(beginning, first);
    byte[] stop =
        last.length == 0 ? KeyRange.afterPrefix(beginning) : codec.boundary(beginning, last);
    // An empty boundary is after every key; as a start it would be before them.
    return first.length > 0 && start.length == 0 ? KeyRange.none() : KeyRange.of(start, stop);
  }

  // A null of Phoenix comes before every value, as a 00 byte or as nothing at all.
  private static byte[] firstValue(byte[] beginning, FieldCodec codec) {
    if (!codec.isNullable()) {
      return beginning;
    }
    byte[] start = Arrays.copyOf(beginning, beginning.length + 1);
    start[beginning.length] = (byte) (codec.width() < 0 ? 1 : 0);
    return start;
  }

  /**
   * Whether a record meets the condition.
   *
   * @param record returns the value of a field by its name; null where a Phoenix key has none
   */
  public boolean matches(Function<String, @Nullable Object> record) {
    for (Map.Entry<String, ValueSet> condition : allowed.entrySet()) {
      Object value = record.apply(condition.getKey());
      Field field = key.fields().get(key.indexOf(condition.getKey()));
      if (value == null || !condition.getValue().contains(field.encoded(value))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the comparisons as they were written, by field, in key order. */
  public Map<Field, List<String>> comparisons() {
    Map<Field, List<String>> comparisons = new LinkedHashMap<>();
    for (Field field : key.fields()) {
      List<String> texts = written.get(field.name());
      if (texts != null) {
        comparisons.put(field, List.copyOf(texts));
      }
    }
    return comparisons;
  }

  /**
   * Returns the comparisons, as they were written, that {@link #ranges} do not guarantee and the
   * reader must test.
   *
   * @param exact whether the physical ranges are {@linkplain Scatter#exact exact}; if not, the
   *     reader must test every field
   */
  public List<String> residual(boolean exact) {
    List<String> left = new ArrayList<>();
    boolean covered = exact;
    for (int i = 0; i < key.fields().size(); i++) {
      String name = key.fields().get(i).name();
      ValueSet values = allowed.get(name);
      if (values != null && !(covered && i < expanded)) {
        left.addAll(written.getOrDefault(name, Collections.emptyList()));
      }
      covered &= values != null && i < expanded && values.isPoints();
    }
    return left;
  }

  /** Returns how far the condition narrows a read by this key. */
  public Narrowing narrowing() {
    List<FieldLimit> leading = new ArrayList<>();
    List<FieldLimit> rest = new ArrayList<>();
    boolean isLeading = true;
    for (int i = 0; i < key.fields().size(); i++) {
      String name = key.fields().get(i).name();
      ValueSet values = allowed.get(name);
      if (values != null) {
        (isLeading ? leading : rest).add(FieldLimit.of(name, values));
      }
      isLeading &= values != null && i < expanded && values.isPoints();
    }
    return new Narrowing(leading, rest);
  }

  /** The names of the fields in the condition. */
  public Set<String> fields() {
    return allowed.keySet();
  }

  /**
   * Whether all keys that meet this condition are known to meet another one. Returns false if the
   * other needs several ranges to contain one range of this, even though they do.
   *
   * @param other a condition on the same key
   */
  public boolean implies(Where other) {
    return other.allowed.entrySet().stream()
        .allMatch(
            that -> {
              ValueSet mine = allowed.get(that.getKey());
              return mine != null && mine.isWithin(that.getValue());
            });
  }

  /**
   * All that a spread's prefix may be computed from in a stretch; nothing if that is not known, or
   * would be too much to look at.
   */
  List<byte[]> inputs(Spread spread, Stretch stretch) {
    List<byte[]> inputs = List.of();
    Prefix prefix = spread.prefix();
    Slices slices = prefix == null ? Slices.NONE : prefix.slices();
    for (int field : spread.hashedFields()) {
      byte[] fixed = stretch.fixed == null ? null : stretch.fixed[field];
      ValueSet values = allowed.get(key.fields().get(field).name());
      List<byte[]> here = new ArrayList<>();
      if (field == slices.field()) {
        List<KeyRange> known =
            fixed != null
                ? List.of(KeyRange.point(fixed))
                : values == null ? List.of(KeyRange.all()) : values.ranges();
        here.addAll(slices.hashed(known, MAX_RANGES));
      } else if (fixed != null) {
        here.add(fixed);
      } else if (values != null && values.isPoints()) {
        values.ranges().forEach(point -> here.add(point.start()));
      }
      if (here.isEmpty() || (long) here.size() * Math.max(1, inputs.size()) > MAX_RANGES) {
        return List.of();
      }
      inputs = inputs.isEmpty() ? here : combined(inputs, here);
    }
    return inputs;
  }

  /**
   * The values that the field with a spread's steps may have in a stretch, as ranges of their
   * ascending forms; null if all, or if there are no steps.
   */
  @Nullable List<KeyRange> stepValues(Spread spread, Stretch stretch) {
    Prefix prefix = spread.prefix();
    int field = prefix == null ? -1 : prefix.steps().field();
    if (field < 0) {
      return null;
    }
    byte[] fixed = stretch.fixed == null ? null : stretch.fixed[field];
    ValueSet values = allowed.get(key.fields().get(field).name());
    return fixed != null ? List.of(KeyRange.point(fixed)) : values == null ? null : values.ranges();
  }

  private static List<byte[]> combined(List<byte[]> heads, List<byte[]> tails) {
    List<byte[]> all = new ArrayList<>();
    for (byte[] head : heads) {
      for (byte[] tail : tails) {
        all.add(new KeyBuffer(head.length + tail.length).put(head).put(tail).toArray());
      }
    }
    return all;
  }
}
