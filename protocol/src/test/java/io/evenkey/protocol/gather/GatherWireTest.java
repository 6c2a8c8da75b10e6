/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Property;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The messages of a gather: their bytes are fixed, and hostile ones are refused. */
class GatherWireTest {
  private static final HexFormat HEX = HexFormat.of();

  private static GatherRequest random(SplittableRandom random, int size) {
    List<GatherRequest.Part> parts = new ArrayList<>();
    int regions = 1 + random.nextInt(size);
    for (int i = 0; i < regions; i++) {
      parts.add(new GatherRequest.Part("region" + i, ranges(random, size)));
    }
    return new GatherRequest(
        random.nextInt(4),
        random.nextBoolean(),
        random.nextBoolean(),
        1 + random.nextInt(GatherRequest.MOST_ROWS),
        1 + random.nextLong(GatherRequest.MOST_BYTES),
        ByteString.of(bytes(random, random.nextInt(size + 1))),
        parts);
  }

  private static List<KeyRange> ranges(SplittableRandom random, int size) {
    NavigableSet<ByteString> bounds = new TreeSet<>();
    int count = 2 + random.nextInt(size);
    for (int i = 0; i < count; i++) {
      bounds.add(ByteString.of(bytes(random, 1 + random.nextInt(size))));
    }
    List<KeyRange> ranges = new ArrayList<>();
    byte[] from = {};
    for (ByteString bound : bounds) {
      if (random.nextBoolean()) {
        ranges.add(KeyRange.of(from, bound.toArray()));
      }
      from = bound.toArray();
    }
    ranges.add(KeyRange.of(from, new byte[0]));
    return ranges;
  }

  @Test
  void rangesOutOfOrderAreRefused() {
    KeyRange first = KeyRange.prefix(new byte[] {1});
    KeyRange second = KeyRange.prefix(new byte[] {2});
    assertThat(new GatherRequest.Part("r", List.of(first, second)).ranges()).hasSize(2);
    for (List<KeyRange> wrong :
        List.of(
            List.of(second, first),
            List.of(first, first),
            List.of(KeyRange.of(new byte[] {1}, new byte[0]), second))) {
      assertThatThrownBy(() -> new GatherRequest.Part("r", wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("out of order: region=r");
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void aRequestIsReadAsItWasWritten() {
    Property.holds(
        2_000,
        (random, size) -> {
          GatherRequest request = random(random, size);
          assertThat(GatherRequest.parse(request.toBytes())).isEqualTo(request);
        });
  }

  @Test
  void theBytesOfARequestAreThese() {
    GatherRequest request =
        new GatherRequest(
            1,
            true,
            10,
            2_097_152,
            ByteString.of(new byte[] {8}),
            List.of(
                new GatherRequest.Part(
                    "ab", List.of(KeyRange.of(new byte[] {1}, new byte[] {2, 3})))));
    assertThat(HEX.formatHex(request.toBytes()))
        .isEqualTo(
            "01"
                + "01"
                + "0001"
                + "0000000a"
                + "0000000000200000"
                + "00000001"
                + "08"
                + "0001"
                + "0002"
                + "6162"
                + "00000001"
                + "0001"
                + "01"
                + "0002"
                + "0203");
  }

  @Test
  void aRequestForRowsOfEachRangeHasAFlag() {
    GatherRequest first = random(new SplittableRandom(1), 3);
    for (boolean reversed : new boolean[] {false, true}) {
      byte[] bytes =
          new GatherRequest(1, reversed, true, 10, 100, first.scan(), first.regions()).toBytes();
      assertThat(bytes[1]).isEqualTo((byte) (reversed ? 3 : 2));
      assertThat(GatherRequest.parse(bytes).ofEach()).isTrue();
    }
  }

  @Test
  void anAlteredRequestIsReadExactlyOrRefused() {
    Property.holds(
        20_000,
        0.02,
        0.9,
        (random, size) -> {
          byte[] bytes = random(random, size).toBytes();
          for (int i = random.nextInt(3); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
          }
          return HostileGather.request(bytes);
        });
  }

  @Test
  void aRequestThatIsCutOffIsRefused() {
    byte[] bytes = random(new SplittableRandom(1), 5).toBytes();
    for (int length = 0; length < bytes.length; length++) {
      assertThat(HostileGather.request(java.util.Arrays.copyOf(bytes, length))).isFalse();
    }
  }

  @Test
  void anAnswerIsReadAsItWasWritten() {
    GatherAnswer whole = new GatherAnswer(7, null);
    GatherAnswer part = new GatherAnswer(9, ByteString.of(new byte[] {1, 2}));
    assertThat(GatherAnswer.parse(whole.toBytes())).isEqualTo(whole);
    assertThat(GatherAnswer.parse(part.toBytes())).isEqualTo(part);
    assertThat(HEX.formatHex(part.toBytes())).isEqualTo("01" + "00000009" + "01" + "0102");
    assertThatThrownBy(() -> GatherAnswer.parse(new byte[] {2, 0, 0, 0, 0, 0}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anAlteredAnswerIsReadExactlyOrRefused() {
    Property.holds(
        20_000,
        0.02,
        0.98,
        (random, size) -> {
          ByteString upTo =
              random.nextBoolean() ? null : ByteString.of(bytes(random, random.nextInt(size + 1)));
          byte[] bytes = new GatherAnswer(random.nextInt(1_000), upTo).toBytes();
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
          return HostileGather.answer(bytes);
        });
  }

  @Test
  void portionsAreReadAsTheyWereWritten() {
    GatherPortions portions =
        new GatherPortions(
            List.of(new GatherPortions.Portion(3, true), new GatherPortions.Portion(0, false)));
    assertThat(GatherPortions.parse(portions.toBytes())).isEqualTo(portions);
    assertThat(HEX.formatHex(portions.toBytes()))
        .isEqualTo("02" + "00000002" + "00000007" + "00000000");
    for (String other : List.of("01000000010000000000", "0200000002000000070000", "02ffffffff")) {
      assertThatThrownBy(() -> GatherPortions.parse(HEX.parseHex(other)))
          .as(other)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void alteredPortionsAreReadExactlyOrRefused() {
    Property.holds(
        20_000,
        0.02,
        0.98,
        (random, size) -> {
          List<GatherPortions.Portion> ranges = new ArrayList<>();
          for (int i = random.nextInt(size + 1); i > 0; i--) {
            ranges.add(new GatherPortions.Portion(random.nextInt(1_000), random.nextBoolean()));
          }
          byte[] bytes = new GatherPortions(ranges).toBytes();
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
          return HostileGather.portions(bytes);
        });
  }
}
