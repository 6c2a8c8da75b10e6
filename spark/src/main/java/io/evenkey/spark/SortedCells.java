/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.jobs.mapreduce.LoadedTables;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The cells of what {@link EncodedRows} has made, when it is sorted. Rows of the same key become
 * one; entries of the same key keep all their cells. Not thread-safe.
 */
final class SortedCells implements Iterator<Tuple2<ImmutableBytesWritable, Cell>> {
  private final Iterator<Tuple2<byte[], byte[][]>> rows;
  private final RowEncoder encoder;
  private final LoadedTables tables;
  private final long timestamp;
  private final TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
  private ImmutableBytesWritable key = new ImmutableBytesWritable();
  private @Nullable Tuple2<byte[], byte[][]> ahead;

  SortedCells(
      Iterator<Tuple2<byte[], byte[][]>> rows,
      RowEncoder encoder,
      LoadedTables tables,
      long timestamp) {
    this.rows = rows;
    this.encoder = encoder;
    this.tables = tables;
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
    return new Tuple2<>(key, first);
  }

  private void fill() {
    Tuple2<byte[], byte[][]> first = ahead == null ? rows.next() : ahead;
    ahead = null;
    key = new ImmutableBytesWritable(first._1);
    if (tables.isEntry(first._1)) {
      fillEntry(first);
    } else {
      fillRow(first);
    }
  }

  private void fillEntry(Tuple2<byte[], byte[][]> first) {
    Tuple2<byte[], byte[][]> next = first;
    while (next != null) {
      for (byte[] cell : next._2) {
        cells.add(new KeyValue(cell));
      }
      next = same(first._1);
    }
  }

  private void fillRow(Tuple2<byte[], byte[][]> first) {
    byte[][] merged = first._2;
    for (Tuple2<byte[], byte[][]> next = same(first._1); next != null; next = same(first._1)) {
      for (int i = 0; i < merged.length; i++) {
        merged[i] = next._2[i] == null ? merged[i] : next._2[i];
      }
    }
    Put put = encoder.put(new Put(tables.row(first._1), timestamp), merged);
    put.getFamilyCellMap().values().forEach(cells::addAll);
  }

  /** The next one if it has this key. */
  private @Nullable Tuple2<byte[], byte[][]> same(byte[] key) {
    if (!rows.hasNext()) {
      return null;
    }
    Tuple2<byte[], byte[][]> next = rows.next();
    if (Arrays.equals(key, next._1)) {
      return next;
    }
    ahead = next;
    return null;
  }
}
