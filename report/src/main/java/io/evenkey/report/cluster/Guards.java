/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.cluster;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.GuardQuestion;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardClasses;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/** Finds the guard in servers and tables, and adds it to or removes it from a table. Stateless. */
public final class Guards {
  private Guards() {}

  /**
   * A region server, by its last report.
   *
   * @param regions the number of open regions of users' tables
   * @param guard whether one of these regions has the guard; null if none is open
   */
  public record OfServer(ServerName server, int regions, @Nullable Boolean guard) {}

  /**
   * A table with a layout.
   *
   * @param attribute whether the guard is an attribute of the table
   * @param answer the answer of the guard of the first region; null if the region has no guard
   * @param problem the failure of the request to the region; null if the region answered
   */
  public record OfTable(
      TableName table,
      String layout,
      boolean attribute,
      @Nullable GuardAnswer answer,
      @Nullable IOException problem) {}

  /**
   * An HBase.
   *
   * @param master the active master; null if none is active
   * @param masterGuard whether the active master has the guard
   * @param servers the live region servers, by name
   * @param tables the tables with a layout that the user may see, by name
   */
  public record Survey(
      @Nullable ServerName master,
      boolean masterGuard,
      List<OfServer> servers,
      List<OfTable> tables) {
    /** Whether no server or table is known to lack the guard. */
    public boolean isComplete() {
      return masterGuard
          && servers.stream().noneMatch(server -> Boolean.FALSE.equals(server.guard()))
          && tables.stream().noneMatch(table -> table.answer() == null && table.problem() == null);
    }
  }

  /** Asks servers and tables for the guard. */
  public static Survey survey(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      ClusterMetrics cluster =
          admin.getClusterMetrics(
              EnumSet.of(
                  ClusterMetrics.Option.LIVE_SERVERS,
                  ClusterMetrics.Option.MASTER,
                  ClusterMetrics.Option.MASTER_COPROCESSORS));
      List<OfServer> servers = new ArrayList<>();
      for (Map.Entry<ServerName, ServerMetrics> server :
          cluster.getLiveServerMetrics().entrySet()) {
        int regions = usersRegions(server.getValue());
        Boolean guard =
            regions == 0
                ? null
                : GuardClasses.isIn(server.getValue().getCoprocessorNames(), GuardClasses.REGION);
        servers.add(new OfServer(server.getKey(), regions, guard));
      }
      servers.sort(Comparator.comparing(OfServer::server));
      List<OfTable> tables = new ArrayList<>();
      for (TableDescriptor table : admin.listTableDescriptors()) {
        String layout = table.getValue(TableLayout.LAYOUT);
        if (layout != null) {
          tables.add(ofTable(connection, table, layout));
        }
      }
      tables.sort(Comparator.comparing(OfTable::table));
      return new Survey(
          cluster.getMasterName(),
          GuardClasses.isIn(cluster.getMasterCoprocessorNames(), GuardClasses.MASTER),
          List.copyOf(servers),
          List.copyOf(tables));
    }
  }

  private static int usersRegions(ServerMetrics server) throws IOException {
    int regions = 0;
    for (byte[] name : server.getRegionMetrics().keySet()) {
      if (!RegionInfo.getTable(name).isSystemTable()) {
        regions++;
      }
    }
    return regions;
  }

  private static OfTable ofTable(Connection connection, TableDescriptor table, String layout) {
    TableName name = table.getTableName();
    boolean attribute = table.hasCoprocessor(GuardClasses.REGION);
    try {
      return new OfTable(
          name, layout, attribute, GuardQuestion.ask(connection, name).orElse(null), null);
    } catch (IOException e) {
      return new OfTable(name, layout, attribute, null, e);
    }
  }

  /**
   * Sets the guard of a jar as an attribute of a table, or replaces the attribute, and reopens the
   * table's regions.
   *
   * @param jar the jar's path for region servers and the master, such as {@code
   *     hdfs:///evenkey/server.jar}
   */
  public static void install(Connection connection, TableName table, String jar)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(table);
      TableDescriptorBuilder next = TableDescriptorBuilder.newBuilder(now);
      if (now.hasCoprocessor(GuardClasses.REGION)) {
        next.removeCoprocessor(GuardClasses.REGION);
      }
      next.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(GuardClasses.REGION).setJarPath(jar).build());
      admin.modifyTable(next.build());
    }
  }

  /**
   * Removes the attribute, and reopens the table's regions.
   *
   * @return whether the table had the attribute
   * @throws IOException if the table is being migrated
   */
  public static boolean remove(Connection connection, TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(table);
      if (!now.hasCoprocessor(GuardClasses.REGION)) {
        return false;
      }
      GuardState state = TableGuard.state(now);
      if (state.mode() != GuardMode.OPEN) {
        throw new EvenkeyException(
            "a migration needs the guard: table="
                + table
                + " state="
                + state
                + "; finish the migration or roll it back first");
      }
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(now).removeCoprocessor(GuardClasses.REGION).build());
      return true;
    }
  }
}
