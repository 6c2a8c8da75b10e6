/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.jobs.mapreduce.EntryRows;
import io.evenkey.jobs.mapreduce.LoadedTables;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/**
 * The rows of a bulk write, and their entries in indexes, on their way to HFiles. Each has its key
 * in the job, which {@link LoadedTables} gives it. Immutable; sent to tasks.
 *
 * @param job the configuration of the write, which has its tables
 * @param line the layout of the rows
 * @param columns the columns of the data frame
 * @param anyFamily a family of the table
 * @param timestamp of all cells, so that a task that is run again writes the same ones
 */
record BulkRows(
    Broadcast<SerializableConfiguration> job,
    String line,
    TableColumns columns,
    String anyFamily,
    long timestamp)
    implements Serializable {
  /** Rows with the values of their cells, each followed by its entries. */
  Iterator<Tuple2<byte[], byte[][]>> encoded(Iterator<InternalRow> rows) throws IOException {
    Layout layout = Layout.parse(line);
    LoadedTables tables = tables();
    EntryRows entries = tables.hasIndexes() ? EntryRows.of(tables, layout) : null;
    return new EncodedRows(rows, layout, encoder(), tables, entries, timestamp);
  }

  /**
   * The cells of rows and entries, in the order of HFiles.
   *
   * @param rows in the order of their keys; those of the same key become one
   */
  Iterator<Tuple2<ImmutableBytesWritable, Cell>> sorted(Iterator<Tuple2<byte[], byte[][]>> rows)
      throws IOException {
    return new SortedCells(rows, encoder(), tables(), timestamp);
  }

  private RowEncoder encoder() {
    return new RowEncoder(line, columns, anyFamily);
  }

  private LoadedTables tables() throws IOException {
    return LoadedTables.in(job.value().value());
  }
}
