/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The tables that one side of a comparison has created. No other table is dropped, since the
 * cluster may be in use. Not thread-safe.
 */
final class CreatedTables {
  private final Connection connection;
  private final Deque<TableName> names = new ArrayDeque<>();

  CreatedTables(Connection connection) {
    this.connection = connection;
  }

  /**
   * Creates a table.
   *
   * @param splits its split keys, or null for one region
   * @throws IOException if a table of that name exists
   */
  void create(TableDescriptor table, byte @Nullable [][] splits) throws IOException {
    TableName name = table.getTableName();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table, splits);
    } catch (TableExistsException e) {
      // The remedy of HBase's exception does not help here.
      throw new EvenkeyException(
          "table exists, and is not used: table="
              + name
              + "; a comparison creates its own tables and drops them: drop this one if it was left"
              + " by a comparison that was killed");
    }
    names.push(name);
  }

  List<TableName> names() {
    return List.copyOf(names);
  }

  /** Drops them. */
  void drop() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      while (!names.isEmpty()) {
        TableName name = names.element();
        if (admin.isTableEnabled(name)) {
          admin.disableTable(name);
        }
        admin.deleteTable(name);
        names.pop();
      }
    }
  }
}
