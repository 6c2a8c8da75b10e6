/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.layout.index.TableIndex;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place of a row in a read, behind which {@link Selection#after(ReadCursor)} continues: a key
 * of the table, or a key of the index through which the row was read. So a read is never continued
 * in another order. Immutable; compared by value.
 *
 * <p>{@link #toString} is a text of letters, digits and {@code _-.:} that {@link #parse} reads
 * again, for addresses of pages and for reads that outlive their process.
 */
public final class ReadCursor {
  private final @Nullable String index;

  /** What the index was when it was read; empty for the table. */
  private final String form;

  private final byte[] key;

  private ReadCursor(@Nullable String index, String form, byte[] key) {
    this.index = index;
    this.form = form;
    this.key = key;
  }

  /**
   * The place of a row in the order of the table.
   *
   * @param key the row's logical key
   */
  public static ReadCursor of(byte[] key) {
    return new ReadCursor(null, "", key.clone());
  }

  static ReadCursor of(IndexReads index, String form, byte[] entry) {
    return new ReadCursor(index.name(), form, entry);
  }

  /** A text that another index has with near certainty, though it may be of the same name. */
  static String formOf(IndexReads index) {
    TableIndex read = index.index();
    String text = read.layout().key().parts() + " " + read.columns();
    return String.format("%08x", text.hashCode());
  }

  /**
   * The cursor of a text made by {@link #toString}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ReadCursor parse(String text) {
    int colon = text.indexOf(':');
    int dot = colon < 0 ? -1 : text.lastIndexOf('.', colon);
    if (colon < 0 || dot <= 0 && colon > 0) {
      throw illegal(text);
    }
    byte[] key;
    try {
      key = Base64.getUrlDecoder().decode(text.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      throw illegal(text);
    }
    return colon == 0
        ? of(key)
        : new ReadCursor(text.substring(0, dot), text.substring(dot + 1, colon), key);
  }

  private static IllegalArgumentException illegal(String text) {
    return new IllegalArgumentException(
        "text that is no cursor: text=" + text + "; use what ReadCursor.toString() gave");
  }

  /** The index through which the row was read; null if it was the table. */
  public @Nullable String index() {
    return index;
  }

  /** The logical key of the row, or of its entry in the index. */
  public byte[] key() {
    return key.clone();
  }

  /** Whether the index is what it was when the row was read. */
  boolean isOf(IndexReads read) {
    return read.name().equals(index) && formOf(read).equals(form);
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
    return (index == null ? "" : index + "." + form) + ":" + place;
  }
}
