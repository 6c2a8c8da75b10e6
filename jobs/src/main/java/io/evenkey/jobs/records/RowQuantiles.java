/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.layout.split.RowSample;
import java.util.Arrays;
import java.util.List;
import org.apache.datasketches.quantiles.ItemsSketch;
import org.apache.datasketches.quantilescommon.GenericSortedView;

/**
 * The quantiles of rows that come in any order, from one pass and in bounded memory: up to {@value
 * #EXACT_UP_TO} rows exactly, of more a sketch. Not thread-safe.
 */
public final class RowQuantiles {
  private static final int K = 8192;

  /** A sketch keeps this many rows before it has to leave any out. */
  static final int EXACT_UP_TO = 2 * K - 1;

  private final ItemsSketch<byte[]> sketch =
      ItemsSketch.getInstance(byte[].class, K, Arrays::compareUnsigned);

  /** Counts a row in. */
  public void add(byte[] row) {
    sketch.update(row);
  }

  /** The number of rows. */
  public long rows() {
    return sketch.getN();
  }

  /**
   * By how much the share of rows before a boundary can be off, as a fraction of all rows, in 99 of
   * 100 cases; 0 where nothing was left out.
   */
  public double error() {
    return sketch.isEstimationMode() ? sketch.getNormalizedRankError(false) : 0;
  }

  /** The rows that were kept, in order, each with the number it stands for. */
  public RowSample sample() {
    if (sketch.isEmpty()) {
      return RowSample.of(List.of());
    }
    GenericSortedView<byte[]> view = sketch.getSortedView();
    return RowSample.weighted(List.of(view.getQuantiles()), view.getCumulativeWeights());
  }
}
