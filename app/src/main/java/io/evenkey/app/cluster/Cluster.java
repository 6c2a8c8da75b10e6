package io.evenkey.app.cluster;

import io.evenkey.client.NewTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Scope;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
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

  /**
   * Refuses what is planned for a table if the table could not be created so, its namespace's plan
   * taken with it: better said now than then.
   */
  public void checkCreatable(TableName table, Plan plan) throws IOException {
    Plan whole = plan.over(registry.plan(Scope.namespaceOf(table)).value());
    if (whole.layout() != null) {
      planned(table, whole);
    }
  }

  /** What a table would be created as by a plan, with a family where that names none. */
  public NewTable planned(TableName table, Plan plan) throws IOException {
    return tables.planned(table, plan, plan.families().isEmpty() ? List.of("d") : List.of());
  }

  @Override
  public void close() throws IOException {
    try (registry;
        connection) {
      tables.close();
    }
  }
}
