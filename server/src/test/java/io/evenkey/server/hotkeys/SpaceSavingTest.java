/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.hotkeys.HotItem;
import io.evenkey.protocol.hotkeys.HotItems;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpaceSavingTest {
  private static ByteString item(int number) {
    return ByteString.of(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  /** Streams of random lengths, of even items, of few hot ones, and of items that come in turns. */
  private static int next(SplittableRandom random, int shape, int at) {
    return switch (shape) {
      case 0 -> random.nextInt(10_000);
      case 1 -> (int) (1_000 * Math.pow(random.nextDouble(), 6));
      default -> at / 50 % 700;
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void trueCountsAreWithinTheBounds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int counters = 1 + random.nextInt(64);
    int length = random.nextInt(20_000);
    SpaceSaving sketch = new SpaceSaving(counters);
    Map<ByteString, Integer> exact = new HashMap<>();
    for (int i = 0; i < length; i++) {
      ByteString item = item(next(random, (int) (seed % 3), i));
      sketch.count(item);
      exact.merge(item, 1, Integer::sum);
      assertThat(sketch.size()).isLessThanOrEqualTo(counters);
    }
    HotItems top = sketch.top(1 + random.nextInt(counters));
    assertThat(top.total()).isEqualTo(length);
    for (HotItem item : top.items()) {
      int count = exact.remove(item.item());
      assertThat(count).isBetween((int) item.lower(), (int) item.upper());
      assertThat(item.upper() - item.lower()).isLessThanOrEqualTo(length / counters);
      assertThat(item.estimate()).isBetween(item.lower(), item.upper());
    }
    for (int count : exact.values()) {
      assertThat((long) count).as("not named").isLessThanOrEqualTo(top.error());
    }
    HotItems all = sketch.top(counters);
    assertThat(all.error()).isLessThanOrEqualTo(length / counters);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void boundsHoldForTheSumOfSketches(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<ByteString, Integer> exact = new HashMap<>();
    List<HotItems> streams = new ArrayList<>();
    for (int stream = 0; stream < 3; stream++) {
      SpaceSaving sketch = new SpaceSaving(64);
      for (int i = 0; i < 10_000; i++) {
        ByteString item = item(next(random, (int) (seed % 3), i));
        sketch.count(item);
        exact.merge(item, 1, Integer::sum);
      }
      streams.add(sketch.top(64));
    }
    HotItems sum = HotItems.sum(streams, 20);
    assertThat(sum.total()).isEqualTo(30_000);
    for (HotItem item : sum.items()) {
      assertThat((long) exact.remove(item.item())).isBetween(item.lower(), item.upper());
    }
    for (int count : exact.values()) {
      assertThat((long) count).as("not named").isLessThanOrEqualTo(sum.error());
    }
  }

  @Test
  void anItemOfMoreThanItsShareIsFirst() {
    SpaceSaving sketch = new SpaceSaving(8);
    for (int i = 0; i < 8_000; i++) {
      sketch.count(item(i % 4 == 0 ? -1 : i));
    }
    HotItem first = sketch.top(1).items().get(0);
    assertThat(first.item()).isEqualTo(item(-1));
    assertThat(first.lower()).isGreaterThan(1_000);
  }

  @Test
  void countsOfFewItemsAreExact() {
    SpaceSaving sketch = new SpaceSaving(3);
    List.of(1, 2, 1, 3, 1, 2).forEach(number -> sketch.count(item(number)));
    assertThat(sketch.top(2))
        .isEqualTo(
            new HotItems(
                6, 1, List.of(new HotItem(item(1), 3, 3, 3), new HotItem(item(2), 2, 2, 2))));
    assertThat(new SpaceSaving(3).top(2)).isEqualTo(new HotItems(0, 0, List.of()));
  }
}
