/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.token.PlaceProblem;
import io.evenkey.layout.token.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a salt: the values of one field at which its number of buckets changes. They let a
 * table grow without rewriting rows, because old keys keep their buckets.
 *
 * <pre>{@code
 * Layout grown = Layout.parse("salt(16; 48 from ts 2027-01-01) + device:string + ts:timestamp");
 * for (Step step : grown.steps().list()) {
 *   System.out.println(step.buckets() + " buckets from " + step.from());
 * }
 * }</pre>
 *
 * <p>Step 0 has the keys before the first of these values, step i the keys from the i-th value on.
 * The step field is a number or a time of fixed width, so its bytes compare as its values do.
 * Bucket {@code b} of one step is bucket {@code b} of every other: it has the same prefix, under
 * which rows keep logical order across steps.
 *
 * <p>Immutable and thread-safe.
 */
public final class Steps {
  /** The steps of a prefix with the same number of buckets for all keys. */
  public static final Steps NONE = new Steps("", -1, List.of(), new byte[0][], false);

  private static final String MIDNIGHT = "T00:00:00Z";
  private static final Pattern BARE = Pattern.compile("[0-9A-Za-z:.+-]+");

  private final String name;
  private final int field;
  private final List<Step> steps;
  private final byte[][] values;
  private final byte[][] stored;
  private final boolean descending;

  private Steps(String name, int field, List<Step> steps, byte[][] values, boolean descending) {
    this.name = name;
    this.field = field;
    this.steps = List.copyOf(steps);
    this.values = values;
    this.descending = descending;
    this.stored =
        Arrays.stream(values).map(value -> stored(value, descending)).toArray(byte[][]::new);
  }

  private static byte[] stored(byte[] value, boolean descending) {
    byte[] bytes = value.clone();
    for (int i = 0; descending && i < bytes.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    return bytes;
  }

  /**
   * A step as it is written, {@code 48 from ts 2027-01-01}; what its value means depends on the
   * field.
   */
  record Written(int buckets, Token field, Token value) {
    @Override
    public String toString() {
      return buckets + " from " + Quoted.name(field.text()) + " " + spelled(value.text());
    }
  }

  /**
   * The steps of a salt in front of some keys.
   *
   * @param first the number of buckets before the first written step
   * @throws PlaceProblem if the field cannot have steps, a value is none of the field's, or the
   *     steps are not in order
   */
  static Steps of(int first, List<Written> written, Key key) {
    if (written.isEmpty()) {
      return NONE;
    }
    Token reference = written.get(0).field;
    int position = key.indexOf(reference.text());
    Field field = key.fields().get(position);
    checkField(reference, field, key);
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(first, null));
    List<byte[]> values = new ArrayList<>();
    for (Written next : written) {
      Object value = parsed(field, next.value);
      byte[] encoded = field.encoded(value);
      String text = shown(field, value);
      if (!values.isEmpty()) {
        checkOrder(values.get(values.size() - 1), encoded, next, steps.get(steps.size() - 1), text);
      }
      values.add(encoded);
      steps.add(new Step(next.buckets, text));
    }
    return new Steps(
        field.name(), position, steps, values.toArray(new byte[0][]), field.descending());
  }

  private static void checkField(Token reference, Field field, Key key) {
    if (!field.type().canHaveSteps()) {
      throw new PlaceProblem(
          reference.span(),
          "steps of a field of type " + field.type(),
          "expected a timestamp, a date, a whole number or digits(n)");
    }
    Reversal.refuse(reference, field, key, "steps", "a step could not separate them");
  }

  private static Object parsed(Field field, Token value) {
    try {
      Object parsed = field.parse(value.text());
      // Some values are refused only when they are written.
      field.encoded(parsed);
      return parsed;
    } catch (ValueException e) {
      throw new PlaceProblem(
          value.span(), String.valueOf(e.getMessage()), "expected a value of " + field);
    }
  }

  private static void checkOrder(
      byte[] before, byte[] encoded, Written next, Step previous, String text) {
    int order = Arrays.compareUnsigned(before, encoded);
    if (order == 0) {
      throw new PlaceProblem(next.value.span(), "two steps from " + text, "leave one of them out");
    } else if (order > 0) {
      throw new PlaceProblem(
          next.value.span(),
          "step from " + text + " after the one from " + previous.from(),
          "write the steps in the order of their values, the oldest first");
    }
  }

