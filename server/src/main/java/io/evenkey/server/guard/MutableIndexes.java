/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** The columns of the indexes of mutable rows that a table has. Immutable and thread-safe. */
final class MutableIndexes {
  private final List<List<Column>> indexes;
  private final int mostKept;

  private MutableIndexes(List<List<Column>> indexes, int mostKept) {
    this.indexes = indexes;
    this.mostKept = mostKept;
  }

  /** Null if the table has none. */
  static @Nullable MutableIndexes of(TableIndexes all) {
    List<List<Column>> indexes = new ArrayList<>();
    for (TableIndex index : all.list()) {
      if (index.protocol().changesRows()) {
        indexes.add(index.columnNames().stream().map(Column::of).toList());
      }
    }
    int columns = all.list().stream().mapToInt(index -> index.columnNames().size()).sum();
    return indexes.isEmpty() ? null : new MutableIndexes(List.copyOf(indexes), columns);
  }

  /** A column, with the bytes of its name. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Column(byte[] family, byte[] qualifier) {
    private static Column of(ColumnName name) {
      return new Column(name.familyBytes(), name.qualifierBytes());
    }

    /** The cell that a mutation has of it; null if there is none. */
    @Nullable Cell in(Mutation mutation) {
      return in(mutation.getFamilyCellMap().getOrDefault(family, List.of()));
    }

    /** The cell that a row has of it; null if there is none. */
    @Nullable Cell in(List<? extends Cell> cells) {
      for (Cell cell : cells) {
        if (CellUtil.matchingQualifier(cell, qualifier) && CellUtil.matchingFamily(cell, family)) {
          return cell;
        }
      }
      return null;
    }

    ByteString familyName() {
      return ByteString.of(family);
    }

    ByteString qualifierName() {
      return ByteString.of(qualifier);
    }

    @Override
    public String toString() {
      return Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier);
    }
  }

  /** The most columns that a put can leave as they are: those of all indexes of the table. */
  int mostKept() {
    return mostKept;
  }

  /** Whether a mutation is a put of a column of one of them. */
  boolean isPutOf(Mutation mutation) {
    if (!(mutation instanceof Put)) {
      return false;
    }
    for (Map.Entry<byte[], List<Cell>> family : mutation.getFamilyCellMap().entrySet()) {
      for (Cell cell : family.getValue()) {
        if (has(cell)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a cell is of a column of one of them. */
  boolean has(Cell cell) {
    for (List<Column> index : indexes) {
      for (Column column : index) {
        if (CellUtil.matchingColumn(cell, column.family(), column.qualifier())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Restricts a scan to all columns of them. */
  Scan restricted(Scan scan) {
    for (List<Column> index : indexes) {
      for (Column column : index) {
        scan.addColumn(column.family(), column.qualifier());
      }
    }
    return scan;
  }

  /** Whether a put would replace some of its indexed columns in a row, and be hidden by others. */
  boolean isMixed(Mutation put, List<Cell> row) {
    boolean replaces = false;
    boolean hidden = false;
    for (List<Column> index : indexes) {
      for (Column column : index) {
        Cell next = column.in(put);
        if (next != null) {
          Cell now = column.in(row);
          boolean later = now != null && now.getTimestamp() > next.getTimestamp();
          hidden |= later;
          replaces |= !later;
        }
      }
    }
    return replaces && hidden;
  }

  /**
   * The columns that a put leaves as they are, of indexes of which it has others.
   *
   * @return empty if it has all columns of each index that it touches
   */
  List<Column> leftBy(Mutation put) {
    List<Column> left = new ArrayList<>();
    for (List<Column> index : indexes) {
      List<Column> missing = new ArrayList<>(index.size());
      for (Column column : index) {
        if (column.in(put) == null) {
          missing.add(column);
        }
      }
      if (missing.size() < index.size()) {
        left.addAll(missing);
      }
    }
    return left;
  }
}
