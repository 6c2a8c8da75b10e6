/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.text.RowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form of a layout's logical keys: which fields and literals follow each other, and which parts
 * are stored reversed. {@link io.evenkey.layout.Layout#key} returns that of a layout.
 *
 * <pre>{@code
 * Key key = layout.key();
 * Object[] values = key.read(logicalKey);
 * System.out.println(key.fields().get(0).name() + " = " + values[0]);
 * }</pre>
 *
 * <p>Inside, the parts are flattened into <em>elements</em>, a field or a literal each, in logical
 * order; a reversed part is several elements in a row. Every element finds its own end, except an
 * ascending field of variable width in last position. So the beginning of a key can be read as far
 * as it goes.
 *
 * <p>Immutable and thread-safe.
 */
public final class Key {
  private final KeyForm form;
  private final List<Part> parts;
  private final List<KeyElement> elements;
  private final KeyElement[] elementArray;
  private final List<ReversedElements> reversed;
  private final List<Field> fields;
  private final Map<String, Integer> positions;

  /** Elements {@code first} to before {@code end} are stored reversed. */
  record ReversedElements(int first, int end) {}

  Key(
      KeyForm form,
      List<Part> parts,
      List<KeyElement> elements,
      List<ReversedElements> reversed,
      List<Field> fields,
      Map<String, Integer> positions) {
    this.form = form;
    this.parts = List.copyOf(parts);
    this.elements = List.copyOf(elements);
    this.elementArray = elements.toArray(new KeyElement[0]);
    this.reversed = List.copyOf(reversed);
    this.fields = List.copyOf(fields);
    this.positions = Map.copyOf(positions);
  }

  /**
   * Returns the key that consists of these parts in this order.
   *
   * @throws PartProblem if the parts cannot stand together; names the part
   */
  public static Key of(KeyForm form, List<Part> parts) {
    return Assembly.of(form, parts);
  }

  /** The rules by which the parts are put together. */
  public KeyForm form() {
    return form;
  }

  /** Whether fields can be null, as in keys of Phoenix. */
  public boolean allowsNull() {
    return form == KeyForm.PHOENIX;
  }

  /** The parts as they were given. */
  public List<Part> parts() {
    return parts;
  }

  /** The fields in logical order. */
  public List<Field> fields() {
    return fields;
  }

  /** The position of a field in {@link #fields}, or -1. */
  public int indexOf(String field) {
    return positions.getOrDefault(field, -1);
  }

  /** Whether some part is stored reversed. */
  public boolean isReversed() {
    return !reversed.isEmpty();
  }

  /** Returns this key with its fields and literals in order, nothing reversed. */
  public Key unreversed() {
    List<Part> flat = new ArrayList<>();
    parts.forEach(part -> Assembly.flatten(part, flat));
    return of(form, flat);
  }

  /** The number of the key's fields and literals. */
  public int elementCount() {
    return elements.size();
  }

  /** The field or literal at a place, counted from 0. */
  public Part elementAt(int element) {
    return elements.get(element).part();
  }

  /**
   * The first element of the first reversed part that does not end within the first {@code
   * wholeSteps} elements, or -1 if all reversed parts do.
   */
  public int firstReversedBeyond(int wholeSteps) {
    return reversed.stream()
        .filter(run -> run.end() > wholeSteps)
        .mapToInt(ReversedElements::first)
        .findFirst()
        .orElse(-1);
  }

  /** An encoder of keys, value by value. */
  public KeyWriter writer() {
    if (allowsNull()) {
      throw new UnsupportedOperationException(
          "a key that can have nulls cannot be written value by value");
    }
    return new KeyWriter(this);
  }

  /**
   * Appends the logical key of these values.
   *
   * @param values in the order of {@link #fields}, in the classes that {@link Field#convert}
   *     returns; null only if the key {@linkplain #allowsNull allows it}
   * @throws io.evenkey.layout.field.ValueException if the key cannot hold a value
   */
  public void write(@Nullable Object[] values, KeyBuffer out) {
    if (!allowsNull()) {
      writeElements(0, elements.size(), values, out);
      return;
    }
    int last = elements.size() - 1;
    while (last >= 0 && isNull(values[elements.get(last).field()])) {
      last--;
    }
    writeElements(0, last, values, out);
    if (last >= 0) {
      KeyElement element = elements.get(last);
      codec(element).writeFinal(Objects.requireNonNull(values[element.field()]), out);
    }
  }

  /**
   * Appends some fields and literals with the marks of their ends.
   *
   * @param from the first element
   * @param to the element before which to stop
   * @param values in the order of {@link #fields}; only those of the elements are looked at
   */
  public void writeElements(int from, int to, @Nullable Object[] values, KeyBuffer out) {
    for (int i = from; i < to; i++) {
      KeyElement element = elements.get(i);
      if (element.literal() != null) {
        out.put(element.literal());
        continue;
      }
      Object value = values[element.field()];
      if (value == null || allowsNull() && isNull(value)) {
        codec(element).writeNull(out);
      } else {
        codec(element).write(value, out);
      }
    }
  }

  // To Phoenix, the empty text and null are the same.
  private static boolean isNull(@Nullable Object value) {
    return value == null || value.equals("");
  }

  private static FieldCodec codec(KeyElement element) {
    return Objects.requireNonNull(element.codec());
  }

  /** The codec of the field at this position of {@link #fields}. */
  public FieldCodec codecOf(int field) {
    return codec(elements.get(elementOf(field)));
  }

  /**
   * Finds the fields in a whole logical key.
   *
   * @return start and end of each field's value, in the order of {@link #fields}; marks of ends are
   *     not included
   * @throws RowException if the bytes are not a key of this form
   */
  public int[] locate(byte[] key, int offset, int length) {
    return locate(walk(), key, offset, length);
  }

  int[] locate(KeyCursor walk, byte[] key, int offset, int length) {
    walk.on(key, offset, offset + length, true).to(elements.size());
    if (walk.element() < elements.size()) {
      Part missing = elements.get(walk.element()).part();
      throw new RowException(
          missing instanceof Part.Literal ? "expected " + missing : "no end of " + missing,
          key,
          walk.at());
    }
    if (walk.at() < offset + length) {
      throw new RowException("bytes after the last field", key, walk.at());
    }
    if (allowsNull()) {
      refuseNullsAtEnd(walk.spans(), key, offset, offset + length);
    }
    return walk.spans();
  }

  // Nulls at the end of a key are left out: where they are not, Phoenix did not write it.
  private void refuseNullsAtEnd(int[] spans, byte[] key, int offset, int limit) {
    int last = fields.size() - 1;
    while (last >= 0 && spans[2 * last] == spans[2 * last + 1]) {
      last--;
    }
    FieldCodec codec = last < 0 ? null : codecOf(last);
    int end =
        codec == null ? offset : spans[2 * last + 1] + codec.markWidth() - codec.markLeftOut();
    if (end < limit) {
      throw new RowException("a null at the end, which Phoenix leaves out", key, end);
    }
  }

  KeyCursor walk() {
    return new KeyCursor(elementArray, new int[2 * fields.size()]);
  }

  /** Whether these bytes are a whole logical key of this form. */
  public boolean isWhole(byte[] key) {
    KeyCursor walk = walk().on(key, 0, key.length, true);
    walk.to(elements.size());
    return walk.element() == elements.size() && walk.at() == key.length;
  }

  /**
   * The part of the beginning of a logical key that can be read.
   *
   * @param elements the number of fields and literals, from the first on, that are whole: every key
   *     that begins with these bytes has the same ones there
   * @param bytes the number of bytes of those
   * @param spans start and end of the value of each whole field, in the order of {@link #fields}
   */
  @SuppressWarnings("ArrayRecordComponent") // an answer on its way to one caller, never compared
  public record Beginning(int elements, int bytes, int[] spans) {}

  /**
   * Reads the beginning of a logical key as far as it is whole, at most {@code elementLimit}
   * elements.
   */
  public Beginning beginning(byte[] bytes, int elementLimit) {
    KeyCursor walk = walk().on(bytes, 0, bytes.length, false);
    walk.to(elementLimit);
    return new Beginning(walk.element(), walk.at(), walk.spans());
  }

  /** The element at which the field at this position of {@link #fields} stands. */
  public int elementOf(int field) {
    int element = 0;
    while (elements.get(element).field() != field) {
      element++;
    }
    return element;
  }

  /**
   * Decodes a whole logical key.
   *
   * @return the values, in the order of {@link #fields}
   * @throws RowException if the bytes are not a key of this form
   */
  public @Nullable Object[] read(byte[] key) {
    KeyReader reader = reader();
    reader.open(key, 0, key.length);
    @Nullable Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = reader.get(i);
    }
    return values;
  }

  /** A decoder of keys, value by value. */
  public KeyReader reader() {
    return new KeyReader(this);
  }

  /**
   * Reverses the bytes of the reversed parts in place. It turns a logical key into the stored one,
   * and a stored key into the logical one. Does nothing to a key without reversed parts.
   *
   * @throws RowException if the bytes are not a key of this form
   */
  public void reverse(byte[] key, int offset, int length) {
    if (!reversed.isEmpty() && !reverseBeginning(key, offset, length, elements.size())) {
      throw new RowException("too short", key, offset + length);
    }
  }

  /**
   * Reverses the bytes of the reversed parts among the first {@code elementLimit} elements in
   * place.
   *
   * @return whether the bytes contained each of these parts as a whole
   */
  public boolean reverseBeginning(byte[] key, int offset, int length, int elementLimit) {
    KeyCursor walk = walk().on(key, offset, offset + length, elementLimit == elements.size());
    for (ReversedElements run : reversed) {
      if (run.end() > elementLimit) {
        break;
      }
      walk.to(run.first());
      if (walk.element() < run.first()) {
        return false;
      }
      int end = run.end() == elements.size() ? offset + length : walk.at() + widthOf(run);
      if (end > offset + length) {
        return false;
      }
      reverseBytes(key, walk.at(), end);
      walk.skipTo(run.end(), end);
    }
    return true;
  }

  private int widthOf(ReversedElements run) {
    return elements.subList(run.first(), run.end()).stream().mapToInt(KeyElement::width).sum();
  }

  static void reverseBytes(byte[] bytes, int from, int to) {
    for (int low = from, high = to - 1; low < high; low++, high--) {
      byte b = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = b;
    }
  }

  List<KeyElement> elements() {
    return elements;
  }

  List<ReversedElements> reversedRuns() {
    return reversed;
  }

  /** The parts as a layout line spells them. */
  @Override
  public String toString() {
    return String.join(" + ", parts.stream().map(Part::toString).toList());
  }
}
