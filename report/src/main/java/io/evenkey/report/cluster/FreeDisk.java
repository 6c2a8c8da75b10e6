/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.cluster;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.jspecify.annotations.Nullable;

/**
 * What is free on HBase's file system.
 *
 * @param megabytes of all disks together
 * @param replicas how often the file system stores each byte
 */
public record FreeDisk(double megabytes, int replicas) {
  private static final double MEGABYTE = 1 << 20;

  /**
   * Asks the file system; null if the settings do not name it, or it does not say.
   *
   * @param settings those of a client, which often have no {@code hbase.rootdir}
   */
  public static @Nullable FreeDisk of(Configuration settings) {
    String[] sources = settings.getPropertySources(HConstants.HBASE_DIR);
    // HBase's default is a directory of this machine.
    if (sources == null || Arrays.stream(sources).allMatch("hbase-default.xml"::equals)) {
      return null;
    }
    Configuration brief = new Configuration(settings);
    brief.setInt("ipc.client.connect.timeout", 2_000);
    brief.setInt("ipc.client.connect.max.retries", 1);
    brief.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
    Path root = new Path(settings.get(HConstants.HBASE_DIR, ""));
    try (FileSystem files = FileSystem.newInstance(root.toUri(), brief)) {
      FsStatus status = files.getStatus(root);
      // A directory of another machine has no size here, and object stores have no end.
      boolean known = status.getCapacity() > 0 && status.getRemaining() < Long.MAX_VALUE;
      return known
          ? new FreeDisk(status.getRemaining() / MEGABYTE, files.getDefaultReplication(root))
          : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Whether so many megabytes, in one replica, have room. */
  public boolean hasRoomFor(double needed) {
    return needed * replicas <= megabytes;
  }
}
