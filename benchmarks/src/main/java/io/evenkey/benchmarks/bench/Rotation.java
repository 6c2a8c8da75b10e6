/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The order in which the sides of a comparison are measured. Stateless. */
final class Rotation {
  private Rotation() {}

  /** Measures one side in a round. */
  @FunctionalInterface
  interface Measurement<S, R> {
    R of(S side) throws IOException;
  }

  /**
   * Measures every side once; each round begins with another side.
   *
   * @param round the number of the round; negative for a warm-up
   * @return the results in the order of the sides
   */
  static <S, R> List<R> of(List<S> sides, int round, Measurement<S, R> measurement)
      throws IOException {
    int first = Math.floorMod(round, sides.size());
    List<R> results = new ArrayList<>(sides.size());
    for (int i = 0; i < sides.size(); i++) {
      results.add(measurement.of(sides.get((first + i) % sides.size())));
    }
    Collections.rotate(results, first);
    return results;
  }

  /** The results of one side over all rounds. */
  static <R> List<R> ofSide(int side, List<List<R>> rounds) {
    return rounds.stream().map(round -> round.get(side)).toList();
  }

  /** The rates of one side, round by round. */
  static double[] rates(int side, List<List<Double>> rounds) {
    return rounds.stream().mapToDouble(round -> round.get(side)).toArray();
  }
}
