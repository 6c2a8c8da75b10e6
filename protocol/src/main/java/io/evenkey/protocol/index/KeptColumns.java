/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The indexed columns that a put does not change, with the values that the client has read. The
 * region server makes the put only if the row still has these values. The bytes are a wire format
 * that never changes:
 *
 * <pre>
 * columns = 01 { column }
 * column  = length family length qualifier value
 * length  = 2 bytes, most significant first
 * value   = 4 bytes of its length, most significant first, and as many bytes;
 *           ff ff ff ff if the row does not have the column
 * </pre>
 *
 * <p>The first byte is the version of the format. Immutable.
 *
 * @param columns the columns, in any order
 */
public record KeptColumns(List<Kept> columns) {
  private static final byte FORMAT = 1;
  private static final int ABSENT = -1;

  /** Copies the list. */
  public KeptColumns {
    columns = List.copyOf(columns);
  }

  /**
   * One column.
   *
   * @param value its value; empty if the row does not have the column
   */
  public record Kept(ByteString family, ByteString qualifier, Optional<ByteString> value) {}

  /**
   * Reads columns.
   *
   * @param most the most columns to read, because in memory each takes many times its bytes
   * @throws IllegalArgumentException if the bytes have another format, or more columns
   */
  public static KeptColumns parse(byte[] bytes, int most) {
    if (bytes.length == 0 || bytes[0] != FORMAT) {
      throw new IllegalArgumentException(
          "kept columns of an unknown format: format="
              + (bytes.length == 0 ? "none" : Integer.toString(bytes[0] & 0xff))
              + " known="
              + FORMAT);
    }
    List<Kept> columns = new ArrayList<>();
    Reader reader = new Reader(bytes);
    while (reader.at < bytes.length) {
      if (columns.size() == most) {
        throw new IllegalArgumentException(
            "too many kept columns: most=" + most + " bytes=" + bytes.length);
      }
      ByteString family = reader.take(reader.length(Short.BYTES));
      ByteString qualifier = reader.take(reader.length(Short.BYTES));
      int length = reader.length(Integer.BYTES);
      columns.add(
          new Kept(
              family,
              qualifier,
              length == ABSENT ? Optional.empty() : Optional.of(reader.take(length))));
    }
    return new KeptColumns(columns);
  }

  /** Returns the bytes of the format in a new array. */
  public byte[] toBytes() {
    KeyBuffer out = new KeyBuffer(64);
    out.put(FORMAT);
    for (Kept kept : columns) {
      put(out, kept.family());
      put(out, kept.qualifier());
      out.putLow(kept.value().map(ByteString::length).orElse(ABSENT), Integer.BYTES);
      kept.value().ifPresent(value -> value.writeTo(out));
    }
    return out.toArray();
  }

  private static void put(KeyBuffer out, ByteString name) {
    out.putLow(name.length(), Short.BYTES);
    name.writeTo(out);
  }

  /** A place in the bytes. */
  private static final class Reader {
    private final byte[] bytes;
    private int at = 1;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    int length(int width) {
      if (width > bytes.length - at) {
        throw damaged();
      }
      int length = (int) KeyBuffer.lowAt(bytes, at, width);
      at += width;
      return width == Short.BYTES ? length & 0xffff : length;
    }

    ByteString take(int length) {
      if (length < 0 || length > bytes.length - at) {
        throw damaged();
      }
      ByteString taken = ByteString.of(bytes, at, length);
      at += length;
      return taken;
    }

    private IllegalArgumentException damaged() {
      return new IllegalArgumentException(
          "kept columns cannot be read: byte=" + at + " length=" + bytes.length);
    }
  }
}
