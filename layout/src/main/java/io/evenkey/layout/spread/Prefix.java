package io.evenkey.layout.spread;

import java.util.List;
import java.util.OptionalInt;

/**
 * Bytes put in front of a logical key, computed from it: the same key always gets the same prefix,
 * so a read of one row is one request. Implementations are immutable values whose {@code toString}
 * is the prefix as a layout line spells it.
 */
public interface Prefix {
  /** The fields that decide the prefix; none of them means the whole logical key does. */
  List<String> fields();

  /** Bytes of every prefix. */
  int width();

  /** How many different prefixes there are; {@link Long#MAX_VALUE} stands for that many or more. */
  long count();

  /**
   * Writes the prefix of the given input: the whole logical key, or the values of {@link #fields}
   * one after the other, each as it is encoded in ascending order and without any mark of its end.
   */
  void write(byte[] input, int offset, int length, byte[] out, int outOffset);

  /**
   * The prefix before which {@code index} others sort.
   *
   * @param index from 0 to before {@link #count}
   */
  byte[] nth(long index);

  /**
   * Where to cut the space of prefixes for the {@code index}-th of {@code regions} equal regions:
   * the least prefix of it, or the beginning of one.
   *
   * @param index from 1 to before {@code regions}, which is at most {@link #count}
   */
  byte[] boundary(int index, int regions);

  /** The number of the bucket that a row with this prefix is in, if the prefix is such a number. */
  OptionalInt bucket(byte[] row);
}
