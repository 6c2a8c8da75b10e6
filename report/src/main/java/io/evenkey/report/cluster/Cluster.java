/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.cluster;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.plan.NewTable;
import io.evenkey.client.plan.Plan;
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
 * Connections to an HBase and its registry. Closing this closes both.
 *
 * @param connection HBase's own connection; rows are physical
 */
public record Cluster(
    Configuration configuration, Connection connection, Registry registry, SpreadTables tables)
    implements AutoCloseable {
  /**
   * Connects. On a cluster with Kerberos, logs in as the principal of the settings or of the ticket
   * cache.
   *
   * @throws io.evenkey.client.failure.RegistryException if ZooKeeper does not answer; it is asked
   *     before HBase, whose client would retry for minutes
   * @throws IOException if no region server serves {@code hbase:meta}; otherwise each request of a
   *     command would wait for its own timeout
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
   * Refuses a plan, merged with its namespace's plan, if the table could not be created from it:
   * the operator learns it when the plan is stored, not when the table is created.
   */
  public void checkCreatable(TableName table, Plan plan) throws IOException {
    Plan whole = plan.over(registry.plans().get(Scope.namespaceOf(table)).value());
    if (whole.layout() != null) {
      planned(table, whole);
    }
  }

  /** The table that a plan describes; with a default family if the plan names none. */
  public NewTable planned(TableName table, Plan plan) throws IOException {
    return tables.planned(table, plan, plan.families().isEmpty() ? List.of("d") : List.of());
  }

  /**
   * Opens a table for writing.
   *
   * @throws TableNotEnabledException if the table is disabled; otherwise HBase's client would retry
   *     batches until the timeout
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
