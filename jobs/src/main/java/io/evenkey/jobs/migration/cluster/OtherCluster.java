/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.cluster;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.migration.MigrationException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.replication.ReplicationPeerConfigUtil;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;

/**
 * A connection to another cluster, and its registry. As thread-safe as these.
 *
 * @param plain HBase's own connection
 */
public record OtherCluster(Connection plain, Registry registry) implements AutoCloseable {
  /** Connects to a peer by its id. */
  public static OtherCluster peer(Connection here, String id) throws IOException {
    try (Admin admin = here.getAdmin()) {
      ReplicationPeerDescription peer =
          admin.listReplicationPeers().stream()
              .filter(other -> other.getPeerId().equals(id))
              .findAny()
              .orElseThrow(
                  () ->
                      new MigrationException(
                          "replication peer that is migrated too was removed: peer="
                              + id
                              + "; add it again, or "
                              + Remedy.CONTINUE_ALONE));
      return peer(here, peer);
    }
  }

  static OtherCluster peer(Connection here, ReplicationPeerDescription peer) throws IOException {
    return open(ReplicationPeerConfigUtil.getPeerClusterConfiguration(own(here), peer));
  }

  /** Connects to the cluster from which a table is replicated. */
  static OtherCluster source(Connection here, String key) throws IOException {
    return open(HBaseConfiguration.createClusterConf(own(here), key));
  }

  private static Configuration own(Connection here) {
    return EvenkeyConnection.plain(here.getConfiguration());
  }

  private static OtherCluster open(Configuration configuration) throws IOException {
    Connection plain = ConnectionFactory.createConnection(configuration);
    try {
      return new OtherCluster(plain, Registry.open(configuration));
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  /** The last migration of a table there. */
  public Optional<Migration> migration(TableName table) throws IOException {
    return registry.migrations().get(table).map(Versioned::value);
  }

  @Override
  public void close() throws IOException {
    try (plain) {
      registry.close();
    }
  }
}
