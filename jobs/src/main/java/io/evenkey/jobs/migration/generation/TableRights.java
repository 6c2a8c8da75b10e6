/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.TablePermission;
import org.apache.hadoop.hbase.security.access.UserPermission;

/**
 * The settings that HBase keeps under a table's name: the rights of users, which the next
 * generation gets, and quotas, with which a table is refused. As thread-safe as the connection.
 */
final class TableRights {
  private final Connection plain;

  TableRights(Connection plain) {
    this.plain = plain;
  }

  /**
   * Grants the rights on one table, its families and columns on another one, too. Rights that only
   * the other one has stay.
   *
   * @throws AccessDeniedException if the user may not read or grant rights on the tables, for which
   *     HBase wants ADMIN
   */
  void copy(TableName from, TableName to) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (!admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION)) {
        return;
      }
      for (UserPermission granted :
          admin.getUserPermissions(GetUserPermissionsRequest.newBuilder(from).build())) {
        if (granted.getPermission() instanceof TablePermission permission) {
          grant(admin, new UserPermission(granted.getUser(), on(to, permission)));
        }
      }
    }
  }

  // HBase grants who creates a table all rights on it, to superusers too, and lets no other user
  // grant those anything. They have all rights as it is.
  private static void grant(Admin admin, UserPermission permission) throws IOException {
    try {
      admin.grant(permission, false);
    } catch (AccessDeniedException e) {
      if (!String.valueOf(e.getMessage()).contains("superuser")) {
        throw e;
      }
    }
  }

  private static Permission on(TableName table, TablePermission like) {
    Permission.Builder permission = Permission.newBuilder(table).withActions(like.getActions());
    if (like.hasFamily()) {
      permission.withFamily(like.getFamily());
    }
    if (like.hasQualifier()) {
      permission.withQualifier(like.getQualifier());
    }
    return permission.build();
  }

  /** The quotas of a table, as HBase writes them; none where HBase keeps no quotas. */
  List<String> quotas(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      List<String> quotas = new ArrayList<>();
      for (QuotaSettings quota :
          admin.getQuota(new QuotaFilter().setTableFilter(table.getNameAsString()))) {
        quotas.add(quota.toString());
      }
      return quotas;
    } catch (TableNotFoundException e) {
      return List.of();
    }
  }
}
