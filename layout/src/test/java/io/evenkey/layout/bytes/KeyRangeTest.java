/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyRangeTest {
  private static byte[] bytes(String hex) {
    return ByteText.fromHex(hex);
  }

  private static KeyRange range(String start, String stop) {
    return KeyRange.of(bytes(start), bytes(stop));
  }

  @Test
  void aPrefixOfAllFfHasNoEnd() {
    assertThat(KeyRange.afterPrefix(bytes("61ffff"))).isEqualTo(bytes("62"));
    assertThat(KeyRange.afterPrefix(bytes("ffff"))).isEmpty();
    assertThat(KeyRange.prefix(bytes("ff")).isOpenEnded()).isTrue();
    assertThat(KeyRange.prefix(bytes("ff")).contains(bytes("ffff00"))).isTrue();
  }

  @Test
  void aPointHoldsItsKeyOnly() {
    KeyRange point = KeyRange.point(bytes("6100"));
    assertThat(point.contains(bytes("6100"))).isTrue();
    assertThat(point.contains(bytes("610000"))).isFalse();
    assertThat(point.onlyKey()).isEqualTo(bytes("6100"));
    assertThat(range("61", "6101").onlyKey()).isNull();
    assertThat(KeyRange.all().onlyKey()).isNull();
  }

  @Test
  void theCommonPrefixIsAsLongAsItCanBe() {
    assertThat(range("6162", "6164").commonPrefix()).isEqualTo(bytes("61"));
    assertThat(range("6162", "6163").commonPrefix()).isEqualTo(bytes("6162"));
    assertThat(range("6162ff01", "6163").commonPrefix()).isEqualTo(bytes("6162ff"));
    assertThat(range("6162", "616299").commonPrefix()).isEqualTo(bytes("6162"));
    assertThat(range("ffff61", "").commonPrefix()).isEqualTo(bytes("ffff"));
    assertThat(KeyRange.all().commonPrefix()).isEmpty();
  }

  @Test
  void underAPrefixTheRangeStaysInsideIt() {
    assertThat(KeyRange.all().under(bytes("05"))).isEqualTo(range("05", "06"));
    assertThat(range("61", "").under(bytes("ff"))).isEqualTo(range("ff61", ""));
    assertThat(range("61", "62").under(bytes("05"))).isEqualTo(range("0561", "0562"));
  }

  @Test
  void aStartAtOrAfterTheStopIsNoKeyAtAll() {
    assertThat(range("62", "61")).isEqualTo(KeyRange.none());
    assertThat(range("61", "61").isEmpty()).isTrue();
    assertThat(KeyRange.none().contains(bytes("00"))).isFalse();
  }

  @Test
  void unionsAndIntersectionsHoldTheKeysThatTheyShould() {
    List<byte[]> keys =
        Stream.of("", "00", "0000", "01", "0100", "01ff", "ff", "ff00", "ffff")
            .map(KeyRangeTest::bytes)
            .toList();
    List<KeyRange> ranges = new ArrayList<>(List.of(KeyRange.all()));
    for (byte[] start : keys) {
      keys.forEach(stop -> ranges.add(KeyRange.of(start, stop)));
    }
    ranges.removeIf(KeyRange::isEmpty);
    for (KeyRange a : ranges) {
      for (KeyRange b : ranges) {
        KeyRange both = a.intersection(b);
        KeyRange either = a.joined(b);
        assertThat(either).as("%s %s", a, b).isEqualTo(b.joined(a));
        if (either == null) {
          assertThat(both).as("%s %s", a, b).isEqualTo(KeyRange.none());
        }
        for (byte[] key : keys) {
          boolean inA = a.contains(key);
          boolean inB = b.contains(key);
          assertThat(both.contains(key)).as("%s %s", a, b).isEqualTo(inA && inB);
          if (either != null) {
            assertThat(either.contains(key)).as("%s %s", a, b).isEqualTo(inA || inB);
          }
        }
      }
    }
  }

  @Test
  void rangesThatTouchAreJoinedAndOthersAreNot() {
    assertThat(range("61", "62").joined(range("62", "63"))).isEqualTo(range("61", "63"));
    assertThat(range("61", "62").joined(range("6200", "63"))).isNull();
    assertThat(range("61", "64").joined(range("62", "63"))).isEqualTo(range("61", "64"));
    assertThat(range("61", "62").joined(range("62", ""))).isEqualTo(range("61", ""));
    assertThat(range("61", "").joined(range("62", "63"))).isEqualTo(range("61", ""));
  }

  @Test
  void rangesOfTheSameKeysAreEqual() {
    assertThat(range("61", "62")).isEqualTo(range("61", "62")).hasSameHashCodeAs(range("61", "62"));
    assertThat(range("61", "62")).isNotEqualTo(range("61", "63")).isNotEqualTo(range("60", "62"));
    assertThat(range("61", "62")).doesNotHaveSameHashCodeAs(range("62", "63"));
    assertThat(range("61", "61")).isEqualTo(KeyRange.none());
  }

  @Test
  void boundsThatAreTooLongHoldTheSameKeysWithShorterOnes() {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> bounds = new ArrayList<>();
    byte[] some = {0, 1, (byte) 0xff};
    for (byte a : some) {
      for (byte b : some) {
        keys.add(new byte[] {a, b});
        keys.add(new byte[] {a});
        bounds.add(new byte[] {a, b});
        for (byte c : some) {
          bounds.add(new byte[] {a, b, c});
        }
      }
    }
    bounds.add(new byte[0]);
    for (byte[] start : bounds) {
      for (byte[] stop : bounds) {
        KeyRange range = KeyRange.of(start, stop);
        KeyRange shorter = range.upTo(2);
        assertThat(shorter.start()).hasSizeLessThanOrEqualTo(2);
        assertThat(shorter.stop()).hasSizeLessThanOrEqualTo(2);
        for (byte[] key : keys) {
          assertThat(shorter.contains(key))
              .as("%s of %s", range, shorter)
              .isEqualTo(range.contains(key));
        }
      }
    }
  }

  @Test
  void bytesArePrintedAsTheHBaseShellDoes() {
    assertThat(ByteText.printable(bytes("1f20615c007e7fff")))
        .isEqualTo("\\x1F a\\x5C\\x00~\\x7F\\xFF");
    assertThat(range("05", "")).hasToString("[\\x05, )");
  }
}
