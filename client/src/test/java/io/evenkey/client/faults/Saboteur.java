/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.faults;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.ZooKeeperSession;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Does harm to a running HBase, and waits until HBase has helped itself. */
final class Saboteur {
  private static final int SERVERS = 3;

  private final EmbeddedHBase hbase;
  private final Connection client;
  private final TableName table;
  private final SplittableRandom random;
  private final Lock noWrites;

  /**
   * A saboteur.
   *
   * @param client HBase's own connection, of the client that is to suffer
   * @param noWrites keeps writers from writing
   */
  Saboteur(
      EmbeddedHBase hbase,
      Connection client,
      TableName table,
      SplittableRandom random,
      Lock noWrites) {
    this.hbase = hbase;
    this.client = client;
    this.table = table;
    this.random = random;
    this.noWrites = noWrites;
  }

  void inflict(Fault fault) throws Exception {
    switch (fault) {
      case SPLIT -> split();
      case MOVE -> move();
      case SLOW -> slow();
      case KILL -> kill();
      case MERGE -> merge();
      case EXPIRE_SERVER -> expireServer();
      case EXPIRE_CLIENT -> expireClient();
    }
  }

  private Admin admin() throws IOException {
    return hbase.connection().getAdmin();
  }

  private ServerName anyServer() {
    List<ServerName> servers = hbase.servers();
    return servers.get(random.nextInt(servers.size()));
  }

  private List<RegionInfo> regions() throws IOException {
    return admin().getRegions(table);
  }

  private RegionInfo anyRegion() throws IOException {
    List<RegionInfo> regions = regions();
    return regions.get(random.nextInt(regions.size()));
  }

  /** Something that is asked of HBase. */
  @FunctionalInterface
  private interface Request {
    Future<?> send() throws IOException;
  }

  // HBase says no to some of these, as to splitting a region that has just been split.
  private static void ask(Request request) throws Exception {
    try {
      request.send().get(60, TimeUnit.SECONDS);
    } catch (IOException refused) {
      return;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof IOException)) {
        throw e;
      }
    }
  }

  private void split() throws Exception {
    RegionInfo region = anyRegion();
    byte[] middle = new byte[4];
    byte[] start = region.getStartKey();
    System.arraycopy(start, 0, middle, 0, Math.min(start.length, middle.length));
    // Keys behind the salt are random bytes: this is between two of them.
    middle[1] = (byte) (start.length < 2 ? 0x80 : start[1] + 0x20);
    if (region.containsRow(middle)) {
      ask(() -> admin().splitRegionAsync(region.getRegionName(), middle));
    }
  }

  private void move() throws Exception {
    ask(
        () -> {
          admin().move(anyRegion().getEncodedNameAsBytes(), anyServer());
          return CompletableFuture.completedFuture(null);
        });
  }

  private void slow() throws Exception {
    SlowServer.slowDown(anyServer());
    try {
      TimeUnit.SECONDS.sleep(2);
    } finally {
      SlowServer.slowDown(null);
    }
  }

  private void merge() throws Exception {
    List<RegionInfo> regions = regions();
    if (regions.size() > 6) {
      int at = random.nextInt(regions.size() - 1);
      byte[][] neighbours = {
        regions.get(at).getEncodedNameAsBytes(), regions.get(at + 1).getEncodedNameAsBytes()
      };
      ask(() -> admin().mergeRegionsAsync(neighbours, false));
    }
  }

  private void kill() throws Exception {
    ServerName victim = anyServer();
    hbase.kill(victim);
    recover(victim);
  }

  private void expireServer() throws Exception {
    ServerName victim = anyServer();
    // Without HDFS, a server that does not yet know would acknowledge writes to a lost log.
    noWrites.lock();
    try {
      hbase.expireSession(victim);
      awaitEndOf(victim);
    } finally {
      noWrites.unlock();
    }
    recover(victim);
  }

  private void awaitEndOf(ServerName victim) {
    Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !hbase.servers().contains(victim));
  }

  private void recover(ServerName victim) throws Exception {
    awaitEndOf(victim);
    while (hbase.servers().size() < SERVERS) {
      hbase.startServer();
    }
    try {
      awaitAllServed();
    } catch (ConditionTimeoutException e) {
      // HBase may leave a region on no server that moved while servers died. An operator assigns
      // it.
      List<String> unserved = unserved();
      System.out.println("faults: assigned by hand: " + unserved + ", " + e.getMessage());
      hbase.connection().getHbck().assigns(unserved);
      awaitAllServed();
    }
  }

  private void awaitAllServed() {
    Awaitility.await("all regions are served")
        .atMost(75, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(
            () ->
                admin().getClusterMetrics().getRegionStatesInTransition().isEmpty()
                    && unserved().isEmpty());
  }

  /** The encoded names of the table's regions that are on no server in service. */
  private List<String> unserved() throws IOException {
    List<ServerName> inService = hbase.servers();
    try (RegionLocator locator = hbase.connection().getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      return locator.getAllRegionLocations().stream()
          .filter(location -> !inService.contains(location.getServerName()))
          .map(location -> location.getRegion().getEncodedName())
          .toList();
    }
  }

  // The client holds a session only now and then: when it looks for the master or for meta.
  private void expireClient() throws Exception {
    client.clearRegionLocationCache();
    Object registry = field(client, "registry");
    Object reader = field(registry, "zk");
    ZooKeeper open = (ZooKeeper) field(reader, "zookeeper");
    if (open != null && open.getState().isConnected()) {
      ZooKeeperSession.expire(hbase.zooKeeperPort(), open);
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
