/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.jspecify.annotations.Nullable;

/**
 * A store file, wherever HBase keeps it now: with its region, or in the archive. Immutable.
 *
 * @param table the table that it was written for
 * @param region the encoded name of the region that it was written for
 * @param family the column family
 * @param name its own name, which no other store file has
 */
record StoredFile(TableName table, String region, String family, String name) {
  private static final int AT_ONCE = 1_024;

  /** Takes rows. */
  @FunctionalInterface
  interface Rows {
    /** Physical rows, in their order. */
    void accept(List<byte[]> rows) throws IOException;
  }

  /** Reads the rows of all cells and tombstones, each once. */
  void read(Configuration configuration, Rows some) throws IOException {
    FileSystem files = CommonFSUtils.getRootDirFileSystem(configuration);
    Path path = HFileLink.build(configuration, table, region, family, name).getAvailablePath(files);
    List<byte[]> rows = new ArrayList<>();
    try (HFile.Reader reader =
        HFile.createReader(files, path, CacheConfig.DISABLED, true, configuration)) {
      HFileScanner scanner = reader.getScanner(configuration, false, false);
      @Nullable Cell last = null;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        Cell cell = scanner.getCell();
        if (last != null && CellUtil.matchingRows(last, cell)) {
          continue;
        }
        last = cell;
        rows.add(CellUtil.cloneRow(cell));
        if (rows.size() == AT_ONCE) {
          some.accept(rows);
          rows = new ArrayList<>();
        }
      }
    }
    if (!rows.isEmpty()) {
      some.accept(rows);
    }
  }
}
