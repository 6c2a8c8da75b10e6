/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LoserTreeTest {
  @Test
  void mergesStreamsInOrderAndEqualHeadsByStream() {
    SplittableRandom random = new SplittableRandom(11);
    for (int streams = 1; streams <= 70; streams++) {
      int[][] data = new int[streams][];
      List<Integer> expected = new ArrayList<>();
      for (int s = 0; s < streams; s++) {
        data[s] = random.ints(random.nextInt(12), 0, 20).sorted().toArray();
        Arrays.stream(data[s]).forEach(expected::add);
      }
      expected.sort(null);

      int[] at = new int[streams];
      LoserTree tree =
          new LoserTree(
              streams,
              (a, b) -> {
                boolean aDone = at[a] == data[a].length;
                boolean bDone = at[b] == data[b].length;
                return aDone || bDone
                    ? Boolean.compare(aDone, bDone)
                    : Integer.compare(data[a][at[a]], data[b][at[b]]);
              });
      List<Integer> merged = new ArrayList<>();
      int before = 0;
      for (int n = 0; n < expected.size(); n++) {
        int winner = tree.winner();
        int value = data[winner][at[winner]++];
        if (n > 0 && merged.get(n - 1) == value) {
          assertThat(winner).as("stream of an equal head").isGreaterThanOrEqualTo(before);
        }
        before = winner;
        merged.add(value);
        tree.replay();
      }
      assertThat(merged).as("%d streams", streams).isEqualTo(expected);
    }
  }

  @Test
  void needsNoMoreComparisonsThanTheTreeIsDeep() {
    int streams = 256;
    int[] heads = new SplittableRandom(3).ints(streams, 0, 1 << 20).toArray();
    int[] comparisons = {0};
    LoserTree tree =
        new LoserTree(
            streams,
            (a, b) -> {
              comparisons[0]++;
              return Integer.compare(heads[a], heads[b]);
            });
    assertThat(comparisons[0]).as("to build").isEqualTo(streams - 1);
    for (int i = 0; i < 1000; i++) {
      comparisons[0] = 0;
      heads[tree.winner()] += 1000;
      tree.replay();
      assertThat(comparisons[0]).as("to replay").isEqualTo(8);
    }
  }
}
