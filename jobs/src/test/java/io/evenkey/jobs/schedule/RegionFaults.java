/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.schedule;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Faults of regions and their servers. */
public final class RegionFaults {
  private RegionFaults() {}

  /**
   * Moves or splits a region, kills a region server, or does nothing.
   *
   * @param tables the tables whose regions may be moved or split, if they are there
   */
  public static void one(EmbeddedHBase hbase, List<TableName> tables, SplittableRandom random)
      throws IOException {
    try (Admin admin = hbase.connection().getAdmin()) {
      List<TableName> there = new ArrayList<>();
      for (TableName table : tables) {
        if (admin.tableExists(table)) {
          there.add(table);
        }
      }
      List<RegionInfo> regions = admin.getRegions(there.get(random.nextInt(there.size())));
      if (regions.isEmpty()) {
        // The master creates the table, for a command that was interrupted.
        return;
      }
      RegionInfo region = regions.get(random.nextInt(regions.size()));
      switch (random.nextInt(4)) {
        case 0 -> admin.move(region.getEncodedNameAsBytes());
        case 1 -> {
          Future<Void> unused = admin.splitRegionAsync(region.getRegionName());
        }
        case 2 -> kill(hbase, random);
        default -> {
          // Nothing happens.
        }
      }
    } catch (DoNotRetryIOException refused) {
      // The region is split already, has nothing to split, or is closed: this fault does not
      // happen.
    }
  }

  /** Schedules that run at once do not choose the same server. */
  private static void kill(EmbeddedHBase hbase, SplittableRandom random) throws IOException {
    synchronized (hbase) {
      ServerName server = hbase.servers().get(random.nextInt(hbase.servers().size()));
      hbase.startServer();
      hbase.kill(server);
    }
  }
}
