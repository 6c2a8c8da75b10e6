/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one table, and what its holder does. Its nodes are those of {@link
 * org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex}, by which earlier versions
 * lock. Thread-safe.
 *
 * @param node its node in the registry
 */
record TableLock(CuratorFramework client, String node) {
  /** Marks a node of this version; earlier ones have an address that Curator wrote. */
  private static final String KNOWN = "work=";

  /**
   * Takes the lock.
   *
   * @param work what the holder is about to do, for those who wait in vain
   * @param author the user
   * @return to be closed; null if another process has had it for all that time
   */
  @Nullable Lease take(String work, String author, Duration atMost) throws Exception {
    InterProcessSemaphoreV2 lock = new InterProcessSemaphoreV2(client, node, 1);
    String process = ManagementFactory.getRuntimeMXBean().getName();
    String holder = KNOWN + '"' + work + "\" user=" + author + " process=" + process;
    lock.setNodeData(holder.getBytes(StandardCharsets.UTF_8));
    return lock.acquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The holder as {@code name=value} pairs; empty if no process has the lock, or it is not known.
   */
  String holder() throws Exception {
    List<String> leases = client.getChildren().forPath(node + "/leases");
    // One that waits has a lease too, with a later number.
    String first = leases.stream().min(Comparator.comparing(TableLock::number)).orElse(null);
    if (first == null) {
      return "";
    }
    try {
      Stat stat = new Stat();
      byte[] data = client.getData().storingStatIn(stat).forPath(node + "/leases/" + first);
      String holder = new String(data, StandardCharsets.UTF_8);
      return holder.startsWith(KNOWN)
          ? holder + " since=" + Instant.ofEpochMilli(stat.getCtime())
          : "";
    } catch (KeeperException.NoNodeException e) {
      return "";
    }
  }

  private static String number(String lease) {
    return lease.substring(lease.lastIndexOf('-') + 1);
  }
}
