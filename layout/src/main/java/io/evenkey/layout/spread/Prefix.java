/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.key.Key;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The bytes that a layout puts in front of its logical keys: a salt or a hash. Implementations are
 * immutable values whose {@code toString} is the prefix as a layout line spells it. Applications
 * name prefixes in layout lines; only new kinds of salt implement this.
 *
 * <p>Most prefixes are a function of an <em>input</em>: the whole logical key, or the values of
 * {@link #fields} one after the other, each in its ascending form without the mark of its end, or
 * for one of them the number of its {@linkplain #slices slice}. Then the same key always gets the
 * same prefix, and a read of one row is one request. Some prefixes give rows with one input several
 * values, their <em>variants</em>: the rest of the key chooses one, or {@linkplain #isRandom
 * chance} does.
 */
public interface Prefix {
  /** The fields that decide the prefix; empty if the whole logical key does. */
  List<String> fields();

  /** The number of bytes of every prefix. */
  int width();

  /**
   * The number of different prefixes, in all steps together; {@link Long#MAX_VALUE} stands for that
   * many or more.
   */
  long count();

  /** The number of different prefixes of rows with the same input in one step, at least 1. */
  default int variants() {
    return 1;
  }

  /** The keys at which the number of prefixes changes; {@link Steps#NONE} if it never does. */
  default Steps steps() {
    return Steps.NONE;
  }

  /** The slices by which one of the fields is hashed; {@link Slices#NONE} if whole values are. */
  default Slices slices() {
    return Slices.NONE;
  }

  /** Whether this prefix only appends steps to another one, and equals it in everything else. */
  default boolean appendsStepsTo(Prefix before) {
    return false;
  }

  /**
   * Returns this prefix as a layout line spells it, with one more step; empty if it cannot have
   * steps.
   */
  default Optional<String> spelledWithStep(String step) {
    return Optional.empty();
  }

  /**
   * Returns the variant that a logical key gets.
   *
   * @param spans where the values of the fields are in {@code key}, as {@link Key#locate} returns
   *     it; needed only if there are steps
   * @return from 0 to before {@link #variants}; with steps, the variants of a step follow those of
   *     the steps before it
   */
  default int variant(byte[] key, int offset, int length, int[] spans) {
    return 0;
  }

  /**
   * Whether the key does not determine the variant. Then the key alone does not give the row, and a
   * read of one row must ask for each variant.
   */
  default boolean isRandom() {
    return false;
  }

  /** Writes a variant of the prefix of an input. */
  void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset);

  /**
   * Returns the prefix before which {@code index} others sort.
   *
   * @param index from 0 to before {@link #count}
   */
  byte[] nth(long index);

  /**
   * Prefixes of a few rows, in addition to the {@link #count} regular ones. Scans must read there
   * too, but they get no region of their own.
   */
  default List<byte[]> extraPrefixes() {
    return List.of();
  }

  /**
   * The cut in the space of prefixes for the {@code index}-th of {@code regions} equal regions: the
   * least prefix of it, or the beginning of one.
   *
   * @param index from 1 to before {@code regions}, which is at most {@link #count}
   */
  default byte[] boundary(int index, int regions) {
    return nth(index * count() / regions);
  }

  /**
   * Returns the bucket number of a row; empty if this prefix is not a number, or if the row does
   * not begin with one of its prefixes.
   */
  OptionalInt bucket(byte[] row);
}
