/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.report.heat.history.HeatMatrix;
import java.util.List;

/**
 * The head of a heat map, before its values, as JSON. Immutable.
 *
 * @param from the start of the first column, in milliseconds since 1970
 * @param step the time of a column in milliseconds
 * @param oldest the oldest reading, in milliseconds since 1970
 * @param labels the first key of each row in readable form
 * @param starts the first key of each row in hexadecimal digits
 */
public record HeatMapJson(
    long from,
    double step,
    int columns,
    String unit,
    long oldest,
    List<HeatMatrix.HeatTable> tables,
    List<HeatMatrix.HeatMark> marks,
    List<String> labels,
    List<String> starts) {
  /** Copies the lists. */
  public HeatMapJson {
    tables = List.copyOf(tables);
    marks = List.copyOf(marks);
    labels = List.copyOf(labels);
    starts = List.copyOf(starts);
  }
}
