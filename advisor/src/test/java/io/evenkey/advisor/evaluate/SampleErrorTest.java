/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SampleErrorTest {
  @Test
  void errorOfAMeanFallsWithTheRootOfTheNumberOfValues() {
    assertThat(SampleError.ofMean(new double[] {1, 3})).isCloseTo(1, within(1e-12));
    assertThat(SampleError.ofMean(new double[] {1, 3, 1, 3, 1, 3, 1, 3}))
        .isCloseTo(Math.sqrt(8 / 7.0 / 8), within(1e-12));
    assertThat(SampleError.ofMean(new double[] {5})).isZero();
  }

  @Test
  void whatBothHaveInCommonIsNoErrorOfARatio() {
    assertThat(SampleError.ofRatio(List.of(1.0, 10.0, 100.0), List.of(2.0, 20.0, 200.0)))
        .isCloseTo(0, within(1e-12));
    assertThat(SampleError.ofRatio(List.of(1.0, 3.0), List.of(2.0, 2.0)))
        .as("as of the mean of 0.5 and 1.5")
        .isCloseTo(0.5, within(1e-12));
    assertThat(SampleError.ofRatio(List.of(1.0, 2.0), List.of(0.0, 0.0))).isZero();
  }

  /** The skews of many samples of one kind of records differ as much as each sample says. */
  @Test
  void predictedErrorIsThatOfRepeatedSamples() {
    Layout layout = Layout.parse("salt(3) + ts:timestamp");
    List<Double> means = new ArrayList<>();
    double predicted = 0;
    int samples = 60;
    for (int seed = 0; seed < samples; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Sample.Builder sample = new Sample.Builder(List.of("ts"));
      for (int i = 0; i < 7_200; i++) {
        sample.add(List.of(String.valueOf(1_700_000_000_000L + i * 1000L + random.nextInt(900))));
      }
      WriteFigures writes = new Replay(layout, new ParsedColumns(sample.build()), 3).writes();
      means.add(writes.mean());
      predicted += writes.error() / samples;
    }
    double mean = means.stream().mapToDouble(m -> m).average().orElseThrow();
    double variance =
        means.stream().mapToDouble(m -> (m - mean) * (m - mean)).sum() / (samples - 1);
    assertThat(predicted / Math.sqrt(variance)).isBetween(0.75, 1.33);
  }
}
