/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.message.FailureMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Keeps regions from splits and merges that HBase could not complete. A clone has links to the
 * files of the table that it is a clone of, named {@code TABLE=REGION-FILE}. HBase reads {@code
 * feed.g2=REGION-FILE} as a part of a file {@code feed} as well, see {@link
 * io.evenkey.protocol.naming.DerivedTable}: the daughters of such a region would never open. A
 * major compaction replaces links by files. Stateless.
 */
final class SplitChecks {
  private SplitChecks() {}

  /**
   * Checks the region that is to be split.
   *
   * @param row at which it is split
   * @throws DoNotRetryIOException if its daughters would never open
   */
  static void checkSplit(Connection connection, TableName table, byte[] row) throws IOException {
    RegionInfo region;
    try (RegionLocator regions = connection.getRegionLocator(table)) {
      region = regions.getRegionLocation(row, true).getRegion();
    }
    check(connection.getConfiguration(), "split", region);
  }

  /**
   * Checks regions that are to be merged.
   *
   * @throws DoNotRetryIOException if the merged region would never open
   */
  static void checkMerge(Configuration conf, RegionInfo... regions) throws IOException {
    for (RegionInfo region : regions) {
      check(conf, "merged", region);
    }
  }

  private static void check(Configuration conf, String operation, RegionInfo region)
      throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    FileSystem files = root.getFileSystem(conf);
    Path directory =
        new Path(CommonFSUtils.getTableDir(root, region.getTable()), region.getEncodedName());
    for (FileStatus family : list(files, directory)) {
      if (!family.isDirectory() || family.getPath().getName().startsWith(".")) {
        continue;
      }
      for (FileStatus file : list(files, family.getPath())) {
        String name = file.getPath().getName();
        if (HFileLink.isHFileLink(name) && StoreFileInfo.isReference(name)) {
          throw new DoNotRetryIOException(
              FailureMessage.of("region cannot be " + operation)
                  .with("table", region.getTable())
                  .with("region", region.getEncodedName())
                  .with("file", name)
                  .remedy(
                      "HBase would take what is left of this link to another table's file for a"
                          + " part of a file '"
                          + name.substring(0, name.indexOf('.'))
                          + "', and the next regions would never open: run major_compact '"
                          + region.getTable()
                          + "' first"));
        }
      }
    }
  }

  private static FileStatus[] list(FileSystem files, Path directory) throws IOException {
    try {
      return files.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
