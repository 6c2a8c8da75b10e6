/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.protocol.index.TableIndex;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The position of a row in a read, after which {@link Selection#after(ReadCursor)} continues: for
 * pages of a web application, and for reads that outlive their process.
 *
 * <pre>{@code
 * String next = rows.cursor().toString();
 * Selection rest = events.select().where("device = 'd1'").after(ReadCursor.parse(next));
 * }</pre>
 *
 * <p>A cursor belongs to one order: the table's key, or the key of the index through which the row
 * was read. A read never continues in another order. Opening it fails if the index was replaced, or
 * if a migration has given the table another row key.
 *
 * <p>{@link #toString} consists of letters, digits and {@code _-.:}, so it fits into a URL; {@link
 * #parse} reads it. It contains the key of the row, unencrypted. Immutable; compared by value.
 */
public final class ReadCursor {
  private final @Nullable String index;

  /**
   * The form of the index or row key at the time of the read; empty for an application's own key.
   */
  private final String form;

  private final byte[] key;

  private ReadCursor(@Nullable String index, String form, byte[] key) {
    this.index = index;
    this.form = form;
    this.key = key;
  }

  /**
   * Returns the position of a row in the order of the table.
   *
   * @param key the logical key of the row, which need not exist
   */
  public static ReadCursor of(byte[] key) {
    return new ReadCursor(null, "", key.clone());
  }

  /** The place of a row that was read, by a key of this form. */
  static ReadCursor of(String form, byte[] key) {
    return new ReadCursor(null, form, key);
  }

  static ReadCursor of(IndexReads index, String form, byte[] entry) {
    return new ReadCursor(index.name(), form, entry);
  }

  /** A text that another index has with near certainty, though it may be of the same name. */
  static String formOf(IndexReads index) {
    TableIndex read = index.index();
    String text = read.layout().key().parts() + " " + read.columns();
    return formOf(text);
  }

  /** A text that another row key has with near certainty, whatever the rows' spread. */
  static String formOf(Layout layout) {
    return formOf(layout.key().unreversed().toString());
  }

  private static String formOf(String text) {
    return String.format("%08x", text.hashCode());
  }

  /**
   * Reads a cursor that {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if the text is not a cursor
   */
  public static ReadCursor parse(String text) {
    int colon = text.indexOf(':');
    int dot = colon < 0 ? -1 : text.lastIndexOf('.', colon);
    if (colon < 0 || dot < 0 && colon > 0) {
      throw illegal(text);
    }
    byte[] key;
    try {
      key = Base64.getUrlDecoder().decode(text.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      throw illegal(text);
    }
    if (colon == 0) {
      return of(key);
    }
    String index = dot == 0 ? null : text.substring(0, dot);
    return new ReadCursor(index, text.substring(dot + 1, colon), key);
  }

  private static IllegalArgumentException illegal(String text) {
    return new EvenkeyArgumentException(
        "not a cursor: text=" + text + "; use what ReadCursor.toString() gave");
  }

  /** The index through which the row was read; null if it was read from the table. */
  public @Nullable String index() {
    return index;
  }

  /** The logical key of the row, or of its entry if it was read through an index. */
  public byte[] key() {
    return key.clone();
  }

  /** Whether the index is what it was when the row was read. */
  boolean isOf(IndexReads read) {
    return read.name().equals(index) && formOf(read).equals(form);
  }

  /** Whether the table's row key is what it was when the row was read, as far as that is known. */
  boolean isOf(Layout layout) {
    return index == null && (form.isEmpty() || form.equals(formOf(layout)));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReadCursor that
        && Objects.equals(index, that.index)
        && form.equals(that.form)
        && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(index, form, Arrays.hashCode(key));
  }

  @Override
  public String toString() {
    String place = Base64.getUrlEncoder().withoutPadding().encodeToString(key);
    String of = index == null && form.isEmpty() ? "" : Objects.toString(index, "") + "." + form;
    return of + ":" + place;
  }
}
