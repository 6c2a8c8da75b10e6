package io.evenkey.app.cluster;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.descriptor.NewTable;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Scope;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/**
 * An HBase and the registry that goes with it. Closing it closes all of it.
 *
 * @param connection to which rows are what is stored
 */
public record Cluster(
    Configuration configuration, Connection connection, Registry registry, SpreadTables tables)
    implements AutoCloseable {
  /**
   * Connects; to a cluster with Kerberos as the user of the settings or of the ticket cache.
   *
   * @throws io.evenkey.client.zookeeper.RegistryException if ZooKeeper does not answer: asked
   *     before HBase is, which would try for minutes
   * @throws IOException if no region server serves {@code hbase:meta}, without which each request
   *     of a command would wait for its own timeout
   */
  public static Cluster open(Configuration configuration) throws IOException {
    KerberosLogin.of(configuration);
    Registry registry = Registry.open(configuration);
    try {
      return connect(configuration, registry);
    } catch (IOException | RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  private static Cluster connect(Configuration configuration, Registry registry)
      throws IOException {
    Connection connection = ConnectionFactory.createConnection(configuration);
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      meta.exists(new Get(TableName.META_TABLE_NAME.getName()));
      return new Cluster(configuration, connection, registry, SpreadTables.on(connection));
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Refuses what is planned for a table if the table could not be created so, its namespace's plan
   * taken with it: better said now than then.
   */
  public void checkCreatable(TableName table, Plan plan) throws IOException {
    Plan whole = plan.over(registry.plans().get(Scope.namespaceOf(table)).value());
    if (whole.layout() != null) {
      planned(table, whole);
    }
  }

  /** What a table would be created as by a plan, with a family where that names none. */
  public NewTable planned(TableName table, Plan plan) throws IOException {
    return tables.planned(table, plan, plan.families().isEmpty() ? List.of("d") : List.of());
  }

  /**
   * Opens a table to write to it.
   *
   * @throws TableNotEnabledException if it is disabled: HBase's client would send batches of rows
   *     to its servers again and again, until the timeout
   */
  public SpreadTable openToWrite(TableName table) throws IOException {
    SpreadTable open = tables.open(table);
    try (Admin admin = connection.getAdmin()) {
      if (admin.isTableDisabled(open.generation())) {
        throw new TableNotEnabledException(table);
      }
    }
    return open;
  }

  @Override
  public void close() throws IOException {
    try (registry;
        connection) {
      tables.close();
    }
  }
}
