/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.hotkeys.HotItem;
import io.evenkey.protocol.hotkeys.HotItems;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentCountsTest {
  private static final ByteString HOT = ByteString.of((byte) 1);
  private static final ByteString COLD = ByteString.of((byte) 2);

  private long nowNanos = -5;
  private final RecentCounts counts = new RecentCounts(() -> nowNanos);

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }

  private void count(ByteString item, int times) {
    for (int i = 0; i < times; i++) {
      counts.count(HotKeyKind.READ_KEYS, item);
    }
  }

  private HotItems read() {
    return counts.recent(10).counts().get(HotKeyKind.READ_KEYS);
  }

  private long windowMs() {
    return counts.recent(10).windowMs();
  }

  @Test
  void bothHalvesAreAddedUp() {
    count(HOT, 3);
    pass(RecentCounts.HALF);
    count(HOT, 4);
    count(COLD, 1);
    pass(Duration.ofSeconds(5));
    assertThat(read().total()).isEqualTo(8);
    assertThat(read().items())
        .containsExactly(new HotItem(HOT, 7, 7, 7), new HotItem(COLD, 1, 1, 1));
    assertThat(windowMs()).isEqualTo(35_000);
  }

  @Test
  void whatWasHotBeforeIsForgotten() {
    count(HOT, 100);
    pass(RecentCounts.HALF);
    count(COLD, 1);
    pass(RecentCounts.HALF);
    assertThat(read().items()).containsExactly(new HotItem(COLD, 1, 1, 1));
    assertThat(windowMs()).isEqualTo(30_000);
  }

  @Test
  void aRegionWithoutTrafficHasNothing() {
    count(HOT, 100);
    pass(RecentCounts.HALF.multipliedBy(2).plusSeconds(7));
    assertThat(read()).isEqualTo(HotItems.sum(List.of(), 10));
    assertThat(windowMs()).isEqualTo(37_000);
    count(COLD, 2);
    assertThat(read().total()).isEqualTo(2);
    assertThat(windowMs()).isEqualTo(37_000);
  }

  @Test
  void theWindowBeginsWithTheCounting() {
    pass(Duration.ofSeconds(2));
    count(HOT, 1);
    assertThat(windowMs()).isEqualTo(2_000);
    assertThat(counts.recent(10).counts().get(HotKeyKind.WRITE_KEYS).total()).isZero();
  }
}
