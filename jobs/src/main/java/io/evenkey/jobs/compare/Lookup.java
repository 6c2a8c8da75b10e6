/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads rows of a table by their logical keys: all versions of what a comparison compares.
 * Thread-safe, as the table.
 */
final class Lookup {
  private final SpreadTable table;
  private final Scan compared;

  /**
   * Reads from a table.
   *
   * @param compared the families, columns and times that are compared; its bounds do not count
   */
  Lookup(SpreadTable table, Scan compared) {
    this.table = table;
    this.compared = compared;
  }

  /** One row; empty if it is not there. */
  Result row(byte[] key) throws IOException {
    return table.get(get(key));
  }

  /** Several rows, in the order of the keys; empty where there is none. */
  Result[] rows(List<byte[]> keys) throws IOException {
    List<Get> gets = new ArrayList<>(keys.size());
    for (byte[] key : keys) {
      gets.add(get(key));
    }
    return table.get(gets);
  }

  /** One row with its deletions and the cells that they hide, where these are still stored. */
  Result raw(byte[] key) throws IOException {
    Scan raw = new Scan().setRaw(true).readAllVersions().setCacheBlocks(compared.getCacheBlocks());
    compared.getFamilyMap().keySet().forEach(raw::addFamily);
    try (ResultScanner rows = table.scan(KeyRange.point(key), raw)) {
      Result row = rows.next();
      return row == null ? Result.EMPTY_RESULT : row;
    }
  }

  private Get get(byte[] key) {
    Get get = RequestSettings.get(compared, key).readAllVersions();
    return RequestSettings.copyColumns(compared.getFamilyMap(), get);
  }
}
