/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.jspecify.annotations.Nullable;

/** The rest of a scan of which some rows were read. Stateless. */
public final class Resumption {
  private Resumption() {}

  /**
   * Whether the rest of a scan is a scan: its filter keeps nothing from row to row, and rows come
   * whole.
   */
  public static boolean isPossible(Scan scan) {
    return scan.getBatch() <= 0
        && !scan.getAllowPartialResults()
        && !scan.isNeedCursorResult()
        && (!scan.hasFilter() || isOfOneRow(scan.getFilter()));
  }

  private static boolean isOfOneRow(Filter filter) {
    if (filter instanceof FilterList list) {
      return list.getFilters().stream().allMatch(Resumption::isOfOneRow);
    }
    boolean ofHBase = filter.getClass().getPackageName().startsWith("org.apache.hadoop.hbase.");
    return ofHBase && !(filter instanceof PageFilter) && !(filter instanceof WhileMatchFilter);
  }

  /**
   * The rest of a scan.
   *
   * @param after the last row that was read; null if there was none
   * @param rows the number of rows that were read, fewer than the scan's limit
   */
  public static Scan rest(Scan scan, byte @Nullable [] after, long rows) throws IOException {
    if (after == null) {
      return scan;
    }
    Scan rest = new Scan(scan).withStartRow(after, false);
    if (scan.getLimit() > 0) {
      rest.setLimit((int) (scan.getLimit() - rows));
    }
    return rest;
  }

  /** The rest of a range of keys of which some were read. */
  public static KeyRange rest(KeyRange range, byte @Nullable [] after, boolean reversed) {
    if (after == null) {
      return range;
    } else if (!reversed) {
      return KeyRange.of(KeyRange.successor(after), range.stop());
    }
    // No key is before the empty one; as a bound it would stand for the end.
    return after.length == 0 ? KeyRange.none() : KeyRange.of(range.start(), after);
  }

  /** Reduces the limit of a scan by the rows that were read. */
  public static Scan limited(Scan scan, long rows) throws IOException {
    return rows == 0 || scan.getLimit() <= 0
        ? scan
        : new Scan(scan).setLimit((int) (scan.getLimit() - rows));
  }
}
