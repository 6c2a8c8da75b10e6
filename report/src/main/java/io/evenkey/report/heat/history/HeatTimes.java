/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import java.util.List;

/**
 * Since when one region of a table has had most of its requests.
 *
 * @param columns all columns, in time order
 * @param changed when the table's rows became other ones; no column before that counts
 */
record HeatTimes(String table, List<HeatColumn> columns, long changed) {
  private static final double MOST = 0.5;

  /**
   * The beginning of the time in which each busy column has had such a region, in milliseconds
   * since 1970; 0 if not even the last one has.
   *
   * @param busy the requests per second of a column that counts
   */
  long hotSince(Measure measure, double busy) {
    long since = 0;
    for (int c = columns.size() - 1; c >= 0; c--) {
      HeatColumn column = columns.get(c);
      if (column.from() < changed) {
        break;
      }
      TableHeat strip = column.strip(table);
      if (strip == null) {
        continue;
      }
      double all = 0;
      double most = 0;
      for (int span = 0; span < strip.size(); span++) {
        all += strip.value(measure, span);
        most = Math.max(most, strip.value(measure, span));
      }
      if (all >= busy) {
        if (most < MOST * all) {
          break;
        }
        since = column.from();
      }
    }
    return since;
  }
}
