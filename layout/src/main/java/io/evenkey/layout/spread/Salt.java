package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Xxh3;
import io.evenkey.layout.text.Cursor;
import io.evenkey.layout.text.Quoted;
import io.evenkey.layout.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/**
 * {@code salt(N)} and its variations: the number of one of N buckets.
 *
 * <ul>
 *   <li>{@code salt(N)}: the bucket is {@code XXH3-64(logical key) mod N}, the hash taken as an
 *       unsigned number, so it is never negative.
 *   <li>{@code salt(N, field…)}, an <em>affine</em> salt: only the fields are hashed. All rows that
 *       agree on them share a bucket, and a scan that fixes them reads one range instead of N.
 *   <li>{@code salt(N, field…; over=m)}, a <em>bounded</em> one: rows that agree on the fields
 *       share m buckets. With b the bucket of the affine salt, they are {@code (b + j·⌊N/m⌋) mod N}
 *       for the j below m, as far from each other as can be; j is the upper half of {@code
 *       XXH3-64(logical key)}, unsigned, modulo m. For an entity too hot for one bucket.
 *   <li>{@code salt(N, random)}: any bucket. A read of one row asks all N.
 * </ul>
 *
 * @param buckets N, from 1 to 65,536
 * @param fields the hashed fields in the order of hashing, or none for the whole logical key
 * @param random whether the bucket is drawn, and not hashed
 * @param over m, from 1 to N
 * @param form how the number is written
 */
record Salt(int buckets, List<String> fields, boolean random, int over, BucketForm form)
    implements Prefix {
  private static final int MAX_BUCKETS = 65_536;
  private static final String RANDOM = "random";

  Salt {
    fields = List.copyOf(fields);
  }

  static Prefix read(Cursor cursor) {
    cursor.expect("(");
    int buckets = cursor.expectNumber("number of buckets", 1, MAX_BUCKETS);
    boolean random = false;
    List<String> fields = List.of();
    if (cursor.skip(",")) {
      // Between backquotes, it is a field of that name.
      random = cursor.peek().isWord(RANDOM) && cursor.peek().span().length() == RANDOM.length();
      if (random) {
        cursor.next();
      } else {
        fields = Prefixes.fieldNames(cursor);
      }
    }
    BucketForm form = BucketForm.bytes(buckets);
    int over = 1;
    List<String> seen = new ArrayList<>();
    if (cursor.skip(";")) {
      do {
        Token option = cursor.expectName("an option: as, sep or over");
        if (seen.contains(option.text())) {
          throw cursor.error(option.span(), "option '" + option.text() + "' stands twice", null);
        }
        seen.add(option.text());
        if (!List.of("as", "sep", "over").contains(option.text())) {
          throw cursor.unknown("option of a salt", option, List.of("as", "over", "sep"));
        }
        cursor.expect("=");
        switch (option.text()) {
          case "as" -> form = form.readStyle(cursor, buckets);
          case "sep" -> form = form.readSeparator(cursor);
          default -> {
            if (fields.isEmpty()) {
              throw cursor.error(
                  option.span(),
                  "over without fields",
                  "expected the fields whose rows are to share that many buckets: salt("
                      + buckets
                      + ", field; over=m)");
            }
            over = cursor.expectNumber("buckets that rows of one value share", 1, buckets);
          }
        }
      } while (cursor.skip(","));
    }
    if (!cursor.skip(")")) {
      throw cursor.unexpected(
          !seen.isEmpty()
              ? "',' or ')'"
              : random
                  ? "';' or ')'"
                  : fields.isEmpty() ? "',' and a field, ';' or ')'" : "',', ';' or ')'");
    }
    return new Salt(buckets, fields, random, over, form);
  }

  @Override
  public int width() {
    return form.width();
  }

  @Override
  public long count() {
    return buckets;
  }

  @Override
  public int variants() {
    return random ? buckets : over;
  }

  @Override
  public boolean isFree() {
    return random;
  }

  @Override
  public int variant(byte[] key, int offset, int length) {
    if (random) {
      return ThreadLocalRandom.current().nextInt(buckets);
    }
    return over == 1 ? 0 : (int) ((Xxh3.hash(key, offset, length) >>> Integer.SIZE) % over);
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    int bucket = random ? variant : hashed(Xxh3.hash(input, offset, length));
    if (over > 1) {
      bucket = (bucket + variant * (buckets / over)) % buckets;
    }
    form.write(bucket, out, outOffset);
  }

  // A division takes longer than the hash; for a power of two it is a mask.
  private int hashed(long hash) {
    return (buckets & buckets - 1) == 0
        ? (int) hash & buckets - 1
        : (int) Long.remainderUnsigned(hash, buckets);
  }

  @Override
  public byte[] nth(long index) {
    byte[] prefix = new byte[width()];
    form.write((int) index, prefix, 0);
    return prefix;
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    int bucket = form.read(row);
    return bucket >= 0 && bucket < buckets ? OptionalInt.of(bucket) : OptionalInt.empty();
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder("salt(").append(buckets);
    if (random) {
      line.append(", ").append(RANDOM);
    }
    for (int i = 0; i < fields.size(); i++) {
      boolean reserved = i == 0 && fields.get(i).equalsIgnoreCase(RANDOM);
      line.append(", ").append(reserved ? "`" + fields.get(i) + "`" : Quoted.name(fields.get(i)));
    }
    String options = (over == 1 ? "" : ", over=" + over) + form;
    if (!options.isEmpty()) {
      line.append(";").append(options.substring(1));
    }
    return line.append(")").toString();
  }
}
