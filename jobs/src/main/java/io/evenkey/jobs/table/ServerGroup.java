/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.table;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.RSGroupTableAccessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.rsgroup.RSGroupInfo;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The group of region servers that serves a table, where HBase has such groups. A table whose
 * descriptor does not name one is created in the group of its namespace, or in the default one.
 * Stateless.
 */
public final class ServerGroup {
  private static final Logger LOG = LoggerFactory.getLogger(ServerGroup.class);

  private ServerGroup() {}

  /** Returns a table that is about to be created with the group of another table. */
  public static TableDescriptor like(Connection plain, TableName other, TableDescriptor table)
      throws IOException {
    RSGroupInfo group = of(plain, other);
    return group == null || group.getName().equals(RSGroupInfo.DEFAULT_GROUP)
        ? table
        : TableDescriptorBuilder.newBuilder(table).setRegionServerGroup(group.getName()).build();
  }

  // Null where there are no groups.
  private static @Nullable RSGroupInfo of(Connection plain, TableName table) throws IOException {
    try {
      if (RSGroupTableAccessor.isRSGroupsEnabled(plain)) {
        for (RSGroupInfo group : RSGroupTableAccessor.getAllRSGroupInfo(plain)) {
          if (group.containsTable(table)) {
            return group;
          }
        }
      }
    } catch (AccessDeniedException e) {
      LOG.warn(
          "group of region servers of {} not known, because this user may not read"
              + " hbase:rsgroup: tables for it are made in the group of its descriptor or its"
              + " namespace",
          table);
    }
    return null;
  }

  /**
   * Checks that the group of a table has a server in service for each replica of a region.
   *
   * @return why it has not; null if it has, or HBase has no groups
   */
  public static @Nullable String tooSmall(Connection plain, TableDescriptor table)
      throws IOException {
    RSGroupInfo group = of(plain, table.getTableName());
    if (group == null) {
      return null;
    }
    long live;
    try (Admin admin = plain.getAdmin()) {
      live =
          admin.getRegionServers().stream()
              .filter(server -> group.containsServer(server.getAddress()))
              .count();
    }
    return live >= table.getRegionReplication()
        ? null
        : String.format(
            Locale.ROOT,
            "group of region servers is too small: group=%s in_service=%d needed=%d",
            group.getName(),
            live,
            table.getRegionReplication());
  }
}
