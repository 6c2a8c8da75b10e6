/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.key.KeyWriter;
import io.evenkey.layout.spread.Spread;

/**
 * Makes physical rows value by value, in the order of {@link Layout#fields}, one after the other
 * and without allocating anything but the row:
 *
 * <pre>{@code
 * RowWriter rows = layout.writer();
 * byte[] row = rows.start().put("d1").put(1_700_000_000_000L).row();
 * }</pre>
 *
 * <p>Not thread-safe: each thread has its own.
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

  /** Forgets what there was and starts a row. */
  public RowWriter start() {
    row.truncate(0).fill(0, spread.width());
    key.start(row);
    return this;
  }

  /**
   * Appends the next field.
   *
   * @throws io.evenkey.layout.field.ValueException if no key can hold the value
   */
  public RowWriter put(Object value) {
    key.put(value);
    return this;
  }

  /** As {@link #put(Object)}, without boxing. */
  public RowWriter put(long value) {
    key.put(value);
    return this;
  }

  /** As {@link #put(Object)}, without copying where the field holds text. */
  public RowWriter put(CharSequence value) {
    key.put(value);
    return this;
  }

  /**
   * Ends the row.
   *
   * @return its bytes, in a new array
   * @throws io.evenkey.layout.field.ValueException if a field was given no value
   */
  public byte[] row() {
    finish();
    return row.toArray();
  }

  /**
   * Ends the row.
   *
   * @return the buffer that has it, which the next row overwrites
   * @throws io.evenkey.layout.field.ValueException if a field was given no value
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
