package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Xxh3;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.text.Cursor;
import io.evenkey.layout.text.Quoted;
import io.evenkey.layout.text.Span;
import io.evenkey.layout.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

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
 * <p>All but the last may have {@link Steps}: with {@code salt(N; M from field value)}, keys from
 * that value on have M in place of N. The numbers of all steps are written in the width that N has,
 * so that a step that is added leaves the rows before it as they are.
 *
 * @param buckets N, from 1 to 65,536
 * @param fields the hashed fields in the order of hashing, or none for the whole logical key
 * @param random whether the bucket is drawn, and not hashed
 * @param over m, from 1 to N
 * @param form how the number is written
 * @param most the largest number of buckets of all steps
 * @param written the steps as the line has them
 * @param steps the steps, encoded for the key; {@link Steps#NONE} until the key is known
 */
record Salt(
    int buckets,
    List<String> fields,
    boolean random,
    int over,
    BucketForm form,
    int most,
    List<Steps.Written> written,
    Steps steps)
    implements Prefix {
  private static final int MAX_BUCKETS = 65_536;
  private static final String RANDOM = "random";

  Salt {
    fields = List.copyOf(fields);
    written = List.copyOf(written);
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
    List<StepPlace> steps = new ArrayList<>();
    if (cursor.skip(";")) {
      do {
        if (cursor.peek().kind() == Token.Kind.NUMBER) {
          steps.add(StepPlace.read(cursor));
          continue;
        }
        Token option =
            cursor.expectName("an option: as, sep or over; or a step: M from field value");
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
          !seen.isEmpty() || !steps.isEmpty()
              ? "',' or ')'"
              : random
                  ? "';' or ')'"
                  : fields.isEmpty() ? "',' and a field, ';' or ')'" : "',', ';' or ')'");
    }
    Salt salt =
        new Salt(
            buckets,
            fields,
            random,
            over,
            form,
            steps.stream().mapToInt(place -> place.step.buckets()).reduce(buckets, Math::max),
            steps.stream().map(StepPlace::step).toList(),
            Steps.NONE);
    salt.checkSteps(cursor, steps);
    return salt;
  }

  /** A step, and where its number stands. */
  private record StepPlace(Span number, Steps.Written step) {
    static StepPlace read(Cursor cursor) {
      Span number = cursor.peek().span();
      int buckets = cursor.expectNumber("number of buckets", 1, MAX_BUCKETS);
      if (!cursor.skipWord("from")) {
        throw cursor.unexpected(
            "'from', a field and the first value: " + buckets + " from ts 2027-01-01");
      }
      Token field = cursor.expectReference("the field with the step");
      String meaning = "the value of " + field.text() + " that the step begins with";
      Token value = cursor.bareValue(meaning);
      if (value.kind() != Token.Kind.STRING) {
        throw cursor.error(value.span(), "unexpected " + value.shown(), "expected " + meaning);
      }
      return new StepPlace(number, new Steps.Written(buckets, field, value));
    }
  }

  private void checkSteps(Cursor cursor, List<StepPlace> places) {
    int before = buckets;
    for (StepPlace place : places) {
      int count = place.step.buckets();
      Token first = places.get(0).step.field();
      if (random) {
        throw cursor.error(
            place.number,
            "a step in a random salt",
            "the bucket is no function of the key, so that no value of it says how many there are");
      } else if (!place.step.field().text().equals(first.text())) {
        throw cursor.error(
            place.step.field().span(),
            "steps of two fields",
            "expected all steps to be values of " + first.text());
      } else if (count == before) {
        throw cursor.error(
            place.number, "step from " + count + " buckets to as many", "leave it out");
      } else if (count < over) {
        throw cursor.error(
            place.number,
            "step to fewer buckets than rows of one value share: " + count,
            "expected at least over=" + over);
      } else if (!form.holds(count)) {
        throw cursor.error(
            place.number,
            "step to " + count + " buckets, whose numbers are wider than those of " + buckets,
            "the width is the same in all rows, and a step leaves those before it as they are: for"
                + " a new table, write "
                + form.widened(count)
                + "; one that exists has to be migrated to another salt");
      }
      before = count;
    }
  }

  @Override
  public Prefix before(Key key) {
    return new Salt(
        buckets, fields, random, over, form, most, written, Steps.of(buckets, written, key));
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
  public boolean isFree() {
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
    for (int i = 0; i < fields.size(); i++) {
      boolean reserved = i == 0 && fields.get(i).equalsIgnoreCase(RANDOM);
      line.append(", ").append(reserved ? "`" + fields.get(i) + "`" : Quoted.name(fields.get(i)));
    }
    String options = (over == 1 ? "" : ", over=" + over) + form + stepsWritten();
    if (!options.isEmpty()) {
      line.append(";").append(options.substring(1));
    }
    return line.append(")").toString();
  }

  private String stepsWritten() {
    return steps.isNone()
        ? written.stream().map(step -> ", " + step).collect(Collectors.joining())
        : steps.toString();
  }
}
