/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ranges that are filled, in any order, and what is left of others. */
class FilledRangesTest {
  private static final int KEYS = 40;

  private static byte[] key(int at) {
    return at == 0 || at == KEYS ? new byte[0] : new byte[] {(byte) at};
  }

  private static KeyRange range(int from, int to) {
    return KeyRange.of(key(from), key(to));
  }

  /** One step between two keys. */
  private static boolean contains(KeyRange range, int at) {
    return range.contains(at == 0 ? new byte[] {0} : key(at));
  }

  @Test
  void leavesWhatWasNotAddedAndKeepsNoTwoThatTouch() {
    long seed = Long.getLong("evenkey.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int run = 0; run < 2_000; run++) {
      boolean[] done = new boolean[KEYS];
      FilledRanges filled = FilledRanges.of(List.of());
      for (int added = random.nextInt(12); added > 0; added--) {
        int from = random.nextInt(KEYS);
        int to = from + 1 + random.nextInt(KEYS - from);
        filled.add(range(from, to));
        for (int i = from; i < to; i++) {
          done[i] = true;
        }
      }
      FilledRanges again = FilledRanges.of(filled.stored());
      assertThat(again.stored()).as("seed=%d", seed).isEqualTo(filled.stored());
      int from = random.nextInt(KEYS);
      int to = from + 1 + random.nextInt(KEYS - from);
      List<KeyRange> missing = again.missing(range(from, to));
      for (int i = 0; i < KEYS; i++) {
        int at = i;
        assertThat(missing.stream().filter(part -> contains(part, at)).count())
            .as("seed=%d run=%d key=%d", seed, run, i)
            .isEqualTo(i >= from && i < to && !done[i] ? 1 : 0);
      }
      assertThat(filled.stored().size()).as("seed=%d", seed).isEqualTo(parts(done));
    }
  }

  private static int parts(boolean[] done) {
    List<Integer> begins = new ArrayList<>();
    for (int i = 0; i < done.length; i++) {
      if (done[i] && (i == 0 || !done[i - 1])) {
        begins.add(i);
      }
    }
    return begins.size();
  }
}
