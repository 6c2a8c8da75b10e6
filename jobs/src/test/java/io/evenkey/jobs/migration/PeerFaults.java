/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.jobs.schedule.RegionFaults;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Some faults of two clusters and of the replication between them, at random moments. Then, or when
 * it is closed, replication goes on.
 */
final class PeerFaults implements AutoCloseable {
  /** With more, replication might never catch up. */
  private static final int MOST = 10;

  private static final int MOST_KILLS = 1;
  private static final int LONGEST_QUIET_MS = 4_000;

  private final PeerCluster source;
  private final PeerCluster peer;
  private final String id;
  private final List<TableName> tables;
  private final SplittableRandom random;
  private final CountDownLatch ends = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "faults");
  private final Map<PeerCluster, Integer> kills = new HashMap<>();
  private boolean isLost;
  private volatile @Nullable Throwable failure;

  /**
   * @param id the peer's
   * @param tables of both clusters, whose regions move and split
   */
  PeerFaults(
      PeerCluster source,
      PeerCluster peer,
      String id,
      List<TableName> tables,
      SplittableRandom random) {
    this.source = source;
    this.peer = peer;
    this.id = id;
    this.tables = tables;
    this.random = random;
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      for (int i = 0; i < MOST; i++) {
        if (ends.await(1 + random.nextInt(LONGEST_QUIET_MS), TimeUnit.MILLISECONDS)) {
          break;
        }
        one();
      }
      link(true);
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  private void one() throws IOException {
    switch (random.nextInt(6)) {
      case 0, 1 -> regions(source);
      case 2, 3 -> regions(peer);
      case 4 -> link(!source.isLinked());
      default -> sendAgain();
    }
  }

  private synchronized void regions(PeerCluster cluster) throws IOException {
    if (isLost && cluster.equals(source) || kills(cluster) == MOST_KILLS) {
      return;
    }
    List<ServerName> before = cluster.hbase().servers();
    RegionFaults.one(cluster.hbase(), tables, random);
    if (!cluster.hbase().servers().containsAll(before)) {
      kills.merge(cluster, 1, Integer::sum);
    }
  }

  private synchronized void link(boolean on) throws IOException {
    if (!isLost) {
      source.link(id, on);
    }
  }

  private synchronized void sendAgain() throws IOException {
    if (!isLost) {
      source.sendAgain(id);
    }
  }

  /** The source is lost: it has no faults from here on, and replication stays as it is. */
  synchronized void loseSource() {
    isLost = true;
  }

  /** The number of servers of a cluster that were killed. */
  synchronized int kills(PeerCluster cluster) {
    return kills.getOrDefault(cluster, 0);
  }

  void check() {
    if (failure != null) {
      throw new AssertionError("a fault failed", failure);
    }
  }

  @Override
  public void close() {
    ends.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    check();
  }
}