  private static String shown(Field field, Object value) {
    String text = field.type().display(value);
    return spelled(
        text.endsWith(MIDNIGHT) ? text.substring(0, text.length() - MIDNIGHT.length()) : text);
  }

  private static String spelled(String value) {
    return BARE.matcher(value).matches() ? value : Quoted.literal(value);
  }

  /** Returns a step for people, such as {@code 48 buckets from ts 2027-01-01}. */
  public String described(int step) {
    Step of = steps.get(step);
    String count = of.buckets() + (of.buckets() == 1 ? " bucket" : " buckets");
    String field = Quoted.name(name) + " ";
    return of.from() == null
        ? count + " before " + field + steps.get(1).from()
        : count
            + " from "
            + field
            + of.from()
            + (step + 1 < steps.size() ? " to before " + steps.get(step + 1).from() : "");
  }

  /** The number of steps, at least 1. */
  public int count() {
    return values.length + 1;
  }

  /** Whether the number of buckets is the same for all keys. */
  public boolean isNone() {
    return values.length == 0;
  }

  /**
   * Returns all steps in the order of their values; empty if the number of buckets never changes.
   */
  public List<Step> list() {
    return steps;
  }

  /** The name of the step field; empty without steps. */
  public String fieldName() {
    return name;
  }

  /** The position of the step field among the key's fields; -1 without steps. */
  public int field() {
    return field;
  }

  /** Whether these are the steps of a salt of the same keys, and more after them. */
  boolean appendsTo(Steps before) {
    int kept = before.values.length;
    return kept < values.length
        && (kept == 0 || before.field == field)
        && Arrays.deepEquals(Arrays.copyOf(values, kept), before.values)
        && (kept == 0 || steps.subList(0, kept + 1).equals(before.steps));
  }

  /** Over how many buckets a step distributes its keys. */
  int buckets(int step) {
    return steps.get(step).buckets();
  }

  /**
   * Returns the step of a key.
   *
   * @param key has the bytes of the logical key
   * @param spans where the values of its fields are, as {@link Key#locate} returns it
   */
  public int stepOf(byte[] key, int[] spans) {
    // What is written is mostly of the last step.
    int step = values.length;
    if (step == 0) {
      return 0;
    }
    int from = spans[2 * field];
    int end = spans[2 * field + 1];
    while (step > 0 && isBefore(key, from, end, stored[step - 1])) {
      step--;
    }
    return step;
  }

  private boolean isBefore(byte[] key, int from, int end, byte[] bound) {
    int order = Arrays.compareUnsigned(key, from, end, bound, 0, bound.length);
    return descending ? order > 0 : order < 0;
  }

  /** The steps that have some of these values, given in ascending form; all of them for null. */
  int[] having(@Nullable List<KeyRange> among) {
    return IntStream.range(0, count())
        .filter(
            step ->
                among == null
                    || among.stream()
                        .anyMatch(range -> !range.intersection(valuesOf(step)).isEmpty()))
        .toArray();
  }

  private KeyRange valuesOf(int step) {
    return KeyRange.of(
        step == 0 ? new byte[0] : values[step - 1],
        step == values.length ? new byte[0] : values[step]);
  }

  /**
   * Cuts the keys that begin alike up to the step field.
   *
   * @param beginning their common prefix
   * @param codec of the step field
   * @return the keys of each step
   */
  KeyRange[] cut(byte[] beginning, FieldCodec codec) {
    KeyRange[] parts = new KeyRange[count()];
    byte[] start = {};
    boolean open = true;
    for (int i = 0; i < parts.length; i++) {
      int step = descending ? parts.length - 1 - i : i;
      boolean last = i == parts.length - 1;
      byte[] stop =
          last ? new byte[0] : codec.boundary(beginning, values[descending ? step - 1 : step]);
      parts[step] = open ? KeyRange.of(start, stop) : KeyRange.none();
      // An empty boundary is after every key; as a start it would be before them.
      open &= stop.length > 0;
      start = stop;
    }
    return parts;
  }

  /** The steps as options of a salt; empty without steps. */
  @Override
  public String toString() {
    StringBuilder options = new StringBuilder();
    for (Step step : steps.subList(Math.min(1, steps.size()), steps.size())) {
      options.append(", ").append(step.buckets());
      options.append(" from ").append(Quoted.name(name)).append(' ').append(step.from());
    }
    return options.toString();
  }
}
