/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.IllegalValue;
import io.evenkey.layout.field.Numbers;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.text.RowException;
import io.evenkey.layout.token.PlaceProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a salt: ranges of equal width of one hashed field, in which all values hash alike.
 * Slice {@code s} has the values from {@code s·width} to before {@code (s + 1)·width}, also below
 * zero. If the other hashed fields agree, keys of one slice share their buckets, and keys of the
 * next slice have others. So a scan in the order of the field needs few buckets at a time, and
 * writes move on to other buckets with each slice.
 *
 * <p>Immutable and thread-safe.
 */
public final class Slices {
  /** The slices of a prefix that hashes whole values: none. */
  public static final Slices NONE = new Slices(null, -1, null, 1);

  private final @Nullable FieldCodec codec;
  private final int field;
  private final @Nullable Numbers numbers;
  private final long width;

  private Slices(@Nullable FieldCodec codec, int field, @Nullable Numbers numbers, long width) {
    this.codec = codec;
    this.field = field;
    this.numbers = numbers;
    this.width = width;
  }

  /**
   * The slices of a field of some keys.
   *
   * @throws PlaceProblem if the field cannot have slices of that width
   */
  static Slices of(@Nullable SliceWidth written, Key key) {
    if (written == null) {
      return NONE;
    }
    int position = key.indexOf(written.field().text());
    Field field = key.fields().get(position);
    Numbers numbers = field.type().numbers();
    if (numbers == null) {
      throw new PlaceProblem(
          written.field().span(),
          "slices of a field of type " + field.type(),
          "expected a timestamp, a date, a whole number or digits(n) of at most 18 digits");
    }
    Reversal.refuse(written.field(), field, key, "slices", "rows of a slice are not together");
    return new Slices(key.codecOf(position), position, numbers, width(written, field, numbers));
  }

  private static long width(SliceWidth written, Field field, Numbers numbers) {
    boolean time = numbers.unit() != Numbers.Unit.ONE;
    if (time != written.time()) {
      throw new PlaceProblem(
          written.place(),
          "slices of " + field + (time ? " without a unit of time" : " in units of time"),
          time ? "write every 1s, or ms, m, h, d" : "write / 1000");
    }
    if (numbers.unit() != Numbers.Unit.DAY) {
      return written.amount();
    }
    if (written.amount() % SliceWidth.DAY != 0) {
      throw new PlaceProblem(
          written.place(), "slices of part of a day of " + field, "write every 1d");
    }
    return written.amount() / SliceWidth.DAY;
  }

  /** Whether whole values are hashed. */
  public boolean isNone() {
    return numbers == null;
  }

  /** The position of the field among the key's fields; -1 without slices. */
  public int field() {
    return field;
  }

  /**
   * Appends what is hashed instead of a value: the number of its slice in eight bytes, as an {@code
   * int64} is encoded.
   *
   * @param from where the value begins in its key
   * @param end where it ends
   * @throws RowException if the bytes are no value
   */
  void write(byte[] key, int from, int end, KeyBuffer out) {
    int at = out.size();
    codec().writePlain(key, from, end, out);
    try {
      put(sliceOf(numbers().at(out.array(), at)), out.truncate(at));
    } catch (IllegalValue e) {
      throw new RowException(e.getMessage() + " in " + codec().field(), key, from);
    }
  }

  /** As {@link #write}, of bytes that may be no value: then keys with a value next to them. */
  void writeNear(byte[] key, int from, int end, KeyBuffer out) {
    int at = out.size();
    codec().writePlain(key, from, end, out);
    put(sliceOf(numbers().near(out.array(), at)), out.truncate(at));
  }

  static void put(long slice, KeyBuffer out) {
    out.putLong(slice ^ Long.MIN_VALUE);
  }

  private long sliceOf(long number) {
    return numbers().isUnsigned()
        ? Long.divideUnsigned(number, width)
        : Math.floorDiv(number, width);
  }

  /**
   * Returns every input that the salt can hash for some values; empty if there are more than {@code
   * most}.
   *
   * @param values ranges of the values' ascending encodings
   */
  public List<byte[]> hashed(List<KeyRange> values, int most) {
    Collection<Long> slices = new LinkedHashSet<>();
    for (KeyRange range : values) {
      Window window = window(range, new byte[0], false);
      if (window.count() > most - slices.size()) {
        return List.of();
      }
      for (long i = 0; i < window.count(); i++) {
        slices.add(window.fromStart(i));
      }
    }
    List<byte[]> hashed = new ArrayList<>();
    for (long slice : slices) {
      KeyBuffer out = new KeyBuffer(Long.BYTES);
      put(slice, out);
      hashed.add(out.toArray());
    }
    return hashed;
  }

