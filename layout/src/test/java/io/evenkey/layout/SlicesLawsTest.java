/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.hash.Xxh3;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The laws of salts with slices, for so few keys that each of them is checked. That they keep the
 * laws of all layouts, {@link LayoutLawsTest} shows.
 */
class SlicesLawsTest {
  private static final int CASES = 400;

  /** {@code n} has the slices. */
  private static final String[] KEYS = {
    "n:int8",
    "n:int8 desc",
    "n:uint8 + a:bool",
    "n:int8 desc + a:bool desc",
    "n:digits(2) + a:bool",
    "n:digits(2) desc",
    "a:bool + n:int8",
    "a:bool desc + n:uint8 desc",
    "a:bool + n:int8 desc + b:bool",
    "a:bool + n:digits(2) + \"-\" + b:bool desc"
  };

  /**
   * A layout.
   *
   * @param affine whether a is hashed too
   * @param records of all keys there are
   */
  private record Case(
      String key, boolean affine, int buckets, int over, long width, List<Values> records) {
    static Case of(SplittableRandom random) {
      String key = KEYS[random.nextInt(KEYS.length)];
      int over = 1 + random.nextInt(4);
      long least = key.contains(":int8") ? -128 : 0;
      long most = key.contains("digits") ? 99 : least + 255;
      List<Values> records = new ArrayList<>();
      for (long n = least; n <= most; n++) {
        for (boolean a : key.contains("a:") ? List.of(false, true) : List.of(false)) {
          for (boolean b : key.contains("b:") ? List.of(false, true) : List.of(false)) {
            records.add(Values.of("n", n).and("a", a).and("b", b));
          }
        }
      }
      boolean affine = key.contains("a:") && random.nextBoolean();
      long width = 2L + random.nextInt(random.nextInt(4) == 0 ? 300 : 40);
      return new Case(key, affine, over + random.nextInt(70), over, width, records);
    }

    Layout layout() {
      return Layout.parse(
          "salt("
              + buckets
              + (affine ? ", a" : "")
              + ", n / "
              + width
              + (over == 1 ? "" : "; over=" + over)
              + ") + "
              + key);
    }

    long slice(Values record) {
      return Math.floorDiv((Long) record.get("n"), width);
    }

    /** The layout that hashes the slice as a field of its own. */
    Layout bySlice() {
      return Layout.parse(
          "salt(" + buckets + (affine ? ", a" : "") + ", slice) + a:bool + slice:int64");
    }

    /** The buckets of a record's slice. */
    List<Integer> shared(Layout bySlice, Values record) {
      byte[] row = bySlice.encode(Values.of("a", record.get("a")).and("slice", slice(record)));
      int first = bySlice.spread().prefix().bucket(row).orElseThrow();
      List<Integer> all = new ArrayList<>();
      for (int j = 0; j < over; j++) {
        all.add((first + j * (buckets / over)) % buckets);
      }
      return all;
    }

    /** Whether enough slices are looked at to know all there can be. */
    boolean isSearched() {
      return 8 * buckets / over + 1 >= 256 / width + 1;
    }
  }

  @Test
  void theSliceLimitsTheBucketsAndTheRestOfTheKeyChoosesOne() {
    Property.holds(
        CASES / 20,
        (random, size) -> {
          Case some = Case.of(random);
          Layout layout = some.layout();
          Layout bySlice = some.bySlice();
          for (Values record : some.records) {
            byte[] key = layout.logicalKey(record);
            int chosen = (int) ((Xxh3.hash(key, 0, key.length) >>> 32) % some.over);
            byte[] row = layout.encode(record);
            assertThat(row[0])
                .as("%s %s", layout, record)
                .isEqualTo(some.shared(bySlice, record).get(chosen).byteValue());
            assertThat(layout.logical(row)).isEqualTo(key);
          }
        });
  }

  @Test
  void aRangeOpensTheBucketsOfItsSlicesOnceAndNoOther() {
    Property.holds(
        CASES,
        (random, size) -> {
          Case some = Case.of(random);
          Layout layout = some.layout();
          byte[] start = layout.logicalKey(some.records.get(random.nextInt(some.records.size())));
          byte[] stop =
              upToN(
                  layout, layout.logicalKey(some.records.get(random.nextInt(some.records.size()))));
          KeyRange range = range(random, start, stop);
          List<Values> within =
              some.records.stream().filter(r -> range.contains(layout.logicalKey(r))).toList();
          boolean fixed = layout.key().indexOf("n") == 0 ? !some.affine : startsAlike(range);
          check(some, layout, layout.scatter(range), within, fixed);
        });
  }

