package io.evenkey.layout.field;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyBuffer;
import java.util.Arrays;

/** How the end of a field's bytes is found again. */
sealed interface Ending {
  /** Refuses bytes after which the end could not be found, or which would not sort by value. */
  default void check(byte[] bytes, int from, int to) throws IllegalValue {}

  /** Appends what marks the end, if anything does. */
  default void mark(KeyBuffer out) {}

  /**
   * Where a value that starts at {@code from} ends, or -1 if its end is not before {@code limit}.
   */
  int find(byte[] bytes, int from, int limit);

  /** Bytes of the mark. */
  default int markWidth() {
    return 0;
  }

  /** Every value has the same number of bytes. */
  record Fixed(int width) implements Ending {
    @Override
    public int find(byte[] bytes, int from, int limit) {
      return limit - from < width ? -1 : from + width;
    }
  }

  /** The field comes last: it ends where the key ends. */
  record Rest() implements Ending {
    @Override
    public int find(byte[] bytes, int from, int limit) {
      return limit;
    }
  }

  /**
   * One byte that no value contains and that sorts before every byte that one does: 00. A
   * descending field is inverted before it is marked, so there it is FF, which sorts after.
   */
  record Terminated(boolean descending) implements Ending {
    @Override
    public void check(byte[] bytes, int from, int to) throws IllegalValue {
      for (int i = from; i < to; i++) {
        if (bytes[i] == 0) {
          throw new IllegalValue(
              "text with a NUL character cannot stand before the end of a key",
              "NUL marks the end of the text: remove it, or make this ascending field the last");
        }
      }
    }

    @Override
    public void mark(KeyBuffer out) {
      out.put(terminator());
    }

    @Override
    public int find(byte[] bytes, int from, int limit) {
      int at = from;
      while (at < limit && bytes[at] != terminator()) {
        at++;
      }
      return at == limit ? -1 : at;
    }

    @Override
    public int markWidth() {
      return 1;
    }

    private byte terminator() {
      return (byte) (descending ? 0xff : 0);
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
    public void check(byte[] bytes, int from, int to) throws IllegalValue {
      int first = separator[0] & 0xff;
      for (int i = from; i < to; i++) {
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
    public int find(byte[] bytes, int from, int limit) {
      for (int at = from; at + separator.length <= limit; at++) {
        if (Arrays.equals(bytes, at, at + separator.length, separator, 0, separator.length)) {
          return at;
        }
      }
      return -1;
    }
  }
}
