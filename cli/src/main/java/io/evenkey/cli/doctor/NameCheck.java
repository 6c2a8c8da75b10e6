/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.jobs.migration.generation.MisreadLinks;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Checks that HBase can read the links of clones: the names of tables of which it could not, and
 * the tables that have such links, where HBase's files can be read.
 */
record NameCheck(Connection connection) implements Check {
  @Override
  public List<CheckFinding> findings() throws IOException {
    List<CheckFinding> findings = new ArrayList<>();
    List<TableDescriptor> tables;
    try (Admin admin = connection.getAdmin()) {
      tables = SpreadTableList.of(admin);
    }
    for (TableDescriptor table : tables) {
      if (DerivedTable.isMisread(table.getTableName().getNameAsString())) {
        findings.add(of(table));
      }
    }
    for (TableName table : MisreadLinks.tables(connection.getConfiguration(), tables)) {
      findings.add(
          MisreadLinks.isSplit(connection.getConfiguration(), table)
              ? CheckFinding.problem(
                  "regions that HBase cannot open, because their neighbour was split or merged with"
                      + " links to another table's files: table="
                      + table,
                  "evenkey regions "
                      + table
                      + " --repair-links, with the right to write HBase's files")
              : CheckFinding.problem(
                  "table has links to another table's files that HBase misreads once a region is"
                      + " split or merged, and the next regions would never open: table="
                      + table,
                  "before a region is split, evenkey regions " + table + " --repair-links"));
    }
    return findings;
  }

  private static CheckFinding of(TableDescriptor table) {
    TableName indexed = TableLayout.indexedTable(table);
    if (indexed != null) {
      return CheckFinding.problem(
          "table of an index has a name of an earlier snapshot of Evenkey, by which clients do not"
              + " find it: table="
              + table.getTableName()
              + " index_of="
              + indexed,
          "drop the index, add it again, and drop this table: evenkey index drop " + indexed);
    }
    String generationOf = table.getValue(TableLayout.TABLE);
    return CheckFinding.advice(
        "name of a table that HBase takes for a store file's in links: table="
            + table.getTableName(),
        generationOf != null
            ? "evenkey migrate "
                + generationOf
                + " --rename, which compacts the clone that it makes"
            : "major_compact it after a split, and clones of it, before the next split, which the"
                + " master's guard rejects until then; if regions never open: evenkey regions "
                + table.getTableName()
                + " --repair-links");
  }
}
