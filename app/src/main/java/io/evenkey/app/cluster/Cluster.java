package io.evenkey.app.cluster;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.registry.Registry;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * An HBase and the registry that goes with it. Closing it closes all of it.
 *
 * @param connection to which rows are what is stored
 */
public record Cluster(
    Configuration configuration, Connection connection, Registry registry, SpreadTables tables)
    implements AutoCloseable {
  /**
   * Connects.
   *
   * @throws io.evenkey.client.registry.RegistryException if ZooKeeper does not answer: asked before
   *     HBase is, which would try for minutes
   */
  public static Cluster open(Configuration configuration) throws IOException {
    Registry registry = Registry.open(configuration);
    try {
      Connection connection = ConnectionFactory.createConnection(configuration);
      return new Cluster(configuration, connection, registry, SpreadTables.on(connection));
    } catch (IOException | RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try (registry;
        connection) {
      tables.close();
    }
  }
}
