/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.Plausibility;
import io.evenkey.client.internal.verify.TableCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Checks that descriptor, registry and rows of each table agree about its layout.
 *
 * @param sample the number of rows that are read of each table
 */
record LayoutCheck(Connection connection, Registry registry, int sample) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    Set<TableName> all = new TreeSet<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableDescriptor table : SpreadTableList.of(admin)) {
        all.add(table.getTableName());
      }
      for (LayoutRecord recorded : registry.layouts().all()) {
        if (!admin.tableExists(recorded.table())) {
          findings.add(
              CheckFinding.advice(
                  "registry has a layout of a table that is not there: table=" + recorded.table(),
                  "harmless; a table that is created under this name with another layout is"
                      + " rejected until evenkey verify TABLE --trust descriptor"));
        } else if (SpreadTableList.isInUse(admin, admin.getDescriptor(recorded.table()))) {
          all.add(recorded.table());
        }
      }
    }
    for (TableName table : all) {
      table(table, findings);
    }
    return findings;
  }

  private void table(TableName table, List<CheckFinding> findings) {
    TableCheck check;
    try {
      check = TableCheck.of(connection, registry, table, sample);
    } catch (IOException | RuntimeException e) {
      findings.add(CheckFinding.of(e));
      return;
    }
    FittingRows fit = check.inDescriptor();
    if (!check.agrees()) {
      findings.add(
          CheckFinding.problem(
              "descriptor and registry disagree on a layout: table="
                  + table
                  + " descriptor="
                  + (fit == null ? "none" : fit.layout())
                  + " registry="
                  + check.recorded(),
              "clients reject the table: evenkey verify "
                  + table
                  + " shows which of them fits the rows, and corrects the other"));
    } else if (fit != null && !check.isSound()) {
      boolean usable = check.isUsable(CheckSettings.of(connection.getConfiguration()));
      String text =
          "rows that were not written under the table's layout: table="
              + table
              + " rows="
              + fit.rows()
              + " foreign="
              + fit.foreign();
      findings.add(
          usable
              ? CheckFinding.advice(text, "evenkey verify " + table + " names them")
              : CheckFinding.problem(
                  text,
                  "clients reject the table: evenkey adopt "
                      + table
                      + " detects the layout of its rows"));
    } else if (fit != null) {
      for (String doubt : Plausibility.doubts(fit.layout(), check.rows().rows())) {
        findings.add(
            CheckFinding.advice(
                "table=" + table + " " + doubt,
                "conditions and steps on such a field match no row: evenkey adopt "
                    + table
                    + " --layout … --record corrects a line whose rows have the same bytes"));
      }
    }
  }
}
