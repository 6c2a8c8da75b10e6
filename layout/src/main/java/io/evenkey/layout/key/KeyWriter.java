/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.ValueException;

/**
 * Encodes many logical keys, value by value in the order of {@link Key#fields}, without allocating.
 * It adds literals by itself. For physical rows, use {@link io.evenkey.layout.RowWriter}. Not
 * thread-safe.
 */
public final class KeyWriter {
  private final KeyElement[] elements;
  private final Key.ReversedElements[] reversed;
  private final int[] starts;
  private final int[] spans;
  private KeyBuffer out = new KeyBuffer(0);
  private int element;

  KeyWriter(Key key) {
    this.elements = key.elements().toArray(new KeyElement[0]);
    this.reversed = key.reversedRuns().toArray(new Key.ReversedElements[0]);
    this.starts = new int[elements.length + 1];
    this.spans = new int[2 * key.fields().size()];
  }

  /** Starts a key at the end of {@code buffer}. */
  public void start(KeyBuffer buffer) {
    out = buffer;
    element = 0;
    putLiterals();
  }

  /**
   * Appends the value of the next field.
   *
   * @throws ValueException if the key cannot hold the value in order
   */
  public void put(Object value) {
    FieldCodec codec = next();
    codec.write(codec.field().convert(value), out);
    done(codec);
  }

  /**
   * Appends the value of the next field, without boxing.
   *
   * @throws ValueException if the key cannot hold the value in order
   */
  public void put(long value) {
    FieldCodec codec = next();
    codec.writeLong(value, out);
    done(codec);
  }

  /**
   * Appends the value of the next field; a text field copies no characters.
   *
   * @throws ValueException if the key cannot hold the value in order
   */
  public void put(CharSequence value) {
    FieldCodec codec = next();
    codec.writeText(value, out);
    done(codec);
  }

  private FieldCodec next() {
    FieldCodec codec = element < elements.length ? elements[element].codec() : null;
    if (codec == null) {
      throw new IllegalStateException("more values than the key has fields: " + spans.length / 2);
    }
    return codec;
  }

  private void done(FieldCodec codec) {
    int field = 2 * elements[element].field();
    int start = starts[element++];
    spans[field] = start;
    spans[field + 1] = out.size() - codec.markWidth();
    putLiterals();
  }

  private void putLiterals() {
    starts[element] = out.size();
    while (element < elements.length) {
      byte[] literal = elements[element].literal();
      if (literal == null) {
        return;
      }
      out.put(literal);
      starts[++element] = out.size();
    }
  }

  /**
   * Ends the key.
   *
   * @return start and end of each field's value in the buffer, in the order of {@link Key#fields};
   *     valid until the next key
   * @throws ValueException if a field has no value yet
   */
  public int[] finish() {
    if (element < elements.length) {
      throw ValueException.missing(next().field().name());
    }
    return spans;
  }

  /** Reverses the bytes of the finished key's reversed parts, which makes the stored form. */
  public void reverse() {
    for (Key.ReversedElements run : reversed) {
      Key.reverseBytes(out.array(), starts[run.first()], starts[run.end()]);
    }
  }
}
