/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitAlgorithmTest {
  private static List<String> text(SplitPlan plan) {
    return plan.keys().stream().map(k -> new String(k, StandardCharsets.US_ASCII)).toList();
  }

  private static List<String> hex(SplitPlan plan) {
    return plan.keys().stream().map(ByteText::hex).toList();
  }

  @Test
  void boundariesAreThoseOfHBasesAlgorithms() {
    assertThat(text(SplitAlgorithm.HEX.splits(3))).containsExactly("55555555", "aaaaaaaa");
    assertThat(text(SplitAlgorithm.HEX.splits(7)))
        .startsWith("24924924", "49249248", "6db6db6c")
        .endsWith("db6db6d8");
    assertThat(text(SplitAlgorithm.HEX.splits(10))).startsWith("19999999").endsWith("e6666661");
    assertThat(text(SplitAlgorithm.DECIMAL.splits(3))).containsExactly("33333333", "66666666");
    assertThat(text(SplitAlgorithm.DECIMAL.splits(7))).startsWith("14285714").endsWith("85714284");
    assertThat(text(SplitAlgorithm.DECIMAL.splits(16))).startsWith("06250000");
    assertThat(hex(SplitAlgorithm.UNIFORM.splits(3)))
        .containsExactly("5555555555555555", "aaaaaaaaaaaaaaaa");
    assertThat(hex(SplitAlgorithm.UNIFORM.splits(10)))
        .startsWith("1999999999999999")
        .endsWith("e666666666666661");
  }

  @ParameterizedTest
  @ValueSource(strings = {"salt(16)", "salt(100)", "salt(256)", "salt(1000)"})
  void bucketsAreDealtOutEvenly(String salt) {
    Layout layout = Layout.parse(salt + " + s:string");
    int buckets = layout.buckets().orElseThrow();
    for (int regions = 1; regions <= Math.min(buckets, 120); regions++) {
      List<byte[]> keys = layout.splits(regions).keys();
      int[] load = new int[regions];
      for (int bucket = 0; bucket < buckets; bucket++) {
        byte[] row = layout.spread().prefix().nth(bucket);
        int region = 0;
        while (region < keys.size() && Arrays.compareUnsigned(keys.get(region), row) <= 0) {
          region++;
        }
        load[region]++;
      }
      assertThat(Arrays.stream(load).max().orElse(0) - Arrays.stream(load).min().orElse(0))
          .as("%s over %d regions", salt, regions)
          .isLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"md5(s)", "md5(s):HEX", "md5(s)[0..2]:HEX", "md5(s)[3..5]:bytes"})
  void hashPrefixesAreCutEvenlyInTheirOwnDigits(String prefix) {
    Layout layout = Layout.parse(prefix + " + s:string");
    List<byte[]> keys = layout.splits(16).keys();
    int[] load = new int[16];
    for (int i = 0; i < 16_000; i++) {
      byte[] row = layout.encode(Values.of("s", "key-" + i));
      int region = 0;
      while (region < keys.size() && Arrays.compareUnsigned(keys.get(region), row) <= 0) {
        region++;
      }
      load[region]++;
    }
    assertThat(Arrays.stream(load)).as(prefix).allMatch(n -> n > 800 && n < 1200);
  }

  @Test
  void aSampleIsCutIntoEqualCounts() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rows.add(String.format("user-%06d", i * i).getBytes(StandardCharsets.US_ASCII));
    }
    List<byte[]> keys = SplitAlgorithm.bySample(RowSample.of(rows), 10).keys();
    assertThat(keys).hasSize(9);
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.get(i);
      long before = rows.stream().filter(row -> Arrays.compareUnsigned(row, key) < 0).count();
      assertThat(before).isEqualTo(100L * (i + 1));
    }
  }

  @Test
  void repeatedRowsOfASampleStayTogether() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      rows.add("a".getBytes(StandardCharsets.US_ASCII));
    }
    rows.add("b".getBytes(StandardCharsets.US_ASCII));
    rows.add("c".getBytes(StandardCharsets.US_ASCII));
    assertThat(text(SplitAlgorithm.bySample(RowSample.of(rows), 3))).containsExactly("b", "c");
    assertThatThrownBy(() -> SplitAlgorithm.bySample(RowSample.of(rows), 4))
        .isInstanceOf(SplitException.class)
        .hasMessageContaining("sample too small");
  }

  @Test
  void everyBucketIsCutAtTheQuantilesOfItsOwnRows() {
    Layout layout = Layout.parse("salt(4, s; as=digits(2)) + s:string + n:int64");
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(layout.encode(Values.of("s", "d" + i % 7).and("n", (long) i)));
    }
    rows.sort(Arrays::compareUnsigned);
    for (int regions : new int[] {4, 5, 10, 16, 64}) {
      List<byte[]> keys =
          SplitAlgorithm.byBucket(layout.spread(), regions, RowSample.of(rows)).keys();
      assertThat(keys).hasSize(regions - 1).isSortedAccordingTo(Arrays::compareUnsigned);
      assertThat(text(new SplitPlan(SplitAlgorithm.BUCKET, keys))).contains("01", "02", "03");
      for (int bucket = 0; bucket < 4; bucket++) {
        checkEvenInside(layout, bucket, rows, keys);
      }
    }
  }

  private static void checkEvenInside(
      Layout layout, int bucket, List<byte[]> rows, List<byte[]> keys) {
    List<byte[]> own =
        rows.stream()
            .filter(r -> layout.spread().prefix().bucket(r).orElseThrow() == bucket)
            .toList();
    long cuts =
        keys.stream()
            .filter(
                k ->
                    k.length > 2
                        && new String(k, 0, 2, StandardCharsets.US_ASCII).equals("0" + bucket))
            .count();
    int[] load = new int[(int) cuts + 1];
    for (byte[] row : own) {
      load[
          (int)
              keys.stream()
                  .filter(
                      k ->
                          k.length > 2
                              && new String(k, 0, 2, StandardCharsets.US_ASCII)
                                  .equals("0" + bucket))
                  .filter(k -> Arrays.compareUnsigned(k, row) <= 0)
                  .count()]++;
    }
    int mean = own.size() / load.length;
    assertThat(Arrays.stream(load)).allMatch(n -> Math.abs(n - mean) <= 1);
  }

  @Test
  void aRowThatStandsForSeveralWeighsAsMuch() {
    List<byte[]> rows = new ArrayList<>();
    for (String row : List.of("a", "b", "c", "d")) {
      rows.add(row.getBytes(StandardCharsets.US_ASCII));
    }
    RowSample sample = RowSample.weighted(rows, new long[] {100, 101, 102, 200});
    assertThat(text(SplitAlgorithm.bySample(sample, 2))).containsExactly("b");
    sample = RowSample.weighted(rows, new long[] {1, 2, 3, 300});
    assertThat(text(SplitAlgorithm.bySample(sample, 2))).containsExactly("d");
  }

  @Test
  void aSampleThatCannotBeCutIsRefused() {
    assertThatThrownBy(() -> Layout.parse("salt(4) + s:string").splits(5))
        .isInstanceOf(SplitException.class)
        .hasMessageContaining("regions=5 buckets=4");
    assertThatThrownBy(() -> Layout.parse("s:string").splits(5))
        .isInstanceOf(SplitException.class)
        .hasMessageContaining("no buckets");
    assertThatThrownBy(() -> SplitAlgorithm.HEX.splits(0))
        .isInstanceOf(SplitException.class)
        .hasMessageContaining("regions=0");
    RowSample rows = RowSample.of(List.of(new byte[] {'a'}, new byte[] {'b'}));
    for (int regions : new int[] {0, -1, SplitAlgorithm.MAX_REGIONS + 1}) {
      assertThatThrownBy(() -> Layout.parse("salt(4) + s:string").splits(regions))
          .hasMessageContaining("number of regions out of range: regions=" + regions);
      assertThatThrownBy(() -> SplitAlgorithm.bySample(rows, regions))
          .hasMessageContaining("number of regions out of range: regions=" + regions);
    }
  }

  @Test
  void someAlgorithmsNeedOnlyTheNumberOfRegions() {
    assertThat(SplitAlgorithm.values())
        .filteredOn(SplitAlgorithm::needsOnlyCount)
        .containsExactly(SplitAlgorithm.HEX, SplitAlgorithm.DECIMAL, SplitAlgorithm.UNIFORM);
    assertThat(SplitAlgorithm.values())
        .extracting(SplitAlgorithm::toString)
        .containsExactly("hex", "decimal", "uniform", "bucket", "sample");
  }

  @Test
  void aPlanHasOneRegionMoreThanKeys() {
    SplitPlan plan = SplitAlgorithm.DECIMAL.splits(3);
    assertThat(plan.regions()).isEqualTo(3);
    assertThat(plan.toArray()).isDeepEqualTo(plan.keys().toArray(byte[][]::new));
    plan.toArray()[0][0] = 0;
    assertThat(plan).hasToString("decimal[33333333, 66666666]");
  }

  @Test
  void aBucketIsCutByItsOwnRowsAndRefusedWhereItHasTooFew() {
    Layout layout = Layout.parse("salt(2; as=digits(1)) + s:string");
    RowSample beginsAtItsBucket = RowSample.of(rows("0a", "0b", "1", "1b"));
    assertThat(text(SplitAlgorithm.byBucket(layout.spread(), 4, beginsAtItsBucket)))
        .containsExactly("0b", "1", "1b");
    RowSample few = RowSample.of(rows("0a", "0b", "0c", "1a", "1b"));
    assertThatThrownBy(() -> SplitAlgorithm.byBucket(layout.spread(), 6, few))
        .isInstanceOf(SplitException.class)
        .hasMessage(
            "sample too small to cut inside a bucket: regions=6 buckets=2 bucket=1 rows=2; give more"
                + " rows, or ask for at most 2 regions");
    // One bucket that is not cut needs no rows.
    assertThat(text(SplitAlgorithm.byBucket(layout.spread(), 3, RowSample.of(rows("1a", "1b")))))
        .containsExactly("1", "1b");
  }

  private static List<byte[]> rows(String... texts) {
    return Arrays.stream(texts).map(t -> t.getBytes(StandardCharsets.US_ASCII)).toList();
  }
}
