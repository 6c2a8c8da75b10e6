/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.replication.ReplicationException;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;
import org.apache.hadoop.hbase.replication.ReplicationQueueStorage;
import org.apache.hadoop.hbase.replication.ReplicationStorageFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;

/** A cluster that replicates its tables to another one, or the other one. */
record PeerCluster(EmbeddedHBase hbase, SpreadTables tables, Registry registry)
    implements AutoCloseable {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  static PeerCluster start(Path directory, String id, int servers, Map<String, String> more)
      throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put(HConstants.REPLICATION_CLUSTER_ID, id);
    settings.put("replication.source.sleepforretries", "50");
    settings.put("replication.source.maxretriesmultiplier", "4");
    settings.put("replication.sleep.before.failover", "100");
    settings.put("hbase.serial.replication.waiting.ms", "50");
    // The sink's client gives up soon, and the source repeats.
    settings.put("hbase.client.sync.wait.timeout.msec", "10000");
    EmbeddedHBase hbase =
        EmbeddedHBase.in(directory.resolve(id))
            .servers(servers)
            .guard(true)
            .settings(settings)
            .start();
    return new PeerCluster(
        hbase,
        SpreadTables.on(hbase.connection()),
        Registry.open(hbase.connection().getConfiguration()));
  }

  Connection plain() throws IOException {
    return hbase.connection();
  }

  void create(TableName name, Layout layout) throws IOException {
    tables.create(name, layout, layout.splits(2), List.of("d"));
    try (Admin admin = plain().getAdmin()) {
      admin.modifyColumnFamily(
          name,
          ColumnFamilyDescriptorBuilder.newBuilder(D)
              .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
              .build());
    }
  }

  Migration migration(TableName name) throws IOException {
    return registry.migrations().get(name).map(Versioned::value).orElse(null);
  }

  Stage stage(TableName name) throws IOException {
    Migration migration = migration(name);
    return migration == null ? null : migration.stage();
  }

  void put(TableName name, String id, String value) throws IOException {
    SpreadTable table = tables.open(name);
    byte[] key = table.layout().logicalKey(Values.of("id", id));
    table.put(new Put(key).addColumn(D, Q, Bytes.toBytes(value)));
  }

  /** What clients read. */
  Map<String, String> rows(TableName name) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    read(tables, name)
        .forEach(row -> rows.put(Bytes.toString(row.getRow()), Bytes.toString(row.getValue(D, Q))));
    return rows;
  }

  static List<Result> read(SpreadTables tables, TableName name) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = tables.open(name).scan(KeyRange.all(), new Scan())) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  /** All that clients read. */
  private static List<String> cells(SpreadTables tables, TableName name) throws IOException {
    return read(tables, name).stream()
        .flatMap(row -> row.listCells().stream())
        .map(cell -> cell + " " + Bytes.toStringBinary(CellUtil.cloneValue(cell)))
        .toList();
  }

  static void awaitSame(SpreadTables here, SpreadTables there, TableName name) {
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(cells(there, name)).isEqualTo(cells(here, name)));
  }

  /**
   * Adds a serial peer, to which nothing is sent that was written before. A row that came from
   * there would not be sent on, and serial replication waits for such a row for ever if it is the
   * last of a region when its server dies.
   */
  void replicateTo(PeerCluster to, String id) throws IOException {
    rollLogs();
    Configuration conf = to.hbase.configuration();
    try (Admin admin = plain().getAdmin()) {
      admin.addReplicationPeer(
          id,
          ReplicationPeerConfig.newBuilder()
              .setClusterKey("127.0.0.1:" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT) + ":/hbase")
              .setSerial(true)
              .build());
    }
  }

  /** Whether all peers are enabled. */
  boolean isLinked() throws IOException {
    try (Admin admin = plain().getAdmin()) {
      return admin.listReplicationPeers().stream().allMatch(ReplicationPeerDescription::isEnabled);
    }
  }

  /** Enables or disables a peer. */
  void link(String id, boolean on) throws IOException {
    if (isLinked() == on) {
      return;
    }
    try (Admin admin = plain().getAdmin()) {
      if (on) {
        admin.enableReplicationPeer(id);
      } else {
        admin.disableReplicationPeer(id);
      }
    }
  }

  /** Changes the settings of a peer: HBase sends the current logs again from their beginning. */
  void sendAgain(String id) throws IOException {
    try (Admin admin = plain().getAdmin()) {
      ReplicationPeerConfig now = admin.getReplicationPeerConfig(id);
      Map<TableName, List<String>> others =
          now.getExcludeTableCFsMap() == null
              ? Map.of(TableName.valueOf("no-such-table"), List.of())
              : null;
      admin.updateReplicationPeerConfig(
          id, ReplicationPeerConfig.newBuilder(now).setExcludeTableCFsMap(others).build());
    }
  }

  /** Removes a peer. What was not sent is not sent to the next one: its queue is a new log. */
  void endReplication(String id) throws IOException {
    try (Admin admin = plain().getAdmin()) {
      if (!admin.listReplicationPeers().isEmpty()) {
        admin.removeReplicationPeer(id);
      }
    }
    rollLogs();
  }

  private void rollLogs() throws IOException {
    try (Admin admin = plain().getAdmin()) {
      for (ServerName server : hbase.servers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  /** Waits until nothing waits to be sent, also of servers that were killed. */
  void awaitAllSent() throws IOException {
    rollLogs();
    try (ZKWatcher zookeeper = new ZKWatcher(hbase.configuration(), "queues", null)) {
      ReplicationQueueStorage queues =
          ReplicationStorageFactory.getReplicationQueueStorage(zookeeper, hbase.configuration());
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertThat(waiting(queues)).isEmpty());
    }
  }

  // Each server keeps its current log, which is empty.
  private List<String> waiting(ReplicationQueueStorage queues) throws ReplicationException {
    List<ServerName> live = hbase.servers();
    List<String> waiting = new ArrayList<>();
    for (ServerName server : queues.getListOfReplicators()) {
      for (String queue : queues.getAllQueues(server)) {
        List<String> logs = queues.getWALsInQueue(server, queue);
        if (logs.size() > 1 || !logs.isEmpty() && (queue.contains("-") || !live.contains(server))) {
          waiting.add(server + " " + queue + " " + logs);
        }
      }
    }
    return waiting;
  }

  @Override
  public void close() throws IOException {
    try (hbase) {
      registry.close();
      tables.close();
    }
  }
}
