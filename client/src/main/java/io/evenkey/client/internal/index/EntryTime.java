/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import org.apache.hadoop.hbase.HConstants;

/**
 * The time that the cell of an entry has: that of the region server which writes it, or that of the
 * row if this is later, since the row ends so much later too. Stateless.
 */
final class EntryTime {
  private EntryTime() {}

  /**
   * The timestamp of a put.
   *
   * @param row the latest one that a cell of the row has
   * @return {@link HConstants#LATEST_TIMESTAMP} for that of the region server
   */
  static long of(long row) {
    return row > System.currentTimeMillis() ? row : HConstants.LATEST_TIMESTAMP;
  }
}
