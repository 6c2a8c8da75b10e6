package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;

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

  /** Bytes of every encoded value, or {@link #VARIABLE}. */
  int width();

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

  /** The value as {@link #parse} reads it. */
  default String format(Object value) {
    return value.toString();
  }

  /**
   * Whether a value of variable width can be told from a literal that follows it and still sort by
   * value. False only where no value at all could.
   */
  default boolean canEndAt(byte[] literal) {
    return true;
  }

  /** Whether values usually grow as records arrive, as times and running numbers do. */
  default boolean growsWithArrival() {
    return false;
  }
}
