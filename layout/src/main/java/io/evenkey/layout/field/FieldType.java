/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An order-preserving encoding of one kind of value. Implementations are immutable values whose
 * {@code toString} is the type as a layout line spells it.
 *
 * <p>The encoding knows nothing of direction or of what follows it in the key: {@link FieldCodec}
 * adds both.
 */
public interface FieldType {
  /** The {@link #width} of a type whose values differ in length. */
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

  /** Bytes of every encoded value, or {@link #VARIABLE}. */
  int width();

  /** The bytes of encoded values; matters only for those of variable width. */
  default Alphabet alphabet() {
    return Alphabet.TEXT;
  }

  /**
   * The value that a text stands for, as in a CSV column or on a command line.
   *
   * @throws IllegalValue if it stands for none
   */
  Object parse(String text) throws IllegalValue;

  /**
   * The value in the one Java class that {@link #write} takes and {@link #read} gives.
   *
   * @throws IllegalValue if a value of this class cannot be one of this type
   */
  Object convert(Object value) throws IllegalValue;

  /**
   * Appends the value in ascending order, without any mark of its end.
   *
   * @param value as {@link #parse} or {@link #convert} gave it
   * @throws IllegalValue if no key can hold it
   */
  void write(Object value, KeyBuffer out) throws IllegalValue;

  /**
   * The value that {@link #write} made these bytes of.
   *
   * @throws IllegalValue if it made these bytes of no value
   */
  Object read(byte[] bytes, int offset, int length) throws IllegalValue;

  /** Whether every {@code long} is a value, encoded in eight bytes with its sign bit inverted. */
  default boolean isSignedLong() {
    return false;
  }

  /** As {@code write(convert(value), out)}; types that hold whole numbers do it without boxing. */
  default void writeLong(long value, KeyBuffer out) throws IllegalValue {
    write(convert(value), out);
  }

  /**
   * As {@link #read} of a type whose values are {@link Long}s, without boxing.
   *
   * @throws IllegalValue also if the type has other values
   */
  default long readLong(byte[] bytes, int offset, int length) throws IllegalValue {
    if (read(bytes, offset, length) instanceof Long number) {
      return number;
    }
    throw new IllegalValue(this + " is not a number that fits a long", "read it as an object");
  }

  /** As {@code write(convert(text), out)}; types that hold text do it without copying. */
  default void writeText(CharSequence text, KeyBuffer out) throws IllegalValue {
    write(parse(text.toString()), out);
  }

  /**
   * Appends what all values begin with, in ascending form, whose text begins with the given one.
   *
   * @throws IllegalValue if the type has values whose text says nothing about their bytes
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

  /** The value as {@link #parse} reads it. */
  default String format(Object value) {
    return value.toString();
  }

  /** The value as people read it best; {@link #parse} reads that too. */
  default String display(Object value) {
    return format(value);
  }

  /**
   * Whether text of variable width can be distinguished from a literal that follows it and still
   * sort by value. False only where no value at all could.
   */
  default boolean canEndAt(byte[] literal) {
    return true;
  }

  /** Whether values usually grow as records arrive, as times and running numbers do. */
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

  /** The values as whole numbers, if a salt can hash slices of them; else null. */
  default @Nullable Numbers numbers() {
    return null;
  }
}
