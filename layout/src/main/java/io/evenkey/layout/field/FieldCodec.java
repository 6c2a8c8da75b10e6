package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.util.Arrays;

/**
 * A field in its place in a key. The place decides how the end is found again:
 *
 * <table>
 *   <caption>End of a field</caption>
 *   <tr><td>fixed width</td><td>after that many bytes</td></tr>
 *   <tr><td>ascending, last</td><td>where the key ends</td></tr>
 *   <tr><td>ascending, before a literal</td><td>where the literal begins</td></tr>
 *   <tr><td>ascending, before a field</td><td>at a {@code 00} byte</td></tr>
 *   <tr><td>descending, anywhere</td><td>at an {@code FF} byte</td></tr>
 * </table>
 *
 * <p>A descending field has every bit of its value inverted. Immutable and thread-safe.
 */
public final class FieldCodec {
  private final Field field;
  private final Ending ending;

  private FieldCodec(Field field, Ending ending) {
    this.field = field;
    this.ending = fixed(field) ? new Ending.Fixed(field.type().width()) : ending;
  }

  /** A field after which the key ends. */
  public static FieldCodec last(Field field) {
    return new FieldCodec(
        field, field.descending() ? new Ending.Terminated(true) : new Ending.Rest());
  }

  /** A field after which another one begins. */
  public static FieldCodec beforeField(Field field) {
    return new FieldCodec(field, new Ending.Terminated(field.descending()));
  }

  /** A field after which a literal stands. */
  public static FieldCodec beforeLiteral(Field field, byte[] literal) {
    return new FieldCodec(
        field, field.descending() ? new Ending.Terminated(true) : new Ending.Separated(literal));
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

  /** Whether only the end of the key ends this field. */
  public boolean endsWithKey() {
    return ending instanceof Ending.Rest;
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
      ending.check(out.array(), from, out.size());
    } catch (IllegalValue e) {
      throw ValueException.of(field.name(), value, e);
    }
    if (field.descending()) {
      out.invert(from);
    }
    ending.mark(out);
  }

  /** Where a value that starts at {@code from} ends, or -1 if not before {@code limit}. */
  public int end(byte[] bytes, int from, int limit) {
    return ending.find(bytes, from, limit);
  }

  /** Bytes between the end of a value and whatever follows the field. */
  public int markWidth() {
    return ending.markWidth();
  }

  /**
   * The value of the bytes from {@code from} to its {@link #end}.
   *
   * @throws IllegalValue if {@link #write} cannot have written them
   */
  public Object read(byte[] bytes, int from, int end) throws IllegalValue {
    if (!field.descending()) {
      return field.type().read(bytes, from, end - from);
    }
    byte[] ascending = Arrays.copyOfRange(bytes, from, end);
    for (int i = 0; i < ascending.length; i++) {
      ascending[i] = (byte) ~ascending[i];
    }
    return field.type().read(ascending, 0, ascending.length);
  }
}
