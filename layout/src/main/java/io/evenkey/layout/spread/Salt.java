/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Xxh3;
import java.util.List;
import java.util.Optional;
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
 * <p>One of the fields may be hashed by {@link Slices}: {@code salt(N, ts every 1s; over=m)} hashes
 * the second and not the value, so that rows of one second share m buckets.
 *
 * <p>All but the last may have {@link Steps}: with {@code salt(N; M from field value)}, keys from
 * that value on have M instead of N. The numbers of all steps are written in the width that N has,
 * so that a step that is added leaves the rows before it as they are.
 *
 * @param line the salt as its line spells it
 * @param most the largest number of buckets of all steps
 * @param steps the steps, encoded for the key
 * @param slices the slices of one of the fields, as the key has it
 */
record Salt(SaltLine line, int most, Steps steps, Slices slices) implements Prefix {
  static final int MAX_BUCKETS = 65_536;

  @Override
  public boolean appendsStepsTo(Prefix before) {
    return before instanceof Salt salt
        && line.spelled("").equals(salt.line.spelled(""))
        && steps.appendsTo(salt.steps);
  }

  @Override
  public Optional<String> spelledWithStep(String step) {
    return isRandom() ? Optional.empty() : Optional.of(line.spelled(steps + ", " + step));
  }

  @Override
  public List<String> fields() {
    return line.fields();
  }

  @Override
  public int width() {
    return line.form().width();
  }

  @Override
  public long count() {
    return most;
  }

  @Override
  public int variants() {
    return line.random() ? line.buckets() : line.over();
  }

  @Override
  public boolean isRandom() {
    return line.random();
  }

  @Override
  public int variant(byte[] key, int offset, int length, int[] spans) {
    if (line.random()) {
      return ThreadLocalRandom.current().nextInt(line.buckets());
    }
    int over = line.over();
    int shared = over == 1 ? 0 : (int) ((Xxh3.hash(key, offset, length) >>> Integer.SIZE) % over);
    return over * steps.stepOf(key, spans) + shared;
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    if (line.random()) {
      line.form().write(variant, out, outOffset);
      return;
    }
    int over = line.over();
    int count = steps.isNone() ? line.buckets() : steps.buckets(variant / over);
    int bucket = hashed(Xxh3.hash(input, offset, length), count);
    if (over > 1) {
      bucket = (bucket + variant % over * (count / over)) % count;
    }
    line.form().write(bucket, out, outOffset);
  }

  // A division takes longer than the hash; for a power of two it is a mask.
  private static int hashed(long hash, int buckets) {
    return (buckets & buckets - 1) == 0
        ? (int) hash & buckets - 1
        : (int) Long.remainderUnsigned(hash, buckets);
  }

  @Override
  public byte[] nth(long index) {
    byte[] prefix = new byte[width()];
    line.form().write((int) index, prefix, 0);
    return prefix;
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    int bucket = line.form().read(row);
    return bucket >= 0 && bucket < most ? OptionalInt.of(bucket) : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return line.spelled(steps.toString());
  }
}
