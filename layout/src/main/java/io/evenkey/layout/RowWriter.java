/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.key.KeyWriter;
import io.evenkey.layout.spread.Spread;

/**
 * Encodes many physical rows, value by value in the order of {@link Layout#fields}, without
 * allocating anything but the rows: for loads. Made by {@link Layout#writer}.
 *
 * <pre>{@code
 * RowWriter rows = layout.writer();
 * byte[] row = rows.start().put("d1").put(1_700_000_000_000L).row();
 * }</pre>
 *
 * <p>Not thread-safe: give each thread its own.
 */
public final class RowWriter {
  private final Spread spread;
  private final KeyWriter key;
  private final KeyBuffer row = new KeyBuffer(64);
  private final KeyBuffer scratch = new KeyBuffer(64);

  RowWriter(Layout layout) {
    this.spread = layout.spread();
    this.key = layout.key().writer();
  }

  /** Starts a row, and drops one that was begun. */
  public RowWriter start() {
    row.truncate(0).fill(0, spread.width());
    key.start(row);
    return this;
  }

  /**
   * Appends the value of the next field.
   *
   * @throws io.evenkey.layout.field.ValueException if the key cannot hold the value in order
   */
  public RowWriter put(Object value) {
    key.put(value);
    return this;
  }

  /**
   * Appends the value of the next field, without boxing.
   *
   * @throws io.evenkey.layout.field.ValueException if the key cannot hold the value in order
   */
  public RowWriter put(long value) {
    key.put(value);
    return this;
  }

  /**
   * Appends the value of the next field; a text field copies no characters.
   *
   * @throws io.evenkey.layout.field.ValueException if the key cannot hold the value in order
   */
  public RowWriter put(CharSequence value) {
    key.put(value);
    return this;
  }

  /**
   * Ends the row.
   *
   * @return its bytes in a new array
   * @throws io.evenkey.layout.field.ValueException if a field has no value yet
   */
  public byte[] row() {
    finish();
    return row.toArray();
  }

  /**
   * Ends the row without copying it.
   *
   * @return a buffer that the next row overwrites
   * @throws io.evenkey.layout.field.ValueException if a field has no value yet
   */
  public KeyBuffer rowInBuffer() {
    finish();
    return row;
  }

  private void finish() {
    int[] spans = key.finish();
    spread.writePrefix(row, spans, scratch);
    key.reverse();
  }
}
