/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.table;

import java.io.IOException;
import org.apache.hadoop.hbase.RSGroupTableAccessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.rsgroup.RSGroupInfo;
import org.apache.hadoop.hbase.security.AccessDeniedException;
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
    try {
      if (RSGroupTableAccessor.isRSGroupsEnabled(plain)) {
        for (RSGroupInfo group : RSGroupTableAccessor.getAllRSGroupInfo(plain)) {
          if (group.containsTable(other) && !group.getName().equals(RSGroupInfo.DEFAULT_GROUP)) {
            return TableDescriptorBuilder.newBuilder(table)
                .setRegionServerGroup(group.getName())
                .build();
          }
        }
      }
    } catch (AccessDeniedException e) {
      LOG.warn(
          "group of region servers of {} not known, because this user may not read"
              + " hbase:rsgroup: {} is made in the group of its descriptor or its namespace",
          other,
          table.getTableName());
    }
    return table;
  }
}
