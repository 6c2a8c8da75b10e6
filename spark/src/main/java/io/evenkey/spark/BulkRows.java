/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The rows of a bulk write on their way to HFiles. Immutable; sent to tasks.
 *
 * @param line the layout of the rows
 * @param columns the columns of the data frame
 * @param anyFamily a family of the table
 * @param timestamp of all cells, so that a task that is run again writes the same ones
 */
record BulkRows(String line, TableColumns columns, String anyFamily, long timestamp)
    implements Serializable {
  /** Stored rows and the values of their cells, in the order of the data frame. */
  Iterator<Tuple2<byte[], byte[][]>> encoded(Iterator<InternalRow> rows) {
    RowMapping mapping = RowMapping.of(Layout.parse(line));
    RowEncoder encoder = encoder();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public Tuple2<byte[], byte[][]> next() {
        InternalRow row = rows.next();
        return new Tuple2<>(mapping.physical(encoder.logicalKey(row)), encoder.cells(row));
      }
    };
  }

  private RowEncoder encoder() {
    return new RowEncoder(line, columns, anyFamily);
  }

  /**
   * The cells of rows, in the order of HFiles.
   *
   * @param rows in ascending order; those of the same key become one
   */
  Iterator<Tuple2<ImmutableBytesWritable, Cell>> sorted(Iterator<Tuple2<byte[], byte[][]>> rows) {
    return new Sorted(rows, encoder(), timestamp);
  }

  private static final class Sorted implements Iterator<Tuple2<ImmutableBytesWritable, Cell>> {
    private final Iterator<Tuple2<byte[], byte[][]>> rows;
    private final RowEncoder encoder;
    private final long timestamp;
    private final TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    private ImmutableBytesWritable row = new ImmutableBytesWritable();
    private @Nullable Tuple2<byte[], byte[][]> ahead;

    Sorted(Iterator<Tuple2<byte[], byte[][]>> rows, RowEncoder encoder, long timestamp) {
      this.rows = rows;
      this.encoder = encoder;
      this.timestamp = timestamp;
    }

    @Override
    public boolean hasNext() {
      return !cells.isEmpty() || ahead != null || rows.hasNext();
    }

    @Override
    public Tuple2<ImmutableBytesWritable, Cell> next() {
      if (cells.isEmpty()) {
        fill();
      }
      Cell first = cells.pollFirst();
      if (first == null) {
        throw new NoSuchElementException();
      }
      return new Tuple2<>(row, first);
    }

    private void fill() {
      Tuple2<byte[], byte[][]> next = ahead == null ? rows.next() : ahead;
      byte[] key = next._1;
      byte[][] merged = next._2;
      ahead = null;
      while (ahead == null && rows.hasNext()) {
        next = rows.next();
        if (Arrays.equals(key, next._1)) {
          merge(next._2, merged);
        } else {
          ahead = next;
        }
      }
      row = new ImmutableBytesWritable(key);
      Put put = encoder.put(new Put(key, timestamp), merged);
      put.getFamilyCellMap().values().forEach(cells::addAll);
    }

    private static void merge(byte[][] from, byte[][] into) {
      for (int i = 0; i < into.length; i++) {
        into[i] = from[i] == null ? into[i] : from[i];
      }
    }
  }
}
