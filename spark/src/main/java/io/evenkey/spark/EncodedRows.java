/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.jobs.mapreduce.EntryRows;
import io.evenkey.jobs.mapreduce.LoadedTables;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The rows of a task before they are sorted: a key in the job and the values of the cells in the
 * order of the data frame; behind each, its entries: a key in the job and whole cells. Not
 * thread-safe.
 */
final class EncodedRows implements Iterator<Tuple2<byte[], byte[][]>> {
  private final Iterator<InternalRow> rows;
  private final RowMapping mapping;
  private final RowEncoder encoder;
  private final LoadedTables tables;
  private final @Nullable EntryRows entries;
  private final long timestamp;
  private final Queue<Tuple2<byte[], byte[][]>> encoded = new ArrayDeque<>();

  /**
   * Rows that are encoded when they are asked for.
   *
   * @param entries null if the table has no indexes
   */
  EncodedRows(
      Iterator<InternalRow> rows,
      Layout layout,
      RowEncoder encoder,
      LoadedTables tables,
      @Nullable EntryRows entries,
      long timestamp) {
    this.rows = rows;
    this.mapping = RowMapping.of(layout);
    this.encoder = encoder;
    this.tables = tables;
    this.entries = entries;
    this.timestamp = timestamp;
  }

  @Override
  public boolean hasNext() {
    return !encoded.isEmpty() || rows.hasNext();
  }

  @Override
  public Tuple2<byte[], byte[][]> next() {
    if (encoded.isEmpty()) {
      encode(rows.next());
    }
    return encoded.remove();
  }

  private void encode(InternalRow row) {
    byte[] logical = encoder.logicalKey(row);
    byte[][] cells = encoder.cells(row);
    encoded.add(new Tuple2<>(tables.key(0, mapping.physical(logical)), cells));
    if (entries != null) {
      Put put = encoder.put(new Put(logical, timestamp), cells);
      for (EntryRows.Keyed entry : entries(entries, row, put)) {
        encoded.add(new Tuple2<>(entry.key(), whole(entry.put())));
      }
    }
  }

  private List<EntryRows.Keyed> entries(EntryRows of, InternalRow row, Put put) {
    try {
      return of.of(put, timestamp);
    } catch (IndexRefusedException | LayoutException e) {
      throw encoder.withoutEntry(row, e);
    }
  }

  private static byte[][] whole(Put entry) {
    return entry.getFamilyCellMap().values().stream()
        .flatMap(List<Cell>::stream)
        .map(KeyValueUtil::copyToNewByteArray)
        .toArray(byte[][]::new);
  }
}
