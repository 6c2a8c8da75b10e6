/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An order-preserving encoding of one kind of value, such as {@code int64} or {@code string(n)}.
 * Applications name types in layout lines; only new types implement this. Implementations are
 * immutable values whose {@code toString} is the type as a layout line spells it.
 *
 * <p>The encoding does not know the field's direction, nor what follows it in the key: {@link
 * FieldCodec} adds both.
 */
public interface FieldType {
  /** The {@link #width} of a type whose encoded values differ in length. */
  int VARIABLE = -1;

  /** Which bytes values of variable width consist of; it decides how their end is marked. */
  enum Alphabet {
    /** Characters. 00 stands for NUL, which is refused where 00 marks the end. */
    TEXT,
    /** Every byte but 00. */
    NONZERO,
    /** Any byte. Where something follows, 00 has to be escaped. */
    ANY
  }

  /** The number of bytes of every encoded value; {@link #VARIABLE} if they differ. */
  int width();

  /** The bytes of encoded values; matters only for those of variable width. */
  default Alphabet alphabet() {
    return Alphabet.TEXT;
  }

  /**
   * Returns the value that a text stands for, as in a CSV column or on a command line.
   *
   * @throws IllegalValue if the text is not a value of this type
   */
  Object parse(String text) throws IllegalValue;

  /**
   * Returns a value in the one Java class that {@link #write} takes and {@link #read} returns.
   *
   * @throws IllegalValue if the value cannot be converted exactly
   */
  Object convert(Object value) throws IllegalValue;

  /**
   * Appends the ascending encoding of a value, without a mark of its end.
   *
   * @param value from {@link #parse} or {@link #convert}
   * @throws IllegalValue if no key can hold it
   */
  void write(Object value, KeyBuffer out) throws IllegalValue;

  /**
   * Returns the value of which {@link #write} made these bytes.
   *
   * @throws IllegalValue if {@link #write} cannot have made them
   */
  Object read(byte[] bytes, int offset, int length) throws IllegalValue;

  /**
   * Whether every {@code long} is a value of this type, encoded in eight bytes with its sign bit
   * inverted.
   */
  default boolean isSignedLong() {
    return false;
  }

  /**
   * Appends the encoding of a whole number; types of whole numbers do so without boxing.
   *
   * @throws IllegalValue if the number is not a value of this type
   */
  default void writeLong(long value, KeyBuffer out) throws IllegalValue {
    write(convert(value), out);
  }

  /**
   * Returns a value as a {@code long}, without boxing.
   *
   * @throws IllegalValue if {@link #write} cannot have made the bytes, or if the values of this
   *     type are not {@link Long}s
   */
  default long readLong(byte[] bytes, int offset, int length) throws IllegalValue {
    if (read(bytes, offset, length) instanceof Long number) {
      return number;
    }
    throw new IllegalValue(this + " is not a number that fits a long", "read it as an object");
  }

  /**
   * Appends the encoding of a text; text types do so without copying it.
   *
   * @throws IllegalValue if the text is not a value of this type
   */
  default void writeText(CharSequence text, KeyBuffer out) throws IllegalValue {
    write(parse(text.toString()), out);
  }

  /**
   * Appends the common prefix of the encodings of all values whose text begins with {@code text}.
   *
   * @throws IllegalValue if the type has no such prefix, as numbers have none
   */
  default void writeBeginning(String text, KeyBuffer out) throws IllegalValue {
    throw new IllegalValue(
        this + " cannot be compared by its beginning", "use =, <, >, between or in");
  }

  /**
   * A field of this type as a layout line spells it, such as {@code ts:timestamp desc}.
   *
   * @param field its name, between backquotes if it needs them
   */
  default String declared(String field, boolean descending) {
    return field + ":" + this + (descending ? " desc" : "");
  }

  /** Returns a value as text that {@link #parse} reads. */
  default String format(Object value) {
    return value.toString();
  }

  /** Returns a value as text for people; {@link #parse} also reads it. */
  default String display(Object value) {
    return format(value);
  }

  /**
   * Whether a literal that follows text of variable width can mark its end without breaking the
   * order of values. False only if that is so for no value.
   */
  default boolean canEndAt(byte[] literal) {
    return true;
  }

  /**
   * Whether values usually grow as records arrive, as times and sequence numbers do: a key that
   * begins with such a field has a hot region.
   */
  default boolean growsWithArrival() {
    return false;
  }

  /**
   * Whether values are whole numbers or times, all of the same width, so that the number of buckets
   * of a salt can change at one of them.
   */
  default boolean canHaveSteps() {
    return false;
  }

  /**
   * Returns the values as whole numbers, for a salt that hashes slices of them; null if the type
   * has none.
   */
  default @Nullable Numbers numbers() {
    return null;
  }
}
