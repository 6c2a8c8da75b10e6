/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.security;

import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.GetUserPermissionsRequest;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.TablePermission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rights of users, which HBase keeps under a table's name: the next generation and indexes get
 * them. As thread-safe as the connection.
 */
public final class TableRights {
  private final Connection plain;

  public TableRights(Connection plain) {
    this.plain = plain;
  }

  /**
   * The rights that the user lacks to give a table a next generation, each with its remedy; empty
   * if HBase checks none.
   *
   * @param creates whether a table is made in its namespace
   */
  public List<String> missing(TableName table, boolean creates) throws IOException {
    List<String> missing = new ArrayList<>();
    try (Admin admin = plain.getAdmin()) {
      if (!admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION)) {
        return missing;
      }
      List<Permission> wanted = new ArrayList<>();
      wanted.add(Permission.newBuilder(table).withActions(Action.READ).build());
      wanted.add(Permission.newBuilder(table).withActions(Action.ADMIN).build());
      if (creates) {
        wanted.add(
            Permission.newBuilder(table.getNamespaceAsString()).withActions(Action.CREATE).build());
      }
      List<Boolean> has = admin.hasUserPermissions(wanted);
      String user = User.getCurrent().getShortName();
      for (int i = 0; i < wanted.size(); i++) {
        if (!has.get(i)) {
          String right = wanted.get(i).getActions()[0].name().substring(0, 1);
          String on = i < 2 ? table.getNameAsString() : "@" + table.getNamespaceAsString();
          missing.add(
              FailureMessage.of("user lacks a right")
                  .with("user", user)
                  .with("right", right)
                  .with("on", on)
                  .remedy("in HBase's shell: grant '" + user + "', '" + right + "', '" + on + "'"));
        }
      }
    }
    return missing;
  }

  /**
   * Grants the rights on one table, its families and columns on another one, too. Rights that only
   * the other one has stay.
   *
   * @throws AccessDeniedException if the user may not read or grant rights on the tables, for which
   *     HBase wants ADMIN
   */
  public void copy(TableName from, TableName to) throws IOException {
    copy(from, permission -> Optional.of(on(to, permission)));
  }

  /**
   * Grants rights on a table on the table of an index, too: those on the whole table, and those to
   * read and write on a family if the index has columns of no other one.
   *
   * @param families the families of the index's columns
   * @throws AccessDeniedException as {@link #copy}
   */
  public void copyToIndex(TableName from, TableName index, Set<String> families)
      throws IOException {
    copy(from, permission -> onIndex(index, permission, families));
  }

  private void copy(TableName from, Function<TablePermission, Optional<Permission>> granted)
      throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (!admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION)) {
        return;
      }
      for (UserPermission user :
          admin.getUserPermissions(GetUserPermissionsRequest.newBuilder(from).build())) {
        if (user.getPermission() instanceof TablePermission permission) {
          Permission next = granted.apply(permission).orElse(null);
          if (next != null) {
            grant(admin, new UserPermission(user.getUser(), next));
          }
        }
      }
    }
  }

  private static Optional<Permission> onIndex(
      TableName index, TablePermission like, Set<String> families) {
    Permission.Builder permission = Permission.newBuilder(index);
    if (!like.hasFamily()) {
      return Optional.of(permission.withActions(like.getActions()).build());
    }
    if (like.hasQualifier() || !families.equals(Set.of(Bytes.toString(like.getFamily())))) {
      return Optional.empty();
    }
    Permission.Action[] actions =
        Arrays.stream(like.getActions())
            .filter(action -> action == Permission.Action.READ || action == Permission.Action.WRITE)
            .toArray(Permission.Action[]::new);
    return actions.length == 0
        ? Optional.empty()
        : Optional.of(permission.withActions(actions).build());
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
}
