/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.filter.FilterMapping;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.bytes.KeyRange;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The bytes of rows by which a scan names what it reads: its bounds, and the filters that compare
 * rows. The split of a job names the layout that it was made by, and only the bounds of the job's
 * own scan are such bytes. Stateless.
 */
final class RowBytes {
  private RowBytes() {}

  /**
   * Checks that a scan has none, where they could be of another key than the table's.
   *
   * @param configuration names the application's filters that never look at rows
   * @throws TableLayoutException if they could, or the scan is that of a job's split of another
   *     generation or layout
   */
  static void check(Route route, Generation generation, Scan scan, Configuration configuration)
      throws TableLayoutException {
    if (generation.byFields() && areIn(scan, generation, configuration)) {
      route.checkRowBytes(generation);
    }
  }

  private static boolean areIn(Scan scan, Generation generation, Configuration configuration)
      throws TableLayoutException {
    JobSplit split = JobSplit.of(scan.getStopRow(), generation);
    KeyRange keys = split == null ? PhysicalScans.range(scan) : split.logical();
    boolean isWhole = keys.start().length == 0 && keys.stop().length == 0;
    return !isWhole
        || (scan.hasFilter()
            && FilterMapping.comparesRows(
                scan.getFilter(), Setting.FILTERS_ROW_BLIND.set(configuration)));
  }
}
