/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.KeyColumns;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.hash.Xxh3;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Maps records to cells: key columns go into the row key, every other non-empty column into its own
 * cell, as text. Not thread-safe.
 */
final class RecordCells {
  static final String FAMILY = "d";

  private static final byte[] FAMILY_BYTES = Bytes.toBytes(FAMILY);

  /** The cell of a row without other cells: HBase has no empty rows. */
  private static final byte[] EMPTY = {};

  private final KeyColumns key;
  private final List<Column> valueColumns = new ArrayList<>();
  private final KeyBuffer buffer = new KeyBuffer(256);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Column(int index, byte[] qualifier) {}

  private RecordCells(KeyColumns key) {
    this.key = key;
  }

  /**
   * The mapping of records of {@code source} under a layout.
   *
   * @throws InputException if a field of the layout is not a column
   */
  static RecordCells of(RecordSource source, Layout layout) throws InputException {
    RecordCells cells = new RecordCells(KeyColumns.of(source, layout));
    List<String> columns = source.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (!cells.key.contains(columns.get(i))) {
        // What cannot be read as one value, such as two columns of one name, is rejected here.
        source.type(columns.get(i));
        cells.valueColumns.add(new Column(i, Bytes.toBytes(columns.get(i))));
      }
    }
    // In the order in which HBase returns them.
    cells.valueColumns.sort(Comparator.comparing(Column::qualifier, Bytes.BYTES_COMPARATOR));
    return cells;
  }

  byte[] logicalKey(RecordCursor record) throws InputException {
    return key.logicalKey(record);
  }

  Put put(RecordCursor record) throws InputException {
    Put put = new Put(logicalKey(record));
    for (Column column : valueColumns) {
      put.addColumn(FAMILY_BYTES, column.qualifier, Bytes.toBytes(record.value(column.index)));
    }
    return put.isEmpty() ? put.addColumn(FAMILY_BYTES, EMPTY, EMPTY) : put;
  }

  long checksum(RecordCursor record) {
    buffer.truncate(0);
    for (Column column : valueColumns) {
      byte[] value = Bytes.toBytes(record.value(column.index));
      add(column.qualifier, 0, column.qualifier.length, value, 0, value.length);
    }
    if (valueColumns.isEmpty()) {
      add(EMPTY, 0, 0, EMPTY, 0, 0);
    }
    return Xxh3.hash(buffer.array(), 0, buffer.size());
  }

  long checksum(Result row) {
    buffer.truncate(0);
    for (Cell cell : row.rawCells()) {
      add(
          cell.getQualifierArray(),
          cell.getQualifierOffset(),
          cell.getQualifierLength(),
          cell.getValueArray(),
          cell.getValueOffset(),
          cell.getValueLength());
    }
    return Xxh3.hash(buffer.array(), 0, buffer.size());
  }

  private void add(byte[] name, int nameAt, int nameLength, byte[] value, int at, int length) {
    buffer.putLong(nameLength).put(name, nameAt, nameLength);
    buffer.putLong(length).put(value, at, length);
  }
}
