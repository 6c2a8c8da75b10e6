/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MarkedRowsTest {
  private final MarkedRows rows = new MarkedRows();

  private static byte[] row(int number) {
    return ByteBuffer.allocate(8).putInt(4, number).array();
  }

  @Test
  void areThoseThatWereAdded() {
    assertThat(rows.contains(row(1))).isFalse();
    rows.add(row(1));
    rows.add(row(1));
    assertThat(rows.contains(row(1))).isTrue();
    assertThat(rows.contains(row(2))).isFalse();
    assertThat(rows.contains(new byte[0])).isFalse();
    rows.add(new byte[0]);
    assertThat(rows.contains(new byte[0])).isTrue();
  }

  @Test
  void areNoMoreThanThereIsRoomFor() {
    for (int i = 0; i < 100_000; i++) {
      rows.add(row(i));
    }
    int known = 0;
    for (int i = 0; i < 200_000; i++) {
      if (rows.contains(row(i))) {
        known++;
        assertThat(i).isLessThan(100_000);
      }
    }
    assertThat(known).isBetween(MarkedRows.ROWS * 9 / 10, MarkedRows.ROWS);
    rows.add(new byte[MarkedRows.LONGEST]);
    rows.add(new byte[MarkedRows.LONGEST + 1]);
    assertThat(rows.contains(new byte[MarkedRows.LONGEST])).isTrue();
    assertThat(rows.contains(new byte[MarkedRows.LONGEST + 1])).isFalse();
  }

  @Test
  void keepThoseThatAreLookedForOften() {
    int misses = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] hot = row(-1 - i % 10);
      if (!rows.contains(hot)) {
        misses++;
        rows.add(hot);
      }
      rows.add(row(i));
    }
    assertThat(misses).isLessThan(1_000);
  }

  @Test
  void neverKnowARowThatNoThreadAdded() throws Exception {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int seed = thread;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 200_000; i++) {
                  int number = (i * 31 + seed) % 5_000;
                  rows.add(row(2 * number));
                  assertThat(rows.contains(row(2 * number + 1))).isFalse();
                }
              }));
    }
    CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).get();
  }
}
