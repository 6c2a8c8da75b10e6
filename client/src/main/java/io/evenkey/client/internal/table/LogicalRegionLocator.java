/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Finds the regions of a spread table's rows. Rows in requests are logical keys; the regions, with
 * their start and end keys, are the physical ones: a region holds many short stretches of the
 * logical order, and no two logical keys could say which.
 */
public final class LogicalRegionLocator implements RegionLocator {
  private final RegionLocator locator;
  private final RowMapping rows;
  private final Configuration configuration;

  private LogicalRegionLocator(
      RegionLocator locator, RowMapping rows, Configuration configuration) {
    this.locator = locator;
    this.rows = rows;
    this.configuration = configuration;
  }

  /**
   * The plain locator, asked by logical keys.
   *
   * @param configuration the connection's, which in a MapReduce job says what the job reads
   */
  public static RegionLocator of(
      RegionLocator locator, RowMapping rows, Configuration configuration) {
    return new LogicalRegionLocator(locator, rows, configuration);
  }

  /** The stored row to ask for; the empty one, as everywhere in HBase, is the first region's. */
  public static byte[] physical(RowMapping rows, byte[] row) {
    JobSplit split = JobSplit.of(row);
    if (split != null) {
      return split.region().start();
    }
    return row.length == 0 ? row : rows.physical(row);
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    return locator.getRegionLocation(physical(rows, row), replicaId, reload);
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return locator.getRegionLocations(physical(rows, row), reload);
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    return locator.getAllRegionLocations();
  }

  /**
   * The boundaries of the physical regions. In a MapReduce job that reads from this table by
   * HBase's {@code TableInputFormat}, keys that stand for the parts of the job's range that are in
   * each region: only a scan between the two of a pair means anything.
   */
  @Override
  public Pair<byte[][], byte[][]> getStartEndKeys() throws IOException {
    Pair<byte[][], byte[][]> boundaries = RegionLocator.super.getStartEndKeys();
    KeyRange keys = JobSplit.ofJob(configuration, getName());
    if (keys == null) {
      return boundaries;
    }
    List<byte[]> firstKeys = new ArrayList<>();
    List<KeyRange> read = rows.layout().scatter(keys).ranges();
    for (int i = 0; i < boundaries.getFirst().length; i++) {
      KeyRange region = KeyRange.of(boundaries.getFirst()[i], boundaries.getSecond()[i]);
      // The first one in any case: HBase takes no boundaries for those of the whole table.
      if (i == 0 || read.stream().anyMatch(range -> !range.intersection(region).isEmpty())) {
        byte[] firstKey = new JobSplit(keys, region).firstKey();
        if (firstKey == null) {
          // No key fits between the job's bounds: one split for all of it.
          return new Pair<>(new byte[][] {new byte[0]}, new byte[][] {new byte[0]});
        }
        firstKeys.add(firstKey);
      }
    }
    return new Pair<>(
        firstKeys.toArray(new byte[0][]),
        firstKeys.stream().map(JobSplit::stopKey).toArray(byte[][]::new));
  }

  @Override
  public void clearRegionLocationCache() {
    locator.clearRegionLocationCache();
  }

  @Override
  public TableName getName() {
    return locator.getName();
  }

  @Override
  public void close() throws IOException {
    locator.close();
  }
}
