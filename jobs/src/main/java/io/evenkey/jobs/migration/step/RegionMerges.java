/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Merges regions that only earlier steps of a salt have used. HBase loses no row by that, also if
 * one is written at that time; the rows of the region that stays are not available for the moment
 * in which it is merged. Not thread-safe.
 */
public final class RegionMerges {
  private static final long MERGE_SECONDS = 120;

  private final Connection plain;
  private final TableName table;

  /**
   * @param table the physical table
   */
  public RegionMerges(Connection plain, TableName table) {
    this.plain = plain;
    this.table = table;
  }

  /**
   * Refuses a table whose rows do not expire, of which an empty region says little, or whose
   * regions may not be merged.
   *
   * @throws MigrationException if so
   */
  public void check() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(table);
      for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
        if (family.getTimeToLive() == HConstants.FOREVER) {
          throw new MigrationException(
              table,
              "rows do not expire, so that regions of earlier steps are still in use",
              "family=" + family.getNameAsString(),
              "set TTL on each family first");
        }
      }
      if (!admin.isMergeEnabled() || !descriptor.isMergeEnabled()) {
        throw new MigrationException(
            table,
            "regions may not be merged",
            "",
            "switch merges on (HBase's shell: splitormerge_switch 'MERGE', true; alter"
                + " MERGE_ENABLED)");
      }
    }
  }

  /**
   * Merges regions.
   *
   * @throws MigrationException if HBase does not; the merges before are done
   */
  public void run(List<RegionMerge> merges) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      for (RegionMerge merge : merges) {
        List<RegionInfo> regions = merge.regions();
        moveTo(admin, regions.get(0), merge.into());
        merge(admin, regions);
      }
    }
  }

  /** The merged region opens where the first one was: that is to be where the rows are. */
  private void moveTo(Admin admin, RegionInfo first, RegionInfo into) throws IOException {
    try (RegionLocator locator = plain.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      ServerName from = server(locator, first);
      ServerName to = server(locator, into);
      if (!from.equals(to)) {
        admin.move(first.getEncodedNameAsBytes(), to);
      }
    } catch (DoNotRetryIOException e) {
      // A server of another group, or one that has just gone: the balancer places it later.
    }
  }

  private static ServerName server(RegionLocator locator, RegionInfo region) throws IOException {
    HRegionLocation at = locator.getRegionLocation(region.getStartKey());
    return at.getServerName();
  }

  private void merge(Admin admin, List<RegionInfo> regions) throws IOException {
    byte[][] names = regions.stream().map(RegionInfo::getRegionName).toArray(byte[][]::new);
    try {
      admin.mergeRegionsAsync(names, false).get(MERGE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | DoNotRetryIOException e) {
      throw new MigrationException(
          FailureMessage.of("regions were not merged")
              .with("table", table)
              .with("regions", regions.size())
              .with("first", regions.get(0).getEncodedName())
              .with("cause", (e.getCause() == null ? e : e.getCause()).getMessage())
              .remedy(
                  "regions that were split or merged a short time ago can be merged again when"
                      + " they have been compacted (HBase's shell: major_compact), then repeat"
                      + " the command"),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while regions were merged");
    }
  }
}
