/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.hash.ArrayHash;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.token.Cursor;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code hbasewd_salt(N)}: the prefix byte of HBaseWD's {@code RowKeyDistributorByHashPrefix} with
 * {@code OneByteSimpleHash}: {@code |h| % N} of {@link ArrayHash} over the whole key.
 *
 * <p>Where h is the least of all integers, it has no absolute value, and the byte comes out as
 * {@code h % N}, negative. It is written as HBaseWD writes it, and read as well: HBaseWD's own
 * scans miss those rows.
 *
 * <p>{@code hbasewd_salt(N, rotating)} is {@code RowKeyDistributorByOneBytePrefix}, which deals
 * rows out in turn, beginning with bucket 0.
 */
final class HBaseWdSalt implements Prefix, ParsedPrefix {
  private static final String ROTATING = "rotating";

  private final int buckets;
  private final boolean rotating;
  private final int negativePrefix;

  // Which bucket comes next matters to the writer only.
  private final AtomicInteger turn = new AtomicInteger();

  private HBaseWdSalt(int buckets, boolean rotating) {
    this.buckets = buckets;
    this.rotating = rotating;
    int negative = Integer.MIN_VALUE % buckets & 0xff;
    this.negativePrefix = rotating || negative < buckets ? -1 : negative;
  }

  static ParsedPrefix read(Cursor cursor) {
    cursor.expect("(");
    int buckets = cursor.expectNumber("number of buckets", 1, 256);
    boolean rotating = cursor.skip(",");
    if (rotating && !cursor.skipWord(ROTATING)) {
      throw cursor.unexpected("'" + ROTATING + "'");
    }
    Prefixes.refuseSteps(
        cursor, "hbasewd_salt", "HBaseWD distributes every row over the same number of buckets");
    if (!cursor.skip(")")) {
      throw cursor.unexpected(rotating ? "')'" : "',' and 'rotating', or ')'");
    }
    return new HBaseWdSalt(buckets, rotating);
  }

  @Override
  public List<String> fields() {
    return List.of();
  }

  @Override
  public Prefix before(Key key) {
    return this;
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public long count() {
    return buckets;
  }

  @Override
  public int variants() {
    return rotating ? buckets : 1;
  }

  @Override
  public boolean isRandom() {
    return rotating;
  }

  @Override
  public int variant(byte[] key, int offset, int length, int[] spans) {
    return rotating ? turn.getAndUpdate(last -> (last + 1) % buckets) : 0;
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    out[outOffset] =
        (byte) (rotating ? variant : Math.abs(ArrayHash.hash(input, offset, length)) % buckets);
  }

  @Override
  public byte[] nth(long index) {
    return new byte[] {(byte) index};
  }

  @Override
  public List<byte[]> extraPrefixes() {
    return negativePrefix < 0 ? List.of() : List.of(new byte[] {(byte) negativePrefix});
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    return row.length > 0 && (row[0] & 0xff) < buckets
        ? OptionalInt.of(row[0] & 0xff)
        : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return "hbasewd_salt(" + buckets + (rotating ? ", " + ROTATING : "") + ")";
  }
}
