/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Hash;
import io.evenkey.layout.hash.Hashes;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.token.Cursor;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * {@code md5(field…)[a..b]:hex} and its like: a hash of some fields, written as hex digits or as
 * bytes, from character {@code a} up to before {@code b} of the written form.
 *
 * @param hash the hash
 * @param fields the hashed fields in the order of hashing
 * @param form the form of the hash in the row
 * @param from first character (or byte) of the slice
 * @param to end of the slice, exclusive
 */
record HashPrefix(Hash hash, List<String> fields, Form form, int from, int to)
    implements Prefix, ParsedPrefix {
  /** The form of a hash in the row. */
  enum Form {
    /** Two lower-case digits a byte. */
    HEX("hex", 2, HexFormat.of()),
    /** Two upper-case digits a byte. */
    UPPER_HEX("HEX", 2, HexFormat.of().withUpperCase()),
    /** The bytes of the hash, unchanged. */
    BYTES("bytes", 1, HexFormat.of());

    private final String spelled;
    private final int charactersPerByte;

    @SuppressWarnings("ImmutableEnumChecker") // a value-based class of the platform, immutable
    private final HexFormat digits;

    Form(String spelled, int charactersPerByte, HexFormat digits) {
      this.spelled = spelled;
      this.charactersPerByte = charactersPerByte;
      this.digits = digits;
    }

    /** The bits of the hash that a byte in the row has. */
    private int bits() {
      return this == BYTES ? 8 : 4;
    }

    /** One byte of the row: of a value, the lowest bits. */
    private byte digit(int value) {
      return this == BYTES ? (byte) value : (byte) digits.toLowHexDigit(value);
    }
  }

  // A digest of a hash prefix lives as long as it takes to copy a slice of it.
  private static final int LONGEST_DIGEST = 64;
  private static final ThreadLocal<byte[]> DIGEST =
      ThreadLocal.withInitial(() -> new byte[LONGEST_DIGEST]);

  HashPrefix {
    fields = List.copyOf(fields);
  }

  static ParsedPrefix read(String name, Cursor cursor) {
    Hash hash = Objects.requireNonNull(Hashes.named(name), name);
    cursor.expect("(");
    List<String> fields = Prefixes.fieldNames(cursor, field -> SliceWidth.refuse(cursor, name));
    Prefixes.refuseSteps(cursor, name, "a hash has no number of buckets that could change");
    if (!cursor.skip(")")) {
      throw cursor.unexpected("',' or ')'");
    }
    // The slice is written before the form, but its bounds depend on it.
    int from = 0;
    int to = -1;
    var slice = cursor.peek().span();
    if (cursor.skip("[")) {
      from = cursor.expectNumber("start of the slice", 0, 2 * hash.width() - 1);
      cursor.expect("..");
      to = cursor.expectNumber("end of the slice, exclusive", from + 1, 2 * hash.width());
      cursor.expect("]");
      slice = cursor.since(slice);
    }
    Form form = cursor.skip(":") ? form(cursor) : Form.HEX;
    int written = hash.width() * form.charactersPerByte;
    if (to > written) {
      throw cursor.error(
          slice,
          "slice past the end of " + name + " as " + form.spelled,
          "expected an end of at most " + written);
    }
    return new HashPrefix(hash, fields, form, from, to < 0 ? written : to);
  }

  private static Form form(Cursor cursor) {
    var word = cursor.expectName("how the hash is written: hex, HEX or bytes");
    for (Form form : Form.values()) {
      if (form.spelled.equals(word.text())) {
        return form;
      }
    }
    throw cursor.unknown("form of a hash", word, List.of("hex", "HEX", "bytes"));
  }

  @Override
  public Prefix before(Key key) {
    return this;
  }

  @Override
  public int width() {
    return to - from;
  }

  @Override
  public long count() {
    int bits = form.bits() * width();
    return bits < Long.SIZE - 1 ? 1L << bits : Long.MAX_VALUE;
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    byte[] digest = DIGEST.get();
    hash.digest(input, offset, length, digest, 0);
    if (form == Form.BYTES) {
      System.arraycopy(digest, from, out, outOffset, width());
      return;
    }
    for (int i = from; i < to; i++) {
      // The even digits of the written form are the upper halves of the bytes.
      out[outOffset + i - from] = form.digit(digest[i / 2] >>> (i % 2 == 0 ? 4 : 0));
    }
  }

  @Override
  public byte[] nth(long index) {
    return digits(index, width());
  }

  @Override
  public byte[] boundary(int index, int regions) {
    // As few digits as tell a million regions apart; the rest of the hash plays no part.
    int digits = Math.min(width(), form == Form.BYTES ? 4 : 8);
    return digits(((long) index << form.bits() * digits) / regions, digits);
  }

  private byte[] digits(long number, int count) {
    byte[] written = new byte[count];
    long rest = number;
    for (int i = count - 1; i >= 0; i--) {
      written[i] = form.digit((int) rest);
      rest >>>= form.bits();
    }
    return written;
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    return OptionalInt.empty();
  }

  @Override
  public String toString() {
    String slice =
        width() == hash.width() * form.charactersPerByte ? "" : "[" + from + ".." + to + "]";
    return fields.stream()
            .map(Quoted::name)
            .collect(Collectors.joining(", ", hash.name() + "(", ")"))
        + slice
        + (form == Form.HEX ? "" : ":" + form.spelled);
  }
}
