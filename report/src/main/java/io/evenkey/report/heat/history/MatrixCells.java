/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.Arrays;

/**
 * Collects the cells of a matrix. A cell is the average of the history over the time of its column,
 * weighted by time. {@link #begin} and {@link #end} enclose each part of the history. Cells are
 * stored column by column. Not thread-safe.
 */
final class MatrixCells {
  private final HeatQuery query;
  private final int rows;
  private final int measure;
  private final double stepMs;
  private final float[] sums;
  private final byte[] flags;

  /** The milliseconds of history that each cell covers. */
  private final float[] weights;

  private final float[] partValues;
  private final byte[] partFlags;

  MatrixCells(HeatQuery query, int rows) {
    this.query = query;
    this.rows = rows;
    this.measure = query.measure().at();
    this.stepMs = (double) (query.to() - query.from()) / query.columns();
    this.sums = new float[query.columns() * rows];
    this.flags = new byte[query.columns() * rows];
    this.weights = new float[sums.length];
    this.partValues = new float[rows];
    this.partFlags = new byte[rows];
  }

  /** Begins a part of the history. */
  void begin() {
    Arrays.fill(partValues, Float.NaN);
    Arrays.fill(partFlags, (byte) 0);
  }

  /**
   * Adds a share of a strip's span to a row of the current part.
   *
   * @param share from 0 to 1
   */
  void add(int row, TableHeat strip, int span, float share) {
    float value = strip.value(measure, span) * share;
    partValues[row] = Float.isNaN(partValues[row]) ? value : partValues[row] + value;
    partFlags[row] |= (byte) (strip.flags(span) | (share > 0 && share < 1 ? TableHeat.SHARED : 0));
  }

  /**
   * Ends the current part: it counts in each column by the time that both have in common.
   *
   * @param from the begin of the part, in milliseconds since 1970
   * @param to its end, excluded
   */
  void end(long from, long to) {
    int first = (int) Math.max(0, Math.floor((from - query.from()) / stepMs));
    for (int column = first; column < query.columns(); column++) {
      double begin = query.from() + column * stepMs;
      double overlap = Math.min((double) to, begin + stepMs) - Math.max((double) from, begin);
      if (overlap <= 0) {
        break;
      }
      addPart(column, (float) overlap);
    }
  }

  private void addPart(int column, float weight) {
    for (int row = 0; row < rows; row++) {
      if (!Float.isNaN(partValues[row])) {
        int cell = column * rows + row;
        weights[cell] += weight;
        sums[cell] += partValues[row] * weight;
        flags[cell] |= partFlags[row];
      }
    }
  }

  /** The width of a column, in milliseconds. */
  double stepMs() {
    return stepMs;
  }

  /** The averages; NaN in the cells that no part covers. */
  float[] averages() {
    float[] averages = new float[sums.length];
    for (int cell = 0; cell < averages.length; cell++) {
      averages[cell] = weights[cell] == 0 ? Float.NaN : sums[cell] / weights[cell];
    }
    return averages;
  }

  /** The flags of all parts that each cell covers. */
  byte[] flags() {
    return flags;
  }
}
