/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** Whether the processes of a cluster do their work, asked of themselves. Stateless. */
final class Readiness {
  private static final int TIMEOUT_MS = 5_000;

  private final ClusterOptions options;
  private final Ports ports;
  private final Configuration client;

  /**
   * @param client the configuration of a client of the cluster
   */
  Readiness(ClusterOptions options, Ports ports, Configuration client) {
    this.options = options;
    this.ports = ports;
    this.client = new Configuration(client);
    // A question is asked again soon.
    this.client.setInt("hbase.client.retries.number", 1);
    this.client.setInt("hbase.client.operation.timeout", 2 * TIMEOUT_MS);
    this.client.setInt("hbase.client.meta.operation.timeout", 2 * TIMEOUT_MS);
    this.client.setInt("hbase.rpc.timeout", TIMEOUT_MS);
    this.client.setInt("zookeeper.recovery.retry", 0);
  }

  /**
   * Whether a process does its work.
   *
   * @param startedMs when it was started, in milliseconds since 1970: an earlier process of the
   *     same member does not count
   * @throws IOException if it does not answer
   */
  boolean isReady(Member member, long startedMs) throws IOException {
    return switch (member.role()) {
      // Asked by a login, which is not this one's.
      case KDC -> true;
      case NAME_NODE -> isNameNodeReady();
      case DATA_NODE -> isDataNodeReady(member);
      case ZOOKEEPER -> isZooKeeperReady();
      case RESOURCE_MANAGER ->
          bean(Role.RESOURCE_MANAGER, "ResourceManager", "ClusterMetrics").isObject();
      case NODE_MANAGER ->
          bean(Role.NODE_MANAGER, "NodeManager", "NodeManagerMetrics").isObject()
              && bean(Role.RESOURCE_MANAGER, "ResourceManager", "ClusterMetrics")
                      .path("NumActiveNMs")
                      .asInt()
                  >= 1;
      case HISTORY_SERVER -> bean(member, "JobHistoryServer", "JvmMetrics").isObject();
      case MASTER -> isHBaseReady();
      case REGION_SERVER -> isInService(ports.of(member, "rpc"), startedMs);
    };
  }

  private boolean isNameNodeReady() throws IOException {
    JsonNode files = bean(Role.NAME_NODE, "NameNode", "FSNamesystemState");
    return files.path("FSState").asText().equals("Operational")
        && files.path("NumLiveDataNodes").asInt() >= options.dataNodes();
  }

  // It knows the block pool as soon as the NameNode has taken it.
  private boolean isDataNodeReady(Member member) throws IOException {
    return bean(member, "DataNode", "DataNodeInfo")
        .path("NamenodeAddresses")
        .asText()
        .contains("BP-");
  }

  private boolean isZooKeeperReady() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), ports.of(Role.ZOOKEEPER, "client"))) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .contains("Mode:");
    }
  }

  /** Whether the master has finished its start, and regions can be found. */
  private boolean isHBaseReady() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin();
        Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      meta.exists(new Get(TableName.META_TABLE_NAME.getName()));
      // Refused until the master is initialized.
      admin.listNamespaces();
      return true;
    }
  }

  private boolean isInService(int port, long startedMs) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin()) {
      Collection<ServerName> servers = admin.getRegionServers();
      return servers.stream()
          .anyMatch(server -> server.getPort() == port && server.getStartCode() >= startedMs);
    }
  }

  private JsonNode bean(Role role, String service, String name) throws IOException {
    return bean(Member.of(role), service, name);
  }

  /** A bean of a daemon's metrics, or a missing node. */
  private JsonNode bean(Member member, String service, String name) throws IOException {
    URLConnection connection =
        URI.create(
                "http://localhost:"
                    + ports.of(member, "web")
                    + "/jmx?qry=Hadoop:service="
                    + service
                    + ",name="
                    + name)
            .toURL()
            .openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    try (InputStream in = connection.getInputStream()) {
      return new ObjectMapper().readTree(in).path("beans").path(0);
    }
  }
}
