/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The laws of salts with steps, for so few keys that each of them is checked. That they keep the
 * laws of all layouts, {@link LayoutLawsTest} shows.
 */
class StepsLawsTest {
  private static final int CASES = 2000;

  /** {@code n} has the steps. */
  private static final String[] KEYS = {
    "n:int8",
    "n:int8 desc",
    "n:uint8 + a:bool",
    "n:int8 desc + a:bool desc",
    "a:bool + n:int8",
    "a:bool desc + n:uint8 desc",
    "a:bool + n:int8 desc + b:bool",
    "a:bool + n:int8 + \"-\" + b:bool desc"
  };

  /**
   * A layout.
   *
   * @param counts the number of buckets from each value of n on
   * @param records of all keys there are
   */
  private record Case(
      String key,
      boolean affine,
      int over,
      TreeMap<Integer, Integer> counts,
      List<Values> records) {
    static Case of(SplittableRandom random) {
      String key = KEYS[random.nextInt(KEYS.length)];
      boolean affine = key.contains("a:") && random.nextInt(3) > 0;
      int over = affine && random.nextInt(3) == 0 ? 2 : 1;
      int least = key.contains("uint8") ? 0 : -128;
      TreeMap<Integer, Integer> counts = new TreeMap<>();
      counts.put(least, over + random.nextInt(30));
      for (int i = random.nextInt(4); i >= 0; i--) {
        counts.put(least + 1 + random.nextInt(255), over + random.nextInt(60));
      }
      int before = 0;
      for (Map.Entry<Integer, Integer> step : counts.entrySet()) {
        step.setValue(step.getValue() == before ? before + 1 : step.getValue());
        before = step.getValue();
      }
      List<Values> records = new ArrayList<>();
      for (long n = least; n < least + 256; n++) {
        for (boolean a : key.contains("a:") ? List.of(false, true) : List.of(false)) {
          for (boolean b : key.contains("b:") ? List.of(false, true) : List.of(false)) {
            records.add(Values.of("n", n).and("a", a).and("b", b));
          }
        }
      }
      return new Case(key, affine, over, counts, records);
    }

    Layout layout() {
      StringBuilder line = new StringBuilder(salt(counts.firstEntry().getValue()));
      String comma = over == 1 ? "; " : ", ";
      for (int from : counts.tailMap(counts.firstKey(), false).keySet()) {
        line.append(comma).append(counts.get(from)).append(" from n ").append(from);
        comma = ", ";
      }
      return Layout.parse(line + ") + " + key);
    }

    private String salt(int buckets) {
      return "salt(" + buckets + (affine ? ", a" : "") + (over == 1 ? "" : "; over=" + over);
    }

    int buckets(Values record) {
      return counts.floorEntry(Math.toIntExact((Long) record.get("n"))).getValue();
    }

    Layout ofStep(Values record) {
      return Layout.parse(salt(buckets(record)) + ") + " + key);
    }
  }

  @Test
  void aRowIsThatOfASaltWithTheBucketsOfItsStep() {
    Property.holds(
        CASES / 10,
        (random, size) -> {
          Case some = Case.of(random);
          Layout layout = some.layout();
          Map<Integer, Layout> alone = new TreeMap<>();
          for (Values record : some.records) {
            Layout step = alone.computeIfAbsent(some.buckets(record), n -> some.ofStep(record));
            assertThat(layout.encode(record))
                .as("%s %s", layout, record)
                .isEqualTo(step.encode(record));
          }
        });
  }

  @Test
  void aRangeOpensEachBucketOfTheStepsThatItTouchesOnceAndNoOther() {
    Property.holds(
        CASES,
        (random, size) -> {
          Case some = Case.of(random);
          Layout layout = some.layout();
          byte[] start = layout.logicalKey(some.records.get(random.nextInt(some.records.size())));
          byte[] stop =
              upToN(
                  layout, layout.logicalKey(some.records.get(random.nextInt(some.records.size()))));
          KeyRange range = random.nextInt(9) == 0 ? KeyRange.all() : KeyRange.of(start, stop);
          List<Values> within =
              some.records.stream().filter(r -> range.contains(layout.logicalKey(r))).toList();
          Scatter scatter = layout.scatter(range);
          checkHolds(layout, scatter, within);
          int most = within.stream().mapToInt(some::buckets).max().orElse(0);
          if (some.affine) {
            assertThat(scatter.fanOut()).as("%s %s", layout, range).isLessThanOrEqualTo(most);
          } else {
            int expected = within.size() == 1 && range.onlyKey() != null ? 1 : most;
            assertThat(scatter.fanOut()).as("%s %s", layout, range).isEqualTo(expected);
          }
        });
  }

  // Up to the first key of a value there may be room for bytes that are no key.
  private static byte[] upToN(Layout layout, byte[] key) {
    int steps = layout.key().elementOf(layout.key().indexOf("n")) + 1;
    return Arrays.copyOf(key, layout.key().beginning(key, steps).bytes());
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
              some.records.stream().filter(r -> where.matches(r::get)).toList();
          Scatter scatter = layout.scatter(where);
          checkHolds(layout, scatter, fulfilling);
          boolean fixed = some.affine && some.over == 1 && condition.contains("a = ");
          for (KeyRange opened : scatter.ranges()) {
            int bucket = layout.spread().prefix().bucket(opened.start()).orElseThrow();
            assertThat(fulfilling)
                .as("%s where %s opens %s", layout, condition, opened)
                .anyMatch(
                    record ->
                        fixed
                            ? opened.contains(layout.encode(record))
                            : bucket < some.buckets(record)
                                && opened.contains(inBucket(layout, bucket, record)));
          }
        });
  }

  private static byte[] inBucket(Layout layout, int bucket, Values record) {
    byte[] row = layout.encode(record);
    byte[] prefix = layout.spread().prefix().nth(bucket);
    System.arraycopy(prefix, 0, row, 0, prefix.length);
    return row;
  }

  private static String condition(SplittableRandom random, Case some) {
    List<String> all = new ArrayList<>();
    long n = (Long) some.records.get(random.nextInt(some.records.size())).get("n");
    long other = (Long) some.records.get(random.nextInt(some.records.size())).get("n");
    all.add(
        switch (random.nextInt(6)) {
          case 0 -> "n = " + n;
          case 1 -> "n < " + n;
          case 2 -> "n >= " + n;
          case 3 -> "n in (" + n + ", " + other + ")";
          case 4 -> "n != " + Math.floorDiv(n, 2);
          default -> "n between " + Math.min(n, other) + " and " + Math.max(n, other);
        });
    if (some.key.contains("a:") && random.nextBoolean()) {
      all.add("a = " + random.nextBoolean());
    }
    return String.join(" and ", all);
  }

  private static void checkHolds(Layout layout, Scatter scatter, List<Values> records) {
    for (Values record : records) {
      byte[] row = layout.encode(record);
      Stream<KeyRange> holding = scatter.ranges().stream().filter(range -> range.contains(row));
      assertThat(holding).as("%s has %s once", layout, record).hasSize(1);
    }
  }

  /** Rows of one bucket keep logical order, whatever steps they are of. */
  @Test
  void aBucketIsInOrderAcrossItsSteps() {
    Property.holds(
        CASES / 10,
        (random, size) -> {
          Layout layout = Case.of(random).layout();
          Scatter all = layout.scatter(KeyRange.all());
          assertThat(all.ordered()).isTrue();
          assertThat(all.exact()).isTrue();
          assertThat(all.fanOut()).isEqualTo(layout.buckets().orElseThrow());
        });
  }
}
