/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.query.Rows;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.TestInfo;

/** Tables of the tests, made and read. */
public final class Tables {
  private Tables() {}

  /**
   * A name that no other test, of this class or another one, and no other run of a parameterized
   * test, has.
   */
  public static TableName nameOf(TestInfo test) {
    String run = test.getTestClass().orElseThrow().getName() + test.getDisplayName();
    return TableName.valueOf(
        test.getTestMethod().orElseThrow().getName() + Integer.toHexString(run.hashCode()));
  }

  /** A table of up to ten versions, cut into four regions. */
  public static SpreadTable create(
      Connection connection, SpreadTables tables, String name, String line) throws IOException {
    Layout layout = Layout.parse(line);
    SpreadTable table =
        tables.create(TableName.valueOf(name), layout, layout.splits(4), List.of("d"));
    try (Admin admin = connection.getAdmin()) {
      admin.modifyColumnFamily(
          table.name(),
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("d")).setMaxVersions(10).build());
    }
    return table;
  }

  /** Drops all generations of a table, and the tables of their keys. */
  public static void dropGenerations(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Pattern generations =
          Pattern.compile(Pattern.quote(name.getNameAsString()) + "(\\.g[0-9]+(\\.keys)?)?");
      for (TableName table : admin.listTableNames(generations)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
  }

  /** The rows of a table: the fields of the key, joined by commas, to values by column. */
  public static Map<String, Map<String, String>> content(SpreadTable table) throws IOException {
    int fields = table.layout().fields().size();
    Map<String, Map<String, String>> content = new TreeMap<>();
    try (Rows rows = RowQuery.all().open(table)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        Map<String, String> values = new TreeMap<>();
        row.entries()
            .subList(fields, row.entries().size())
            .forEach(entry -> values.put(entry.name(), entry.text()));
        String key =
            String.join(
                ",", row.entries().subList(0, fields).stream().map(Row.Entry::text).toList());
        if (content.put(key, values) != null) {
          throw new AssertionError("a row twice: " + key);
        }
      }
    }
    return content;
  }

  /** The number of stored cells, all versions of them. */
  public static int versions(Connection connection, TableName name) throws IOException {
    int cells = 0;
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().readAllVersions().setRaw(true))) {
      for (Result row : rows) {
        cells += row.size();
      }
    }
    return cells;
  }

  /** The timestamps of all versions of all cells. */
  public static Set<Long> timestamps(Connection connection, TableName name) throws IOException {
    Set<Long> timestamps = new TreeSet<>();
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().readAllVersions().setRaw(true))) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          timestamps.add(cell.getTimestamp());
        }
      }
    }
    return timestamps;
  }
}
