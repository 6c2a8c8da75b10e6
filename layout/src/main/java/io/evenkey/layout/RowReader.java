/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.key.KeyReader;
import io.evenkey.layout.spread.Spread;
import org.jspecify.annotations.Nullable;

/**
 * Decodes many physical rows, value by value, without allocating anything but values: for scans
 * that read a few fields of each row. Made by {@link Layout#reader}.
 *
 * <pre>{@code
 * RowReader rows = layout.reader();
 * long time = rows.open(row).getLong(1);
 * }</pre>
 *
 * <p>Not thread-safe: give each thread its own.
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
   * Opens a row, whose bytes must not change while it is read.
   *
   * @return this reader
   * @throws io.evenkey.layout.text.RowException if the row was not written under this layout
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
   * Checks a row completely: each of its values can be read, and it begins with the prefix that the
   * layout gives its key.
   *
   * @throws io.evenkey.layout.text.RowException if it was not written under this layout; says why
   */
  public void check(byte[] row) {
    open(row);
    for (int field = 0; field < fields; field++) {
      key.get(field);
    }
  }

  /**
   * Returns the value of a field of the opened row.
   *
   * @param field its position in {@link Layout#fields}
   * @return null if the key has no value for it, which only keys of Phoenix allow
   * @throws io.evenkey.layout.text.RowException if the bytes are not a value of the field
   */
  public @Nullable Object get(int field) {
    return key.get(field);
  }

  /**
   * Returns the value of a field of whole numbers or times, without boxing.
   *
   * @param field its position in {@link Layout#fields}
   * @throws io.evenkey.layout.text.RowException if the bytes are not a value of the field
   */
  public long getLong(int field) {
    return key.getLong(field);
  }
}
