/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import java.util.Arrays;

/** The rule by which a reader finds the end of a field's bytes. */
sealed interface Ending {
  /**
   * Closes the value that was written from {@code from} on, in ascending form: refuses bytes after
   * which the end could not be found or which would not sort by value, and appends the mark of the
   * end if there is one.
   */
  void close(KeyBuffer out, int from) throws IllegalValue;

  /**
   * The end of a value that starts at {@code from}, or -1 if it is not before {@code limit}.
   *
   * @param whole whether the key ends at {@code limit}, rather than goes on
   */
  int find(byte[] bytes, int from, int limit, boolean whole);

  /** Bytes of the mark. */
  default int markWidth() {
    return 0;
  }

  /**
   * The number of these bytes, in ascending form, with which a value here can begin: all, unless
   * they are longer than values are or have a byte that would mark an end. Values from the bytes on
   * are then those after all that have the possible ones.
   */
  default int possible(byte[] plain) {
    return plain.length;
  }

  /**
   * Appends the first {@code possible} bytes as they are in a key, and where these are not all, the
   * byte that comes next after a whole value.
   */
  default void putPossible(byte[] plain, int possible, KeyBuffer out) {
    out.put(plain, 0, possible);
  }

  /** Every value has the same number of bytes. */
  record Fixed(int width) implements Ending {
    @Override
    public void close(KeyBuffer out, int from) {}

    @Override
    public int find(byte[] bytes, int from, int limit, boolean whole) {
      return limit - from < width ? -1 : from + width;
    }

    @Override
    public int possible(byte[] plain) {
      return Math.min(plain.length, width);
    }
  }

  /** The field comes last: it ends where the key ends. */
  record Rest() implements Ending {
    @Override
    public void close(KeyBuffer out, int from) {}

    @Override
    public int find(byte[] bytes, int from, int limit, boolean whole) {
      return whole ? limit : -1;
    }
  }

  /**
   * One byte that no value contains and that sorts before every byte that one does: 00. Inverted
   * with the value in a descending field, it is FF, which sorts after.
   *
   * @param mark 00 or FF
   */
  record Terminated(byte mark) implements Ending {
    static Terminated of(boolean descending) {
      return new Terminated((byte) (descending ? 0xff : 0));
    }

    @Override
    public void close(KeyBuffer out, int from) throws IllegalValue {
      if (out.hasZeroFrom(from)) {
        throw new IllegalValue(
            "text with a NUL character cannot stand before the end of a key",
            "NUL marks the end of the text: remove it, make this ascending field the last, or keep"
                + " it as bytes");
      }
      out.put(0);
    }

    @Override
    public int find(byte[] bytes, int from, int limit, boolean whole) {
      int at = from;
      while (at < limit && bytes[at] != mark) {
        at++;
      }
      return at == limit ? -1 : at;
    }

    @Override
    public int possible(byte[] plain) {
      return firstUpTo(0, plain);
    }

    @Override
    public void putPossible(byte[] plain, int possible, KeyBuffer out) {
      out.put(plain, 0, possible);
      if (possible < plain.length) {
        out.put(0);
      }
    }

    @Override
    public int markWidth() {
      return 1;
    }
  }

  /**
   * 00 01 for values with any bytes, in which each 00 becomes 00 FF: a value sorts before every
   * longer one that begins with it, whatever comes next there. Inverted with the value in a
   * descending field.
   *
   * @param zero 00, or FF in a descending field
   */
  record Escaped(byte zero) implements Ending {
    private static final int MARK = 1;

    static Escaped of(boolean descending) {
      return new Escaped((byte) (descending ? 0xff : 0));
    }

    @Override
    public void close(KeyBuffer out, int from) {
      escape(out, from);
      out.put(0).put(MARK);
    }

    @Override
    public void putPossible(byte[] plain, int possible, KeyBuffer out) {
      int from = out.size();
      escape(out.put(plain, 0, possible), from);
    }

    private static void escape(KeyBuffer out, int from) {
      int zeros = 0;
      for (int i = from; i < out.size(); i++) {
        zeros += out.array()[i] == 0 ? 1 : 0;
      }
      int end = out.size();
      byte[] bytes = out.fill(0, zeros).array();
      for (int read = end - 1, write = end + zeros - 1; write > read; read--) {
        if (bytes[read] == 0) {
          bytes[write--] = (byte) 0xff;
        }
        bytes[write--] = bytes[read];
      }
    }

