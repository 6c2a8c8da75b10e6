/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.types.StructType;

/**
 * A table as HBase had it when it was looked up. Immutable.
 *
 * @param options what the user has said of it
 * @param layout the layout of its rows
 * @param anyFamily one of its column families
 * @param columns its columns as Spark sees them
 */
record StoredTable(SourceOptions options, Layout layout, String anyFamily, TableColumns columns) {
  /**
   * Looks the table up.
   *
   * @throws IOException if there is no such table, it has no layout, or HBase does not answer
   * @throws IllegalArgumentException if a column is of a family that the table does not have
   */
  static StoredTable lookup(SourceOptions options) throws IOException {
    TableName name = options.table();
    TableDescriptor descriptor;
    try (Connection connection = ConnectionFactory.createConnection(options.configuration());
        SpreadTables tables = SpreadTables.on(connection);
        Admin admin = connection.getAdmin()) {
      descriptor = admin.getDescriptor(tables.physical(name));
    }
    Layout layout = TableLayout.of(descriptor);
    if (layout == null) {
      throw TableLayoutException.none(name);
    }
    Set<String> families = new TreeSet<>();
    for (byte[] family : descriptor.getColumnFamilyNames()) {
      families.add(Bytes.toString(family));
    }
    for (CellColumn column : options.columns()) {
      if (!families.contains(column.family())) {
        throw new EvenkeyArgumentException(
            "column of a family that the table does not have: column="
                + column
                + " table="
                + name
                + " families="
                + String.join(",", families));
      }
    }
    return new StoredTable(
        options, layout, families.iterator().next(), TableColumns.of(layout, options.columns()));
  }

  /** The name of the table, whatever its generation. */
  TableName name() {
    return options.table();
  }

  /** Returns this table with the columns that a user names. See {@link TableColumns#withSchema}. */
  StoredTable withSchema(StructType schema) {
    return new StoredTable(options, layout, anyFamily, columns.withSchema(schema));
  }
}
