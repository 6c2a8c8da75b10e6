/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;

/** Checks which of the tables that the user sees the user may read and write, if HBase checks. */
record RightsCheck(Connection connection) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      if (!admin.getSecurityCapabilities().contains(SecurityCapability.AUTHORIZATION)) {
        return findings;
      }
      String user = User.getCurrent().getShortName();
      List<TableDescriptor> tables = SpreadTableList.of(admin);
      if (tables.isEmpty()) {
        findings.add(
            CheckFinding.advice(
                "user sees no table with a layout: user=" + user,
                "HBase shows the descriptors of tables to users with C or A: run this as an"
                    + " operator, or have one grant '"
                    + user
                    + "', 'C', 'TABLE'. Clients need R and W only"));
      }
      for (TableDescriptor table : tables) {
        String missing = missing(admin, table.getTableName());
        if (!missing.isEmpty()) {
          findings.add(
              CheckFinding.advice(
                  "rights that the user lacks: user="
                      + user
                      + " table="
                      + table.getTableName()
                      + " rights="
                      + missing,
                  "if this user reads and writes the table: grant '"
                      + user
                      + "', '"
                      + missing
                      + "', '"
                      + table.getTableName()
                      + "' in HBase's shell"));
        }
      }
    }
    return findings;
  }

  private static String missing(Admin admin, TableName table) throws IOException {
    List<Action> actions = List.of(Action.READ, Action.WRITE);
    List<Boolean> has =
        admin.hasUserPermissions(
            actions.stream()
                .map(action -> Permission.newBuilder(table).withActions(action).build())
                .toList());
    StringBuilder missing = new StringBuilder();
    for (int i = 0; i < actions.size(); i++) {
      missing.append(has.get(i) ? "" : actions.get(i).name().substring(0, 1));
    }
    return missing.toString();
  }
}