  @Test
  void theFirstPartOfARangeHasTheKeysOfItsFirstSliceThatHasAny() {
    Property.holds(
        CASES,
        0.2,
        0.9,
        (random, size) -> {
          Case some = Case.of(random);
          Layout layout = some.layout();
          byte[] start = layout.logicalKey(some.records.get(random.nextInt(some.records.size())));
          byte[] stop = layout.logicalKey(some.records.get(random.nextInt(some.records.size())));
          KeyRange range = range(random, start, stop);
          boolean reversed = random.nextBoolean();
          KeyRange part = layout.firstPart(range, reversed);
          if (part == null) {
            return false;
          }
          KeyRange rest =
              reversed
                  ? KeyRange.of(range.start(), part.start())
                  : KeyRange.of(part.stop(), range.stop());
          assertThat(reversed ? part.stop() : part.start())
              .isEqualTo(reversed ? range.stop() : range.start());
          assertThat(part.intersection(range)).isEqualTo(part);
          assertThat(rest.isEmpty()).as("%s of %s is a part", part, range).isFalse();
          List<Values> inPart = inside(some, layout, part);
          assertThat(inPart.stream().map(some::slice).distinct()).hasSizeLessThanOrEqualTo(1);
          assertThat(inPart.size() + inside(some, layout, rest).size())
              .isEqualTo(inside(some, layout, range).size());
          check(some, layout, layout.scatter(part), inPart, true);
          return true;
        });
  }

  private static List<Values> inside(Case some, Layout layout, KeyRange range) {
    return some.records.stream().filter(r -> range.contains(layout.logicalKey(r))).toList();
  }

  private static KeyRange range(SplittableRandom random, byte[] start, byte[] stop) {
    return switch (random.nextInt(12)) {
      case 0 -> KeyRange.of(new byte[0], stop);
      case 1 -> KeyRange.of(start, new byte[0]);
      case 2 -> KeyRange.of(Arrays.copyOf(start, 1), Arrays.copyOf(stop, 1));
      default -> KeyRange.of(start, stop);
    };
  }

  @Test
  void aConditionOpensNoBucketThatCannotHaveARow() {
    Property.holds(
        CASES,
        (random, size) -> {
          Case some = Case.of(random);
          Layout layout = some.layout();
          String condition = condition(random, some);
          Where where = layout.where(condition);
          List<Values> fulfilling =
              some.records.stream()
                  .filter(r -> where.matches(name -> value(layout, r, name)))
                  .toList();
          boolean known = !some.affine || condition.contains("a = ");
          check(some, layout, layout.scatter(where), fulfilling, known);
        });
  }

  // Up to the first key of a value there may be room for bytes that are no key.
  private static byte[] upToN(Layout layout, byte[] key) {
    int steps = layout.key().elementOf(layout.key().indexOf("n")) + 1;
    return Arrays.copyOf(key, layout.key().beginning(key, steps).bytes());
  }

  private static boolean startsAlike(KeyRange range) {
    return !range.isOpenEnded() && range.start().length > 0 && range.start()[0] == range.stop()[0];
  }

  private static Object value(Layout layout, Values record, String field) {
    return layout.fields().get(layout.key().indexOf(field)).convert(record.get(field));
  }

  private static String condition(SplittableRandom random, Case some) {
    List<String> all = new ArrayList<>();
    long n = (Long) some.records.get(random.nextInt(some.records.size())).get("n");
    long other = (Long) some.records.get(random.nextInt(some.records.size())).get("n");
    all.add(
        switch (random.nextInt(5)) {
          case 0 -> "n = " + n;
          case 1 -> "n < " + n;
          case 2 -> "n >= " + n;
          case 3 -> "n in (" + n + ", " + other + ")";
          default -> "n between " + Math.min(n, other) + " and " + Math.max(n, other);
        });
    if (some.key.contains("a:") && random.nextBoolean()) {
      all.add("a = " + random.nextBoolean());
    }
    return String.join(" and ", all);
  }

  /**
   * Checks that the scatter has each record once, and no bucket that none of them can be in.
   *
   * @param known whether what is hashed besides n is known
   */
  private static void check(
      Case some, Layout layout, Scatter scatter, List<Values> records, boolean known) {
    for (Values record : records) {
      byte[] row = layout.encode(record);
      Stream<KeyRange> holding = scatter.ranges().stream().filter(range -> range.contains(row));
      assertThat(holding).as("%s has %s once", layout, record).hasSize(1);
    }
    assertThat(scatter.ordered() && scatter.exact()).isTrue();
    if (records.size() > 1 && known && some.isSearched()) {
      Set<Integer> possible = new HashSet<>();
      Layout bySlice = some.bySlice();
      records.forEach(record -> possible.addAll(some.shared(bySlice, record)));
      for (KeyRange opened : scatter.ranges()) {
        int bucket = layout.spread().prefix().bucket(opened.start()).orElseThrow();
        assertThat(possible).as("%s opens %s", layout, opened).contains(bucket);
      }
    }
  }
}
