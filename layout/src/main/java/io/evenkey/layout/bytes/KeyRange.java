/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys, as an HBase scan has it: every key {@code k} with {@code start <= k < stop}. An
 * empty start means from the first key; an empty stop means to the last one.
 *
 * <pre>{@code
 * KeyRange devices = KeyRange.prefix(Bytes.toBytes("sensor-"));
 * KeyRange rest = devices.intersection(KeyRange.of(KeyRange.successor(lastKey), new byte[0]));
 * }</pre>
 *
 * <p>Immutable and thread-safe; the arrays are copied on the way in and out.
 */
public final class KeyRange {
  private static final byte[] OPEN = {};
  private static final KeyRange ALL = new KeyRange(OPEN, OPEN);
  private static final KeyRange NONE = new KeyRange(new byte[] {0}, new byte[] {0});

  private final byte[] start;
  private final byte[] stop;

  private KeyRange(byte[] start, byte[] stop) {
    this.start = start;
    this.stop = stop;
  }

  /** Every key. */
  public static KeyRange all() {
    return ALL;
  }

  /** The range without keys. */
  public static KeyRange none() {
    return NONE;
  }

  /**
   * Returns the keys from {@code start}, inclusive, to {@code stop}, exclusive; an empty {@code
   * stop} is an open end.
   */
  public static KeyRange of(byte[] start, byte[] stop) {
    if (stop.length > 0 && Arrays.compareUnsigned(start, stop) >= 0) {
      return NONE;
    }
    return new KeyRange(start.clone(), stop.clone());
  }

  /** Returns every key that begins with {@code prefix}. */
  public static KeyRange prefix(byte[] prefix) {
    return new KeyRange(prefix.clone(), afterPrefix(prefix));
  }

  /** Returns the range of one key. */
  public static KeyRange point(byte[] key) {
    return new KeyRange(key.clone(), successor(key));
  }

  /** The first key, inclusive; empty if the range begins at the first key. */
  public byte[] start() {
    return start.clone();
  }

  /** The end, exclusive; empty if the range has no end. */
  public byte[] stop() {
    return stop.clone();
  }

  /** Whether the range contains no key. */
  public boolean isEmpty() {
    return stop.length > 0 && Arrays.compareUnsigned(start, stop) >= 0;
  }

  /** Whether the range extends to the last key. */
  public boolean isOpenEnded() {
    return stop.length == 0;
  }

  /** Whether {@code key} is in this range. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(start, key) <= 0
        && (isOpenEnded() || Arrays.compareUnsigned(key, stop) < 0);
  }

  /** Returns both ranges as one; null if keys lie between them. Neither may be empty. */
  public @Nullable KeyRange joined(KeyRange that) {
    boolean mineFirst = Arrays.compareUnsigned(start, that.start) <= 0;
    KeyRange first = mineFirst ? this : that;
    KeyRange second = mineFirst ? that : this;
    if (!first.isOpenEnded() && Arrays.compareUnsigned(first.stop, second.start) < 0) {
      return null;
    }
    boolean further =
        !first.isOpenEnded()
            && (second.isOpenEnded() || Arrays.compareUnsigned(first.stop, second.stop) < 0);
    return new KeyRange(first.start, further ? second.stop : first.stop);
  }

  /** The keys that are in both ranges. */
  public KeyRange intersection(KeyRange that) {
    byte[] from = Arrays.compareUnsigned(start, that.start) >= 0 ? start : that.start;
    boolean mine =
        !isOpenEnded() && (that.isOpenEnded() || Arrays.compareUnsigned(stop, that.stop) <= 0);
    return of(from, mine ? stop : that.stop);
  }

  /**
   * Returns the keys of this range that have at most {@code longest} bytes, with bounds that are no
   * longer either: HBase rejects a bound that is longer than a row can be.
   */
  public KeyRange upTo(int longest) {
    if (start.length <= longest && stop.length <= longest) {
      return this;
    }
    byte[] from = upTo(longest, start);
    return from.length == 0 && start.length > 0 ? NONE : of(from, upTo(longest, stop));
  }

  // Between the first bytes of a bound that is too long and what does not begin with them, there
  // is no key that is short enough.
  private static byte[] upTo(int longest, byte[] bound) {
    return bound.length <= longest ? bound : afterPrefix(Arrays.copyOf(bound, longest));
  }

  /** Returns the key of a range that contains exactly one; otherwise null. */
  public byte @Nullable [] onlyKey() {
    boolean single =
        stop.length == start.length + 1
            && stop[start.length] == 0
            && Arrays.equals(start, 0, start.length, stop, 0, start.length);
    return single ? start.clone() : null;
  }

  /** Returns the longest prefix that all keys of this range share. */
  public byte[] commonPrefix() {
    int same = isOpenEnded() ? 0 : Arrays.mismatch(start, stop);
    if (same < 0 || same == start.length) {
      return start();
    }
    // All of [ab, ac) begins with "ab". What is left of the range has no end of its own then, and
    // nothing sorts after FF FF … but what begins with it.
    boolean sibling =
        !isOpenEnded()
            && stop.length == same + 1
            && (start[same] & 0xff) + 1 == (stop[same] & 0xff);
    int end = sibling ? same + 1 : same;
    while ((sibling || isOpenEnded()) && end < start.length && start[end] == (byte) 0xff) {
      end++;
    }
    return Arrays.copyOf(start, end);
  }

  /** Returns the range of these keys with {@code prefix} in front of each. */
  public KeyRange under(byte[] prefix) {
    byte[] from = join(prefix, start);
    return new KeyRange(from, isOpenEnded() ? afterPrefix(prefix) : join(prefix, stop));
  }

  /** Returns the first key after {@code key}: the key followed by a 00 byte. */
  public static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /**
   * Returns the first key after all keys that begin with {@code prefix}: the prefix without
   * trailing {@code FF} bytes, its last byte plus one. Empty, which means no end, if every key from
   * the prefix on begins with it.
   */
  public static byte[] afterPrefix(byte[] prefix) {
    int end = prefix.length;
    while (end > 0 && prefix[end - 1] == (byte) 0xff) {
      end--;
    }
    byte[] after = Arrays.copyOf(prefix, end);
    if (end > 0) {
      after[end - 1]++;
    }
    return after;
  }

  private static byte[] join(byte[] head, byte[] tail) {
    byte[] joined = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, joined, head.length, tail.length);
    return joined;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyRange that
        && Arrays.equals(start, that.start)
        && Arrays.equals(stop, that.stop);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(stop);
  }

  /** As {@code [start, stop)} with printable bytes. */
  @Override
  public String toString() {
    return "[" + ByteText.printable(start) + ", " + ByteText.printable(stop) + ")";
  }
}
