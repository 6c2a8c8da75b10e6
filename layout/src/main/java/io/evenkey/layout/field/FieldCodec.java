/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A field in its place in a key. A layout makes these from its line; applications rarely need them.
 * The place decides how a reader finds the end of a value:
 *
 * <table>
 *   <caption>End of a field</caption>
 *   <tr><td>fixed width</td><td>after that many bytes</td></tr>
 *   <tr><td>ascending, last</td><td>where the key ends</td></tr>
 *   <tr><td>ascending text before a literal</td><td>where the literal begins</td></tr>
 *   <tr><td>{@code bytes}, anywhere else</td><td>at {@code 00 01}, each {@code 00} in the value
 *       being {@code 00 FF}; all inverted where descending</td></tr>
 *   <tr><td>ascending, anywhere else</td><td>at a {@code 00} byte</td></tr>
 *   <tr><td>descending</td><td>at an {@code FF} byte</td></tr>
 * </table>
 *
 * <p>A descending field has every bit of its value inverted. Immutable and thread-safe.
 */
public final class FieldCodec {
  private final Field field;
  private final Ending ending;
  private final boolean markedAtKeyEnd;
  private final boolean plain;
  private final boolean nullable;
  private final int markWidth;

  /** Text whose end a 00 or FF marks. Most keys begin with one. */
  private final boolean isMarkedText;

  /** Eight bytes of a signed number. Most keys have one. */
  private final boolean isLong;

  /** Is XORed with a number, or with each byte of a text, to get the stored form. */
  private final long mask;

  private FieldCodec(Field field, Ending ending, boolean markedAtKeyEnd) {
    this.field = field;
    this.ending = ending;
    this.markedAtKeyEnd = markedAtKeyEnd;
    this.plain = !field.descending() && !(ending instanceof Ending.Escaped);
    this.nullable = ending instanceof Ending.Phoenix || !markedAtKeyEnd;
    this.markWidth = ending.markWidth();
    this.isMarkedText =
        ending instanceof Ending.Terminated && field.type().equals(StringType.VARIABLE_WIDTH);
    this.isLong = ending instanceof Ending.Fixed && field.type().isSignedLong();
    long ascending = isLong ? Long.MIN_VALUE : 0;
    this.mask = field.descending() ? ~ascending : ascending;
  }

  private static FieldCodec of(Field field, Ending ending) {
    return new FieldCodec(
        field, fixed(field) ? new Ending.Fixed(field.type().width()) : ending, true);
  }

  /** A field after which the key ends. */
  public static FieldCodec last(Field field) {
    return of(field, field.descending() ? marked(field) : new Ending.Rest());
  }

  /** A field after which another one begins. */
  public static FieldCodec beforeField(Field field) {
    return of(field, marked(field));
  }

  /** A field after which a literal stands. */
  public static FieldCodec beforeLiteral(Field field, byte[] literal) {
    boolean ownMark = field.descending() || field.type().alphabet() != FieldType.Alphabet.TEXT;
    return of(field, ownMark ? marked(field) : new Ending.Separated(literal));
  }

  /**
   * Returns the codec of a column of a Phoenix key, which can be null.
   *
   * @param last whether it is the last column of the key
   */
  public static FieldCodec phoenix(Field field, boolean last) {
    if (fixed(field)) {
      return new FieldCodec(
          field, new Ending.Phoenix(new Ending.Fixed(field.type().width()), false), true);
    }
    boolean descending = field.descending();
    Ending ending =
        last && !descending
            ? new Ending.Rest()
            : new Ending.Phoenix(Ending.Terminated.of(descending), descending);
    return new FieldCodec(field, ending, descending);
  }

  private static Ending marked(Field field) {
    return field.type().alphabet() == FieldType.Alphabet.ANY
        ? Ending.Escaped.of(field.descending())
        : Ending.Terminated.of(field.descending());
  }

  private static boolean fixed(Field field) {
    return field.type().width() != FieldType.VARIABLE;
  }

  /** The field. */
  public Field field() {
    return field;
  }

  /** Bytes of every value with the mark of its end, or {@link FieldType#VARIABLE}. */
  public int width() {
    return field.type().width();
  }

  /**
   * Appends a value with the mark of its end.
   *
   * @param value as {@link Field#parse} or {@link Field#convert} gave it
   * @throws ValueException if no key can hold it
   */
  public void write(Object value, KeyBuffer out) {
    int from = out.size();
    try {
      field.type().write(value, out);
      close(out, from);
    } catch (IllegalValue e) {
      throw ValueException.of(field.name(), value, e);
    }
  }

  /**
   * Appends a whole number with the mark of its end, without boxing.
   *
   * @throws ValueException if no key can hold it
   */
  public void writeLong(long value, KeyBuffer out) {
    if (isLong) {
      out.putLong(value ^ mask);
      return;
    }
    int from = out.size();
    try {
      field.type().writeLong(value, out);
      close(out, from);
    } catch (IllegalValue e) {
      throw ValueException.of(field.name(), value, e);
    }
  }

