/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.IllegalValue;
import io.evenkey.layout.text.RowException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes many logical keys, value by value, without allocating anything but the values. For
 * physical rows, use {@link io.evenkey.layout.RowReader}. Not thread-safe.
 */
public final class KeyReader {
  private final KeyCursor walk;
  private final Key key;
  private final FieldCodec[] codecs;
  private final KeyBuffer scratch = new KeyBuffer(64);
  private byte[] bytes = {};

  KeyReader(Key key) {
    this.key = key;
    this.walk = key.walk();
    this.codecs = new FieldCodec[key.fields().size()];
    for (int i = 0; i < codecs.length; i++) {
      codecs[i] = key.codecOf(i);
    }
  }

  /**
   * Opens a whole logical key, whose bytes must not change while it is read.
   *
   * @return start and end of each field's value, in the order of {@link Key#fields}; valid until
   *     the next key
   * @throws RowException if the bytes are not a key of this form
   */
  public int[] open(byte[] array, int offset, int length) {
    bytes = array;
    return key.locate(walk, array, offset, length);
  }

  /**
   * Returns the value of a field of the opened key.
   *
   * @param field its position in {@link Key#fields}
   * @throws RowException if the bytes are not a value of the field
   */
  public @Nullable Object get(int field) {
    int from = walk.spans()[2 * field];
    try {
      return codecs[field].read(bytes, from, walk.spans()[2 * field + 1], scratch);
    } catch (IllegalValue e) {
      throw problem(e, field, from);
    }
  }

  /**
   * Returns the value of a field of whole numbers or times, without boxing.
   *
   * @param field its position in {@link Key#fields}
   * @throws RowException if the bytes are not a value of the field
   */
  public long getLong(int field) {
    int from = walk.spans()[2 * field];
    try {
      return codecs[field].readLong(bytes, from, walk.spans()[2 * field + 1], scratch);
    } catch (IllegalValue e) {
      throw problem(e, field, from);
    }
  }

  private RowException problem(IllegalValue problem, int field, int at) {
    return new RowException(problem.rule() + " in " + codecs[field].field(), bytes, at);
  }
}
