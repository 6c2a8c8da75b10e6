/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The value of an index's entry: the covered columns of its row. Its bytes are a storage format
 * that never changes:
 *
 * <pre>
 * entry  = 01 00 { cell }
 * cell   = length bytes       of each covered column, in the order of the index's definition
 * length = 4 bytes, most significant first; ff ff ff ff if the row does not have the column
 * </pre>
 *
 * <p>The first byte is the version of the format; the second is reserved. Immutable and
 * thread-safe.
 *
 * @param covered the values of the covered columns; empty where the row does not have the column
 */
public record IndexEntry(List<Optional<ByteString>> covered) {
  private static final byte FORMAT = 1;
  private static final int ABSENT = -1;

  /** Copies the list. */
  public IndexEntry {
    covered = List.copyOf(covered);
  }

  /**
   * Reads an entry.
   *
   * @throws IndexException if the bytes are not an entry, or have a later format
   */
  public static IndexEntry parse(byte[] bytes) {
    List<Optional<ByteString>> covered = new ArrayList<>();
    visit(
        bytes,
        0,
        bytes.length,
        (column, from, length) ->
            covered.add(
                length == ABSENT
                    ? Optional.empty()
                    : Optional.of(ByteString.of(bytes, from, length))));
    return new IndexEntry(covered);
  }

  /** Receives the covered values of an entry, one by one. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * A covered column.
     *
     * @param column its number in the definition of the index
     * @param from the place of its first byte in the array
     * @param length the number of its bytes; -1 if the row does not have the column
     */
    void value(int column, int from, int length);
  }

  /**
   * Reads an entry without copying its values.
   *
   * @param visitor called once for each covered column, in order
   * @throws IndexException if the bytes are not an entry, or have a later format
   */
  public static void visit(byte[] array, int offset, int length, Visitor visitor) {
    int end = offset + length;
    if (length < 2) {
      throw damaged(array, offset, length, length);
    }
    if (array[offset] != FORMAT) {
      throw new IndexException(
          "entry of an index of an unknown format",
          "format=" + (array[offset] & 0xff) + " known=" + FORMAT,
          "use the version of Evenkey that wrote it, or a later one");
    }
    if (array[offset + 1] != 0) {
      throw damaged(array, offset, length, 1);
    }
    int at = offset + 2;
    for (int column = 0; at < end; column++) {
      if (end - at < Integer.BYTES) {
        throw damaged(array, offset, length, at - offset);
      }
      int size = KeyBuffer.intAt(array, at);
      at += Integer.BYTES;
      if (size < ABSENT || size > end - at) {
        throw damaged(array, offset, length, at - offset);
      }
      visitor.value(column, at, size);
      at += Math.max(size, 0);
    }
  }

  private static IndexException damaged(byte[] array, int offset, int length, int at) {
    int shown = Math.min(length, 64);
    return new IndexException(
        "entry of an index cannot be read",
        "byte=" + at + " length=" + length + " value=" + ByteText.printable(array, offset, shown),
        "was it written by something else than Evenkey?");
  }

  /** Returns the bytes of the format in a new array. */
  public byte[] toBytes() {
    KeyBuffer out = new KeyBuffer(64);
    out.put(FORMAT).put(0);
    for (Optional<ByteString> cell : covered) {
      out.putLow(cell.map(ByteString::length).orElse(ABSENT), Integer.BYTES);
      cell.ifPresent(value -> value.writeTo(out));
    }
    return out.toArray();
  }
}
