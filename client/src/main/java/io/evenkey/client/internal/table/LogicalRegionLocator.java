/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Finds the regions of a spread table's rows. Rows in requests are logical keys; the regions, with
 * their start and end keys, are the physical ones of the generation in use: a region holds many
 * short stretches of the logical order, and no two logical keys could say which. As thread-safe as
 * HBase's own.
 */
public final class LogicalRegionLocator implements RegionLocator {
  private final Route route;
  private final Route.Call<RegionLocator> locators;
  private final Configuration configuration;

  private LogicalRegionLocator(
      Route route, Route.Call<RegionLocator> locators, Configuration configuration) {
    this.route = route;
    this.locators = locators;
    this.configuration = configuration;
  }

  /**
   * A locator that is asked by logical keys; HBase's own of a table without a layout.
   *
   * @param locators HBase's own of a generation, which hold nothing that has to be closed
   * @param configuration the connection's, which in a MapReduce job says what the job reads
   */
  public static RegionLocator of(
      Route route, Route.Call<RegionLocator> locators, Configuration configuration)
      throws IOException {
    Generation generation = route.now();
    return generation.rows().isPlain()
        ? locators.on(generation)
        : new LogicalRegionLocator(route, locators, configuration);
  }

  /**
   * The stored row to ask for; the empty one, as everywhere in HBase, is the first region's.
   *
   * @throws TableLayoutException if the row stands for a split of a job by another layout
   */
  public static byte[] physical(Generation generation, byte[] row) throws TableLayoutException {
    if (row == null || generation.rows().isPlain()) {
      // HBase rejects what is no row.
      return row;
    }
    JobSplit split = JobSplit.of(row, generation);
    if (split != null) {
      return split.region().start();
    }
    return row.length == 0 ? row : generation.rows().physical(row);
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    return route.call(
        generation ->
            locators
                .on(generation)
                .getRegionLocation(physical(generation, row), replicaId, reload));
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return route.call(
        generation ->
            locators.on(generation).getRegionLocations(physical(generation, row), reload));
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    return route.call(generation -> locators.on(generation).getAllRegionLocations());
  }

  /**
   * The boundaries of the physical regions. In a MapReduce job that reads from this table by
   * HBase's {@code TableInputFormat} or {@code MultiTableInputFormat}, keys that stand for the
   * parts of the job's ranges that are in each region: only a scan between the two of a pair means
   * anything.
   */
  @Override
  public Pair<byte[][], byte[][]> getStartEndKeys() throws IOException {
    List<KeyRange> read = JobSplit.rangesOfJob(configuration, route.table());
    return route.call(
        generation -> {
          Pair<byte[][], byte[][]> boundaries = locators.on(generation).getStartEndKeys();
          return read.isEmpty() ? boundaries : splits(read, boundaries, generation);
        });
  }

  private static Pair<byte[][], byte[][]> splits(
      List<KeyRange> read, Pair<byte[][], byte[][]> boundaries, Generation generation) {
    List<byte[]> firstKeys = new ArrayList<>();
    for (KeyRange keys : read) {
      List<KeyRange> stored = generation.rows().layout().scatter(keys).ranges();
      for (int i = 0; i < boundaries.getFirst().length; i++) {
        KeyRange region = KeyRange.of(boundaries.getFirst()[i], boundaries.getSecond()[i]);
        // The first one in any case: HBase takes no boundaries for those of the whole table.
        if (i == 0 || stored.stream().anyMatch(range -> !range.intersection(region).isEmpty())) {
          byte[] firstKey = JobSplit.of(keys, region, generation).firstKey();
          if (firstKey == null) {
            // No key fits between the job's bounds: one split for all of it.
            byte[][] whole = {HConstants.EMPTY_BYTE_ARRAY};
            return new Pair<>(whole, whole);
          }
          firstKeys.add(firstKey);
        }
      }
    }
    return new Pair<>(
        firstKeys.toArray(new byte[0][]),
        firstKeys.stream().map(JobSplit::stopKey).toArray(byte[][]::new));
  }

  @Override
  public void clearRegionLocationCache() {
    try {
      locators.on(route.now()).clearRegionLocationCache();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the generation, by which region servers know the regions. */
  @Override
  public TableName getName() {
    try {
      return route.now().physical();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // HBase's own have nothing to close.
  }
}
