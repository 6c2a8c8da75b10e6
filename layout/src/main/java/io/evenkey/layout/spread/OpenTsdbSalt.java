/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.hash.ArrayHash;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.key.PartProblem;
import io.evenkey.layout.token.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * {@code opentsdb_salt(W, N)}: the salt of OpenTSDB with a salt width of W bytes and N buckets, in
 * front of {@code metric:bytes(3) + base:uint32 + tags:bytes} and its like. The bucket is {@code |h
 * % N|} of {@link ArrayHash} over all but the second field, the base time; 0 where the metric's UID
 * is all zeros.
 *
 * @param width W, from 1 to 4
 * @param buckets N, from 1 to 65,536
 * @param fields all fields of the key but the second
 * @param metricWidth bytes of the metric's UID
 */
record OpenTsdbSalt(int width, int buckets, List<String> fields, int metricWidth)
    implements Prefix {
  OpenTsdbSalt {
    fields = List.copyOf(fields);
  }

  static ParsedPrefix read(Cursor cursor) {
    cursor.expect("(");
    int width = cursor.expectNumber("salt width in bytes", 1, 4);
    cursor.expect(",");
    int most = width == 1 ? 256 : 65_536;
    int buckets = cursor.expectNumber("number of buckets", 1, most);
    Prefixes.refuseSteps(
        cursor, "opentsdb_salt", "OpenTSDB salts every row by the same number of buckets");
    cursor.expect(")");
    return new Line(width, buckets);
  }

  /** The salt as a layout line spells it: it hashes what the keys have, whatever the names. */
  private record Line(int width, int buckets) implements ParsedPrefix {
    @Override
    public Prefix before(Key key) {
      List<Field> all = key.fields();
      if (all.size() < 3
          || all.get(0).type().width() < 0
          || all.get(1).type().width() != Integer.BYTES
          || key.isReversed()) {
        throw new PartProblem(
            new Part.Value(all.get(0)),
            "not a key of OpenTSDB",
            "expected metric:bytes(3) + base:uint32 + tags:bytes, or UIDs of another width");
      }
      List<String> hashed = new ArrayList<>(all.stream().map(Field::name).toList());
      hashed.remove(1);
      return new OpenTsdbSalt(width, buckets, hashed, all.get(0).type().width());
    }

    @Override
    public String toString() {
      return "opentsdb_salt(" + width + ", " + buckets + ")";
    }
  }

  @Override
  public long count() {
    return buckets;
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    int metric = 0;
    for (int i = offset; i < offset + metricWidth; i++) {
      metric |= input[i];
    }
    put(
        metric == 0 ? 0 : Math.abs(ArrayHash.hash(input, offset, length) % buckets),
        out,
        outOffset);
  }

  private void put(int bucket, byte[] out, int at) {
    for (int i = 0; i < width; i++) {
      out[at + i] = (byte) (bucket >>> 8 * (width - 1 - i));
    }
  }

  @Override
  public byte[] nth(long index) {
    byte[] prefix = new byte[width];
    put((int) index, prefix, 0);
    return prefix;
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    if (row.length < width) {
      return OptionalInt.empty();
    }
    long bucket = 0;
    for (int i = 0; i < width; i++) {
      bucket = bucket << 8 | row[i] & 0xff;
    }
    return bucket < buckets ? OptionalInt.of((int) bucket) : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return new Line(width, buckets).toString();
  }
}
