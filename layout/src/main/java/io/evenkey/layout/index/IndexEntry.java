/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.index;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The value of an entry. A storage format, frozen:
 *
 * <pre>
 * entry  = 01 00 { cell }
 * cell   = length bytes       of each covered column, in the order of the index's definition
 * length = 4 bytes, most significant first; ff ff ff ff if the row does not have the column
 * </pre>
 *
 * <p>The first byte is the version of the format; the second one is for later versions.
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
   * @throws IndexException if the bytes are none, or of a later format
   */
  public static IndexEntry parse(byte[] bytes) {
    if (bytes.length < 2) {
      throw damaged(bytes, bytes.length);
    }
    if (bytes[0] != FORMAT) {
      throw new IndexException(
          "entry of an index of an unknown format",
          "format=" + (bytes[0] & 0xff) + " known=" + FORMAT,
          "use the version of Evenkey that wrote it, or a later one");
    }
    if (bytes[1] != 0) {
      throw damaged(bytes, 1);
    }
    int at = 2;
    List<Optional<ByteString>> covered = new ArrayList<>();
    while (at < bytes.length) {
      if (bytes.length - at < Integer.BYTES) {
        throw damaged(bytes, at);
      }
      int length = KeyBuffer.intAt(bytes, at);
      at += Integer.BYTES;
      covered.add(length == ABSENT ? Optional.empty() : Optional.of(take(bytes, at, length)));
      at += Math.max(length, 0);
    }
    return new IndexEntry(covered);
  }

  private static ByteString take(byte[] bytes, int from, int length) {
    if (length < 0 || length > bytes.length - from) {
      throw damaged(bytes, from);
    }
    return ByteString.of(bytes, from, length);
  }

  private static IndexException damaged(byte[] bytes, int at) {
    int shown = Math.min(bytes.length, 64);
    return new IndexException(
        "entry of an index cannot be read",
        "byte=" + at + " length=" + bytes.length + " value=" + ByteText.printable(bytes, 0, shown),
        "was it written by something else than Evenkey?");
  }

  /** The bytes of the format, in a new array. */
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
