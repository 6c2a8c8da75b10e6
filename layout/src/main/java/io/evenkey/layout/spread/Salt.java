package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Xxh3;
import io.evenkey.layout.text.Cursor;
import io.evenkey.layout.text.Quoted;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * {@code salt(N)} and {@code salt(N, field…)}: the number of one of N buckets, chosen by a hash.
 *
 * <p>The bucket is {@code XXH3-64(input) mod N}, the hash taken as an unsigned number, so it is
 * never negative. It takes one byte for N up to 256 and two, most significant first, above. With
 * fields named (an <em>affine</em> salt), only they are hashed: all rows that agree on them share a
 * bucket, and a scan that fixes them reads one range instead of N.
 *
 * @param buckets N, from 1 to 65,536
 * @param fields the hashed fields in the order of hashing, or none for the whole logical key
 */
record Salt(int buckets, List<String> fields) implements Prefix {
  static final int MAX_BUCKETS = 65_536;

  Salt {
    fields = List.copyOf(fields);
  }

  static Prefix read(Cursor cursor) {
    cursor.expect("(");
    int buckets = cursor.expectNumber("number of buckets", 1, MAX_BUCKETS);
    List<String> fields = cursor.skip(",") ? Prefixes.fieldNames(cursor) : List.of();
    if (!cursor.skip(")")) {
      throw cursor.unexpected(fields.isEmpty() ? "',' and a field, or ')'" : "',' or ')'");
    }
    return new Salt(buckets, fields);
  }

  @Override
  public int width() {
    return buckets <= 256 ? 1 : 2;
  }

  @Override
  public long count() {
    return buckets;
  }

  @Override
  public void write(byte[] input, int offset, int length, byte[] out, int outOffset) {
    put((int) Long.remainderUnsigned(Xxh3.hash(input, offset, length), buckets), out, outOffset);
  }

  @Override
  public byte[] nth(long index) {
    byte[] prefix = new byte[width()];
    put((int) index, prefix, 0);
    return prefix;
  }

  @Override
  public byte[] boundary(int index, int regions) {
    return nth((long) index * buckets / regions);
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    int bucket = row[0] & 0xff;
    return OptionalInt.of(width() == 1 ? bucket : bucket << 8 | row[1] & 0xff);
  }

  private void put(int bucket, byte[] out, int at) {
    if (width() == 2) {
      out[at++] = (byte) (bucket >>> 8);
    }
    out[at] = (byte) bucket;
  }

  @Override
  public String toString() {
    return fields.stream()
        .map(name -> ", " + Quoted.name(name))
        .collect(Collectors.joining("", "salt(" + buckets, ")"));
  }
}
