/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.text.RowException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The map between logical keys and physical rows:
 *
 * <pre>  row = prefix ‖ separator ‖ logical key with its reversed parts turned round</pre>
 *
 * <p>Prefix and separator have the same width in every row, so the logical key of a row without
 * reversed parts is the row from {@link #width} on: a view, not a copy. {@link
 * io.evenkey.layout.Layout#physical} and {@link io.evenkey.layout.Layout#logical} are the usual way
 * in.
 *
 * <p>Immutable and thread-safe.
 */
public final class Spread {
  /**
   * The most ranges that a scan is split into: as many as two salt bytes have values. A prefix with
   * more, such as a long hash, gives nearly every row its own, so that merging ranges is of no use.
   */
  public static final int MAX_FAN_OUT = 65_536;

  private static final int[] NO_SPANS = {};

  private final @Nullable Prefix prefix;
  private final byte[] separator;
  private final Key key;
  private final int[] hashedFields;
  private final FieldCodec[] codecs;
  private final Slices slices;
  private final int width;
  private final @Nullable Sections sections;

  /** Whether the prefix depends on where the fields of a key are. */
  private final boolean needsSpans;

  /** The index of the single field that is hashed in place; -1 if there are several or none. */
  private final int hashedInPlace;

  private Spread(@Nullable Prefix prefix, byte[] separator, Key key) {
    this.prefix = prefix;
    this.separator = separator;
    this.key = key;
    this.hashedFields =
        this.prefix == null
            ? new int[0]
            : this.prefix.fields().stream().mapToInt(key::indexOf).toArray();
    this.sections =
        this.prefix == null ? null : new Sections(this.prefix, separator, key, hashedFields);
    this.needsSpans =
        hashedFields.length > 0 || this.prefix != null && !this.prefix.steps().isNone();
    this.slices = this.prefix == null ? Slices.NONE : this.prefix.slices();
    this.codecs = new FieldCodec[key.fields().size()];
    Arrays.setAll(codecs, key::codecOf);
    this.width = (prefix == null ? 0 : prefix.width()) + separator.length;
    this.hashedInPlace =
        hashedFields.length == 1 && slices.isNone() && codecs[hashedFields[0]].isPlain()
            ? hashedFields[0]
            : -1;
  }

  /**
   * Returns a spread of a key.
   *
   * @param prefix the prefix in front of the key; null for none
   * @param separator bytes between prefix and key; empty without a prefix
   */
  public static Spread of(@Nullable Prefix prefix, byte[] separator, Key key) {
    return new Spread(prefix, separator.clone(), key);
  }

  /** The keys that are spread. */
  public Key key() {
    return key;
  }

  /** The prefix in front of the logical key; null for none. */
  public @Nullable Prefix prefix() {
    return prefix;
  }

  /** The positions of the fields that decide the prefix; empty if the whole key does. */
  public int[] hashedFields() {
    return hashedFields.clone();
  }

  /** Bytes in front of the logical key: the prefix and its separator. */
  public int width() {
    return width;
  }

  /** Whether the row contains the logical key unchanged, from {@link #width} on. */
  public boolean isPrefixOnly() {
    return !key.isReversed();
  }

  /** Whether the key does not determine the row, so that a read of one row must ask for several. */
  public boolean isRandom() {
    return prefix != null && prefix.isRandom();
  }

  /**
   * Completes a physical row: writes the prefix into the room that {@code row} leaves in front of a
   * logical key, and turns the reversed parts round.
   *
   * @throws RowException if a field that decides the prefix cannot be found
   */
  public void spreadInPlace(KeyBuffer row) {
    byte[] bytes = row.array();
    int length = row.size() - width;
    writePrefix(bytes, width, length, bytes);
    key.reverse(bytes, width, length);
  }

  /**
   * Puts the prefix into {@code row}, as {@link #spreadInPlace(KeyBuffer)}, but leaves the reversed
   * parts as they are.
   *
   * @param spans where the values of the fields are in {@code row}, as {@link Key#locate} gives it
   * @param scratch emptied, and used if the hashed fields have to be brought together
   */
  public void writePrefix(KeyBuffer row, int[] spans, KeyBuffer scratch) {
    if (prefix != null) {
      byte[] bytes = row.array();
      int variant = prefix.variant(bytes, width, row.size() - width, spans);
      writePrefix(prefix, variant, bytes, width, row.size() - width, spans, scratch, bytes);
    }
  }

  /**
   * Returns the physical row of a logical key.
   *
   * @throws RowException if the bytes do not have the form that the spread depends on
   */
  public byte[] physical(byte[] logical) {
    KeyBuffer row = new KeyBuffer(width() + logical.length);
    row.fill(0, width()).put(logical);
    spreadInPlace(row);
    return row.toArray();
  }

  /**
   * Returns the logical key of a physical row, and checks the prefix.
   *
   * @throws RowException if the row does not begin with the prefix that this spread gives its key:
   *     it was not written under this layout
   */
  public byte[] logical(byte[] row) {
    byte[] logical = logicalInAnyBucket(row);
    int[] spans = needsSpans ? key.locate(logical, 0, logical.length) : NO_SPANS;
    checkPrefix(row, logical, 0, logical.length, spans, new KeyBuffer(0), new KeyBuffer(0));
    return logical;
  }

  /**
   * Returns the logical key of a physical row without checking the prefix.
   *
   * @throws RowException if the row is too short
   */
  public byte[] logicalInAnyBucket(byte[] row) {
    byte[] logical = Arrays.copyOfRange(row, checkWidth(row), row.length);
    key.reverse(logical, 0, logical.length);
    return logical;
  }

  /**
   * Checks that a row is long enough for the prefix.
   *
   * @return {@link #width}
   * @throws RowException if it is not
   */
  public int checkWidth(byte[] row) {
    if (row.length < width) {
      throw new RowException("too short for " + prefix, row, row.length);
    }
    return width;
  }

  /**
   * Checks that a row begins with the prefix that this spread gives its key.
   *
   * @param row the row
   * @param bytes has the row's logical key
   * @param spans where the values of the fields are in {@code bytes}
   * @param expected emptied and used
   * @param scratch emptied and used
   * @throws RowException if it begins with something else: it was not written under this layout
   */
  public void checkPrefix(
      byte[] row,
      byte[] bytes,
      int offset,
      int length,
      int[] spans,
      KeyBuffer expected,
      KeyBuffer scratch) {
    if (prefix == null) {
      return;
    }
    byte[] prefixOfKey = expected.truncate(0).fill(0, width).array();
    if (!prefix.isRandom()) {
      int variant = prefix.variant(bytes, offset, length, spans);
      writePrefix(prefix, variant, bytes, offset, length, spans, scratch, prefixOfKey);
    } else if (prefix.bucket(row).isPresent()) {
      System.arraycopy(row, 0, prefixOfKey, 0, prefix.width());
      System.arraycopy(separator, 0, prefixOfKey, prefix.width(), separator.length);
    } else {
      throw new RowException(prefix + " has no such prefix", row, 0);
    }
    int wrong = Arrays.mismatch(prefixOfKey, 0, width, row, 0, width);
    if (wrong >= 0) {
      throw new RowException(prefix + " gives this key another prefix", row, wrong);
    }
  }

  private void writePrefix(byte[] bytes, int offset, int length, byte[] out) {
    if (prefix != null) {
      int[] spans = needsSpans ? key.locate(bytes, offset, length) : NO_SPANS;
      int variant = prefix.variant(bytes, offset, length, spans);
      writePrefix(prefix, variant, bytes, offset, length, spans, new KeyBuffer(0), out);
    }
  }

  private void writePrefix(
      Prefix writer,
      int variant,
      byte[] bytes,
      int offset,
      int length,
      int[] spans,
      KeyBuffer scratch,
      byte[] out) {
    if (hashedFields.length == 0) {
      writer.write(bytes, offset, length, variant, out, 0);
    } else if (hashedInPlace >= 0) {
      int from = spans[2 * hashedInPlace];
      writer.write(bytes, from, spans[2 * hashedInPlace + 1] - from, variant, out, 0);
    } else {
      // Hashed in ascending form, so that a field keeps its prefix when its direction changes.
      scratch.truncate(0);
      for (int field : hashedFields) {
        if (field == slices.field()) {
          slices.write(bytes, spans[2 * field], spans[2 * field + 1], scratch);
        } else {
          codecs[field].writePlain(bytes, spans[2 * field], spans[2 * field + 1], scratch);
        }
      }
      writer.write(scratch.array(), 0, scratch.size(), variant, out, 0);
    }
    if (separator.length > 0) {
      System.arraycopy(separator, 0, out, writer.width(), separator.length);
    }
  }

  /**
   * Returns the keys of a range that an ordered scan reads first; see {@link
   * io.evenkey.layout.Layout#firstPart}. Also null if parts of keys are reversed.
   */
  public @Nullable KeyRange firstPart(KeyRange logical, boolean reversed) {
    return sections == null || key.isReversed() ? null : sections.firstPart(logical, reversed);
  }

  /**
   * Divides a range of keys into sections with the prefixes that their rows can have: the prefixes
   * of one input if the range fixes everything that decides the prefix, otherwise all.
   *
   * @param inputs the inputs that the prefix can have, if more is known of them than the range
   *     says: the ascending forms of its fields one after the other; empty if not
   * @param stepValues the values that the field with {@link Prefix#steps} can have, as ranges of
   *     their ascending forms; null for all
   * @return sections that together contain every row of the range, none twice; null if there are
   *     more than {@link #MAX_FAN_OUT} prefixes
   */
  public @Nullable List<Section> sections(
      KeyRange logical, List<byte[]> inputs, @Nullable List<KeyRange> stepValues) {
    return sections == null
        ? List.of(new Section(logical, List.of(new byte[0]), List.of()))
        : sections.of(logical, inputs, stepValues);
  }
}
