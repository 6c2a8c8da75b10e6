/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.hash.ArrayHash;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.KeyForm;
import io.evenkey.layout.token.Cursor;
import java.util.List;
import java.util.OptionalInt;

/**
 * {@code phoenix_salt(N)}: the salt byte of a Phoenix table with SALT_BUCKETS=N, and Phoenix's
 * rules for the key behind it. The bucket is {@code |h % N|} of {@link ArrayHash} over the whole
 * key. {@code phoenix_salt(0)} is a Phoenix table without salt.
 *
 * @param buckets N, from 0 to 256
 */
record PhoenixSalt(int buckets) implements Prefix, ParsedPrefix {
  static ParsedPrefix read(Cursor cursor) {
    cursor.expect("(");
    int buckets = cursor.expectNumber("SALT_BUCKETS", 0, 256);
    Prefixes.refuseSteps(
        cursor, "phoenix_salt", "Phoenix salts every row by the same SALT_BUCKETS");
    cursor.expect(")");
    return new PhoenixSalt(buckets);
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
    return buckets == 0 ? 0 : 1;
  }

  @Override
  public long count() {
    return Math.max(1, buckets);
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    if (buckets > 0) {
      out[outOffset] = (byte) Math.abs(ArrayHash.hash(input, offset, length) % buckets);
    }
  }

  @Override
  public byte[] nth(long index) {
    return buckets == 0 ? new byte[0] : new byte[] {(byte) index};
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    return buckets > 0 && row.length > 0 && (row[0] & 0xff) < buckets
        ? OptionalInt.of(row[0] & 0xff)
        : OptionalInt.empty();
  }

  @Override
  public KeyForm keyForm() {
    return KeyForm.PHOENIX;
  }

  @Override
  public String toString() {
    return "phoenix_salt(" + buckets + ")";
  }
}
