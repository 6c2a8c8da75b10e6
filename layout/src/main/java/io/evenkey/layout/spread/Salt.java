/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Xxh3;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.message.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
 * @param buckets N, from 1 to 65,536
 * @param fields the hashed fields in the order of hashing, or none for the whole logical key
 * @param random whether the bucket is drawn, and not hashed
 * @param over m, from 1 to N
 * @param form the form of the number in the row
 * @param most the largest number of buckets of all steps
 * @param written steps and slices as the line has them
 * @param steps the steps, encoded for the key; {@link Steps#NONE} until the key is known
 * @param slices the slices, as the key has them; {@link Slices#NONE} until the key is known
 */
record Salt(
    int buckets,
    List<String> fields,
    boolean random,
    int over,
    BucketForm form,
    int most,
    Written written,
    Steps steps,
    Slices slices)
    implements Prefix {
  static final int MAX_BUCKETS = 65_536;
  static final String RANDOM = "random";

  Salt {
    fields = List.copyOf(fields);
  }

  /**
   * Steps and slices as the line has them.
   *
   * @param steps the steps
   * @param slices the width of the slices of one of the fields, or null
   */
  record Written(List<Steps.Written> steps, @Nullable SliceWidth slices) {
    Written {
      steps = List.copyOf(steps);
    }

    int most(int buckets) {
      return steps.stream().mapToInt(Steps.Written::buckets).reduce(buckets, Math::max);
    }
  }

  @Override
  public boolean appendsStepsTo(Prefix before) {
    return before instanceof Salt salt
        && withoutSteps().toString().equals(salt.withoutSteps().toString())
        && steps.appendsTo(salt.steps);
  }

  @Override
  public Optional<String> spelledWithStep(String step) {
    String line = toString();
    return random
        ? Optional.empty()
        : Optional.of(
            line.substring(0, line.length() - 1)
                + (options().isEmpty() ? "; " : ", ")
                + step
                + ")");
  }

  private Salt withoutSteps() {
    Written kept = new Written(List.of(), written.slices);
    return new Salt(buckets, fields, random, over, form, buckets, kept, Steps.NONE, slices);
  }

  @Override
  public Prefix before(Key key) {
    Slices sliced = Slices.of(written.slices, key);
    Steps stepped = Steps.of(buckets, written.steps, key);
    return new Salt(buckets, fields, random, over, form, most, written, stepped, sliced);
  }

  @Override
  public int width() {
    return form.width();
  }

  @Override
  public long count() {
    return most;
  }

  @Override
  public int variants() {
    return random ? buckets : over;
  }

  @Override
  public boolean isRandom() {
    return random;
  }

  @Override
  public int variant(byte[] key, int offset, int length, int[] spans) {
    if (random) {
      return ThreadLocalRandom.current().nextInt(buckets);
    }
    int shared = over == 1 ? 0 : (int) ((Xxh3.hash(key, offset, length) >>> Integer.SIZE) % over);
    return over * steps.stepOf(key, spans) + shared;
  }

  @Override
  public void write(byte[] input, int offset, int length, int variant, byte[] out, int outOffset) {
    if (random) {
      form.write(variant, out, outOffset);
      return;
    }
    int count = steps.isNone() ? buckets : steps.buckets(variant / over);
    int bucket = hashed(Xxh3.hash(input, offset, length), count);
    if (over > 1) {
      bucket = (bucket + variant % over * (count / over)) % count;
    }
    form.write(bucket, out, outOffset);
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
    form.write((int) index, prefix, 0);
    return prefix;
  }

  @Override
  public OptionalInt bucket(byte[] row) {
    int bucket = form.read(row);
    return bucket >= 0 && bucket < most ? OptionalInt.of(bucket) : OptionalInt.empty();
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder("salt(").append(buckets);
    if (random) {
      line.append(", ").append(RANDOM);
    }
    SliceWidth sliced = written.slices;
    for (int i = 0; i < fields.size(); i++) {
      boolean reserved = i == 0 && fields.get(i).equalsIgnoreCase(RANDOM);
      line.append(", ").append(reserved ? "`" + fields.get(i) + "`" : Quoted.name(fields.get(i)));
      if (sliced != null && sliced.field().text().equals(fields.get(i))) {
        line.append(sliced);
      }
    }
    String options = options();
    if (!options.isEmpty()) {
      line.append(";").append(options.substring(1));
    }
    return line.append(")").toString();
  }

  private String options() {
    return (over == 1 ? "" : ", over=" + over) + form + stepsWritten();
  }

  private String stepsWritten() {
    return steps.isNone()
        ? written.steps.stream().map(step -> ", " + step).collect(Collectors.joining())
        : steps.toString();
  }
}
