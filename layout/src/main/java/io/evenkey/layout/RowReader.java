/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.key.KeyReader;
import io.evenkey.layout.spread.Spread;
import org.jspecify.annotations.Nullable;

/**
 * Takes physical rows apart value by value, one after the other and without allocating anything but
 * the values:
 *
 * <pre>{@code
 * RowReader rows = layout.reader();
 * long time = rows.open(row).getLong(1);
 * }</pre>
 *
 * <p>Not thread-safe: each thread has its own.
 */
public final class RowReader {
  private final Spread spread;
  private final KeyReader key;
  private final int fields;
  private final KeyBuffer turned = new KeyBuffer(64);
  private final KeyBuffer expected = new KeyBuffer(64);
  private final KeyBuffer scratch = new KeyBuffer(64);

  RowReader(Layout layout) {
    this.spread = layout.spread();
    this.key = layout.key().reader();
    this.fields = layout.fields().size();
  }

  /**
   * Opens a row, which must stay as it is while it is read.
   *
   * @throws io.evenkey.layout.key.RowException if the row was not written under this layout
   */
  public RowReader open(byte[] row) {
    byte[] bytes = row;
    int width = spread.checkWidth(row);
    if (!spread.isPrefixOnly()) {
      bytes = turned.truncate(0).put(row).array();
      spread.key().reverse(bytes, width, row.length - width);
    }
    int[] spans = key.open(bytes, width, row.length - width);
    spread.checkPrefix(row, bytes, width, row.length - width, spans, expected, scratch);
    return this;
  }

  /**
   * Checks that a row is one of the layout: that all its values can be read, and that it begins as
   * the layout stores this key.
   *
   * @throws io.evenkey.layout.key.RowException if it is none; the message says why
   */
  public void check(byte[] row) {
    open(row);
    for (int field = 0; field < fields; field++) {
      key.get(field);
    }
  }

  /**
   * The value of a field.
   *
   * @param field its position in {@link Layout#fields}
   * @throws io.evenkey.layout.key.RowException if the bytes are no value of the field
   */
  public @Nullable Object get(int field) {
    return key.get(field);
  }

  /** As {@link #get}, of a field that holds whole numbers, without boxing. */
  public long getLong(int field) {
    return key.getLong(field);
  }
}