  /**
   * Appends a text with the mark of its end.
   *
   * @throws ValueException if no key can hold it
   */
  public void writeText(CharSequence value, KeyBuffer out) {
    if (isMarkedText && value instanceof String text && out.putAscii(text, (int) mask)) {
      return;
    }
    int from = out.size();
    try {
      field.type().writeText(value, out);
      close(out, from);
    } catch (IllegalValue e) {
      throw ValueException.of(field.name(), value, e);
    }
  }

  /**
   * Appends a value that is already encoded.
   *
   * @param plain the ascending encoding, from {@link Field#encoded}
   */
  public void writeEncoded(byte[] plain, KeyBuffer out) {
    int from = out.size();
    try {
      close(out.put(plain), from);
    } catch (IllegalValue e) {
      throw ValueException.of(field.name(), ByteText.printable(plain), e);
    }
  }

  /**
   * The points at which values differ, among keys that continue with this field after a beginning.
   * For an ascending field this is the first key with a value from {@code value} on, for a
   * descending one the first with a value before it.
   *
   * @param beginning the common prefix of all the keys
   * @param value bytes in ascending form, not necessarily a whole value, not empty
   * @return empty if there can be no key from there on
   */
  public byte[] boundary(byte[] beginning, byte[] value) {
    KeyBuffer out = new KeyBuffer(beginning.length + value.length + 2).put(beginning);
    int possible = ending.possible(value);
    ending.putPossible(value, possible, out);
    if (field.descending()) {
      out.invert(beginning.length);
    }
    boolean after = possible < value.length != field.descending();
    return after ? KeyRange.afterPrefix(out.toArray()) : out.toArray();
  }

  private void close(KeyBuffer out, int from) throws IllegalValue {
    ending.close(out, from);
    if (field.descending()) {
      out.invert(from);
    }
  }

  /**
   * Appends the last value of a Phoenix key, after which only nulls follow. An ascending value then
   * has no mark.
   */
  public void writeFinal(Object value, KeyBuffer out) {
    write(value, out);
    out.truncate(out.size() - markLeftOut());
  }

  /** The width of the mark that a Phoenix key omits if only nulls follow. */
  public int markLeftOut() {
    return markedAtKeyEnd ? 0 : markWidth;
  }

  /**
   * Appends a null that a value follows, as Phoenix does: a 00 byte.
   *
   * @throws ValueException if the field has a fixed width, and so cannot be null
   */
  public void writeNull(KeyBuffer out) {
    if (fixed(field)) {
      throw ValueException.missing(field.name());
    }
    out.put(0);
  }

  /**
   * Finds the end of a value.
   *
   * @param from where the value starts
   * @param limit where the bytes end
   * @param whole whether the key ends at {@code limit}; if not, it continues there
   * @return the end, exclusive; -1 if it is not before {@code limit}
   */
  public int end(byte[] bytes, int from, int limit, boolean whole) {
    return ending.find(bytes, from, limit, whole);
  }

  /** Bytes between the end of a value and what follows the field; 0 where the key ends there. */
  public int markWidth() {
    return markWidth;
  }

  /** Whether keys contain the ascending encoding of values unchanged. */
  public boolean isPlain() {
    return plain;
  }

  /**
   * Appends the ascending form of a value, without escapes and without a mark.
   *
   * @param from where it begins in its key
   * @param end where it {@link #end}s
   */
  public void writePlain(byte[] bytes, int from, int end, KeyBuffer out) {
    int at = out.size();
    if (ending instanceof Ending.Escaped escaped) {
      escaped.unescape(bytes, from, end, out);
    } else {
      out.put(bytes, from, end - from);
    }
    if (field.descending()) {
      out.invert(at);
    }
  }

  /**
   * The value of the bytes from {@code from} to its {@link #end}; null for a null of Phoenix.
   *
   * @param scratch emptied, and used where the value does not stand as it is
   * @throws IllegalValue if {@link #write} cannot have written them
   */
  public @Nullable Object read(byte[] bytes, int from, int end, KeyBuffer scratch)
      throws IllegalValue {
    if (from == end && isNullable()) {
      return null;
    }
    if (isPlain()) {
      return field.type().read(bytes, from, end - from);
    }
    writePlain(bytes, from, end, scratch.truncate(0));
    return field.type().read(scratch.array(), 0, scratch.size());
  }

  /**
   * Reads a whole number from its bytes, without boxing.
   *
   * @param scratch emptied, and used where the key does not contain the value unchanged
   * @throws IllegalValue if {@link #write} cannot have written the bytes
   */
  public long readLong(byte[] bytes, int from, int end, KeyBuffer scratch) throws IllegalValue {
    if (isLong) {
      return KeyBuffer.longAt(bytes, from) ^ mask;
    }
    if (from == end && isNullable()) {
      throw new IllegalValue("null", "read it as an object");
    }
    if (isPlain()) {
      return field.type().readLong(bytes, from, end - from);
    }
    writePlain(bytes, from, end, scratch.truncate(0));
    return field.type().readLong(scratch.array(), 0, scratch.size());
  }

  /** Whether the field may be without a value, as a column of Phoenix. */
  public boolean isNullable() {
    return nullable;
  }
}