    @Override
    public int find(byte[] bytes, int from, int limit, boolean whole) {
      int at = from;
      while (at + 1 < limit) {
        if (bytes[at] != zero) {
          at++;
        } else if ((bytes[at + 1] ^ zero) == (byte) 0xff) {
          at += 2;
        } else {
          return (bytes[at + 1] ^ zero) == MARK ? at : -1;
        }
      }
      return -1;
    }

    @Override
    public int markWidth() {
      return 2;
    }

    /** Appends the value that is escaped here, which {@link #find} has found the end of. */
    void unescape(byte[] bytes, int from, int end, KeyBuffer out) {
      for (int i = from; i < end; i++) {
        out.put(bytes[i]);
        if (bytes[i] == zero) {
          i++;
        }
      }
    }
  }

  /**
   * The literal that follows marks the end. Values keep their order only if each of their bytes
   * sorts after the literal's first: with ':' "a1:" would come before "a:", though "a" < "a1".
   */
  final class Separated implements Ending {
    private final byte[] separator;

    Separated(byte[] separator) {
      this.separator = separator.clone();
    }

    @Override
    public void close(KeyBuffer out, int from) throws IllegalValue {
      byte[] bytes = out.array();
      int first = separator[0] & 0xff;
      for (int i = from; i < out.size(); i++) {
        int b = bytes[i] & 0xff;
        if (b > first) {
          continue;
        }
        String sign = ByteText.printable(bytes, i, 1);
        String mark = ByteText.printable(separator);
        throw b == first
            ? new IllegalValue(
                "value contains '" + sign + "', with which the separator \"" + mark + "\" begins",
                "choose a separator that no value contains, or none: then 00 ends the field")
            : new IllegalValue(
                "value contains '" + sign + "', which sorts before the separator \"" + mark + "\"",
                "keys would not sort by this field: choose a separator that sorts before every"
                    + " character of it, such as \"!\" or \"-\", or none: then 00 ends the field");
      }
    }

    @Override
    public int find(byte[] bytes, int from, int limit, boolean whole) {
      // Also where the value has bytes that are refused: others wrote such keys, and they can be
      // read.
      for (int at = from; at + separator.length <= limit; at++) {
        if (Arrays.equals(bytes, at, at + separator.length, separator, 0, separator.length)) {
          return at;
        }
      }
      return -1;
    }

    @Override
    public int possible(byte[] plain) {
      return firstUpTo(separator[0] & 0xff, plain);
    }

    @Override
    public void putPossible(byte[] plain, int possible, KeyBuffer out) {
      out.put(plain, 0, possible);
      if (possible < plain.length) {
        out.put(separator[0]);
      }
    }
  }

  private static int firstUpTo(int greatest, byte[] bytes) {
    int at = 0;
    while (at < bytes.length && (bytes[at] & 0xff) > greatest) {
      at++;
    }
    return at;
  }

  /**
   * A column of a Phoenix key. Nulls at the end of a key are left out with their marks, so the key
   * can end before this column or right after its value.
   *
   * @param column the ending of the column where more fields follow
   * @param descending whether it is descending: then a null is a 00 where a value would be
   */
  record Phoenix(Ending column, boolean descending) implements Ending {
    @Override
    public void close(KeyBuffer out, int from) throws IllegalValue {
      column.close(out, from);
    }

    @Override
    public int find(byte[] bytes, int from, int limit, boolean whole) {
      if (from == limit) {
        return whole ? limit : -1;
      }
      if (descending && markWidth() > 0 && bytes[from] == 0) {
        return from;
      }
      int end = column.find(bytes, from, limit, whole);
      if (descending && end == from) {
        // The empty value is a null, which is not written so.
        return -1;
      }
      return end < 0 && whole && !descending && markWidth() > 0 ? limit : end;
    }

    @Override
    public int markWidth() {
      return column.markWidth();
    }

    @Override
    public int possible(byte[] plain) {
      return column.possible(plain);
    }

    @Override
    public void putPossible(byte[] plain, int possible, KeyBuffer out) {
      column.putPossible(plain, possible, out);
    }
  }
}
