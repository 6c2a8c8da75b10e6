/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * The tables of orders that a side has created, through the drop-in connection, and their indexes.
 * Closing drops them. Not thread-safe.
 */
final class SideTables implements Closeable {
  private final DataBlockEncoding encoding;

  /** HBase's own, to which rows are what is stored. */
  private final Connection plain;

  private final Connection dropIn;
  private final SpreadTables spread;
  private final CreatedTables created;
  private final CreatedIndexes indexes;
  private final List<OrderTable> tables = new ArrayList<>();

  private SideTables(Configuration hbase, DataBlockEncoding encoding) throws IOException {
    this.encoding = encoding;
    this.plain = ConnectionFactory.createConnection(hbase);
    this.dropIn = ConnectionFactory.createConnection(EvenkeySide.dropIn(hbase));
    this.spread = SpreadTables.on(dropIn);
    this.created = new CreatedTables(dropIn);
    this.indexes = new CreatedIndexes(plain);
  }

  /** Makes a side of its tables. */
  @FunctionalInterface
  interface Maker {
    IndexSide of(SideTables tables) throws IOException;
  }

  /** A side with tables; if it cannot be made, those that are there already are dropped. */
  static IndexSide side(Configuration hbase, DataBlockEncoding encoding, Maker maker)
      throws IOException {
    SideTables tables = new SideTables(hbase, encoding);
    try {
      return maker.of(tables);
    } catch (IOException | RuntimeException e) {
      try {
        tables.close();
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  /** Creates an empty table, cut between its buckets. */
  OrderTable create(String name, OrderKey key, int buckets) throws IOException {
    Layout layout = key.layout(buckets);
    created.create(
        TableLayout.with(HBaseTables.table(name, encoding), layout),
        HBaseTables.splits(layout, buckets));
    OrderTable table = OrderTable.open(dropIn, TableName.valueOf(name), key, layout);
    tables.add(table);
    return table;
  }

  /** Adds an index, whose table has as many regions. */
  void add(TableIndex index, OrderTable table, int regions) throws IOException {
    indexes.add(table.name(), index, regions);
  }

  /** Settles the entries of indexes, so that covered reads do not look at rows. */
  void sweep() throws IOException {
    indexes.sweep();
  }

  void flush() throws IOException {
    try (Admin admin = dropIn.getAdmin()) {
      for (TableName table : created.names()) {
        admin.flush(table);
      }
      for (TableName table : indexes.tables()) {
        admin.flush(table);
      }
    }
  }

  void load(Path csv, OrderTable table) throws IOException {
    BulkImport.run(plain, table, csv);
  }

  /** Opens a table to read it by conditions, or through its index. */
  SpreadTable open(OrderTable table) throws IOException {
    return spread.open(table.name());
  }

  @Override
  public void close() throws IOException {
    try (plain;
        dropIn;
        spread) {
      for (OrderTable table : tables) {
        table.close();
      }
      indexes.drop();
      created.drop();
    }
  }
}
