/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.index.EntryPut;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Makes the index entries of a bulk load's rows, as rows of the job: for jobs that write a table
 * with indexes as HFiles. Not thread-safe: each task makes its own.
 */
public final class EntryRows {
  private final LoadedTables tables;
  private final IndexWrites writes;
  private final Map<TableName, Integer> numbers = new HashMap<>();
  private final List<Layout> layouts = new ArrayList<>();

  private EntryRows(LoadedTables tables, IndexWrites writes) {
    this.tables = tables;
    this.writes = writes;
  }

  /**
   * Prepares the entries of a load.
   *
   * @param layout the layout of the table's rows
   * @throws IOException if an index does not fit the table
   */
  public static EntryRows of(LoadedTables tables, Layout layout) throws IOException {
    EntryRows rows =
        new EntryRows(tables, IndexWrites.of(tables.name(), layout, tables.indexes(), true));
    int number = 1;
    for (TableIndex index : tables.indexes().list()) {
      TableName entries = TableName.valueOf(index.tableName(tables.name().getNameAsString()));
      // The table of an index may have been migrated to another layout than that of its definition.
      Layout own = TableLayout.of(tables.descriptors().get(number));
      rows.numbers.put(entries, number++);
      rows.layouts.add(own == null ? index.layout() : own);
    }
    return rows;
  }

  /** An entry with its key in the job, which {@link LoadedTables} describes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Keyed(byte[] key, Put put) {}

  /**
   * Returns the entries of a row, one per index that has one for it.
   *
   * @param put all cells of the row, with its logical key
   * @param timestamp the time of the entries' cells, in milliseconds
   * @throws IndexRefusedException if the row lacks an entry that the index must have
   * @throws io.evenkey.layout.text.LayoutException if a column's value is not one of its field
   */
  public List<Keyed> of(Put put, long timestamp) throws IndexRefusedException {
    List<Keyed> entries = new ArrayList<>(numbers.size());
    for (EntryPut entry : writes.write(put, Result.EMPTY_RESULT).entries()) {
      int table = numbers.getOrDefault(entry.index(), 0);
      byte[] row = layouts.get(table - 1).physical(entry.put().getRow());
      Put stored = new Put(row, timestamp);
      for (List<Cell> cells : entry.put().getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          stored.addColumn(
              CellUtil.cloneFamily(cell),
              CellUtil.cloneQualifier(cell),
              timestamp,
              CellUtil.cloneValue(cell));
        }
      }
      entries.add(new Keyed(tables.key(table, row), stored));
    }
    return entries;
  }
}
