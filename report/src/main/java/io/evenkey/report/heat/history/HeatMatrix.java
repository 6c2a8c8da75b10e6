/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Time × key space. Columns have equal durations; rows are spans of the key space, grouped by
 * table, in key order. Immutable, except for the arrays.
 *
 * @param from the beginning of the first column, in milliseconds since 1970
 * @param step the duration of a column in milliseconds
 * @param columns the number of columns
 * @param rows the spans
 * @param tables the tables of the rows
 * @param marks the region events, each at a row
 * @param values by column, then by row: requests per second, or megabytes; NaN without a reading
 * @param flags by column, then by row: 1 a share of a longer span's value, 2 counters restarted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HeatMatrix(
    long from,
    double step,
    int columns,
    List<HeatRow> rows,
    List<HeatTable> tables,
    List<HeatMark> marks,
    float[] values,
    byte[] flags) {
  /**
   * A span of the key space.
   *
   * @param start its first key, physical or logical, in the order of the table's rows
   * @param label the key as text
   */
  public record HeatRow(byte[] start, String label) {}

  /**
   * A table.
   *
   * @param name its name
   * @param layout the layout line of these rows, or null
   * @param until when the table's rows became other ones, which have rows of the matrix of their
   *     own, in milliseconds since 1970; 0 for the present rows
   * @param fields what the labels of its rows consist of
   * @param first its first row
   * @param rows the number of its rows
   * @param logical whether its rows are in logical order
   * @param note the reason why rows are not in the requested logical order; or empty
   */
  public record HeatTable(
      String name,
      @Nullable String layout,
      long until,
      String fields,
      int first,
      int rows,
      boolean logical,
      String note) {}

  /** A region event at a row. */
  public record HeatMark(long at, int row, String kind, String table, String text) {}
}
