/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import java.io.IOException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** The size of a table, as its region servers report it. Stateless. */
public final class StoredSize {
  private StoredSize() {}

  /** Megabytes in files, compressed as they are, and in memory. */
  public static double megabytes(Admin admin, TableName table) throws IOException {
    double megabytes = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        megabytes += region.getStoreFileSize().get(Size.Unit.MEGABYTE);
        megabytes += region.getMemStoreSize().get(Size.Unit.MEGABYTE);
      }
    }
    return megabytes;
  }
}