  /**
   * The slices of a range of keys that begin alike up to the field.
   *
   * @param beginning their common prefix
   */
  Window window(KeyRange keys, byte[] beginning) {
    return window(keys, beginning, codec().field().descending());
  }

  private Window window(KeyRange keys, byte[] beginning, boolean descending) {
    byte[] start = keys.start();
    byte[] stop = keys.stop();
    boolean started = start.length > beginning.length;
    boolean stopped = KeyRange.prefix(beginning).contains(stop) && stop.length > beginning.length;
    long low = descending ? numbers().greatest() : numbers().least();
    long high = descending ? numbers().least() : numbers().greatest();
    long first = started ? numberAt(start, beginning.length, descending) : low;
    byte[] firstKey = started ? key(beginning, first, descending) : start;
    // Only bytes that are no value can lie behind the number that is next to them.
    if (first != high && Arrays.compareUnsigned(firstKey, prefix(start, firstKey.length)) < 0) {
      first = descending ? first - 1 : first + 1;
    }
    long last = high;
    if (stopped) {
      last = numberAt(stop, beginning.length, descending);
      boolean within = Arrays.compareUnsigned(key(beginning, last, descending), stop) < 0;
      if (!within && last == low) {
        return new Window(this, 0, 0, 0, descending, started, true);
      }
      last = within ? last : descending ? last + 1 : last - 1;
    }
    long count = count(first, last, descending);
    return new Window(this, sliceOf(first), sliceOf(last), count, descending, started, stopped);
  }

  private byte[] key(byte[] beginning, long number, boolean descending) {
    KeyBuffer key = new KeyBuffer(beginning.length + Long.BYTES).put(beginning);
    numbers().write(number, key);
    return (descending ? key.invert(beginning.length) : key).toArray();
  }

  private static byte[] prefix(byte[] bytes, int most) {
    return Arrays.copyOf(bytes, Math.min(most, bytes.length));
  }

  private long count(long first, long last, boolean descending) {
    long from = descending ? last : first;
    long to = descending ? first : last;
    int order = numbers().isUnsigned() ? Long.compareUnsigned(from, to) : Long.compare(from, to);
    if (order > 0) {
      return 0;
    }
    long count = sliceOf(to) - sliceOf(from) + 1;
    return count <= 0 ? Long.MAX_VALUE : count;
  }

  private long numberAt(byte[] bytes, int offset, boolean descending) {
    int width = numbers().width();
    KeyBuffer value = new KeyBuffer(width);
    value.put(bytes, offset, Math.min(width, bytes.length - offset));
    value.fill(0, width - value.size());
    if (descending) {
      value.invert(0);
    }
    return numbers().near(value.array(), 0);
  }

  private byte[] cutAfter(long slice, byte[] beginning, boolean descending) {
    long boundary = descending ? slice : slice + 1;
    KeyBuffer value = new KeyBuffer(Long.BYTES);
    numbers().write(boundary * width, value);
    return codec().boundary(beginning, value.toArray());
  }

  private FieldCodec codec() {
    return Objects.requireNonNull(codec);
  }

  private Numbers numbers() {
    return Objects.requireNonNull(numbers);
  }

  /**
   * Slices that follow each other in the order of the keys.
   *
   * @param first the first of them
   * @param last the last of them
   * @param count their number, or {@link Long#MAX_VALUE} for that many or more
   * @param started whether something says which is the first one
   * @param stopped whether something says which is the last one
   */
  record Window(
      Slices of,
      long first,
      long last,
      long count,
      boolean descending,
      boolean started,
      boolean stopped) {
    /** A slice, counted from the first one. */
    long fromStart(long index) {
      return descending ? first - index : first + index;
    }

    /** A slice, counted from the last one. */
    long fromEnd(long index) {
      return descending ? last + index : last - index;
    }

    /** The first key behind a slice that is not the last one; empty if there can be none. */
    byte[] cutAfter(long slice, byte[] beginning) {
      return of.cutAfter(slice, beginning, descending);
    }
  }
}
