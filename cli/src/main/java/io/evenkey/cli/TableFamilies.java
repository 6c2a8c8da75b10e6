/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.records.CellName;
import io.evenkey.report.cluster.Cluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** The column families of a table, as names of columns in files begin with them. */
final class TableFamilies {
  private TableFamilies() {}

  /** The families; none if the user may not see them, which reading and writing do not need. */
  static List<String> of(Cluster open, TableName table) throws IOException {
    try (Admin admin = open.connection().getAdmin()) {
      return admin.getDescriptor(table).getColumnFamilyNames().stream()
          .map(CellName::text)
          .toList();
    } catch (AccessDeniedException e) {
      return List.of();
    }
  }
}
