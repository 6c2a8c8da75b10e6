/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.index.ColumnName;
import io.evenkey.layout.index.IndexEntry;
import io.evenkey.layout.index.IndexKey;
import io.evenkey.layout.index.IndexProtocol;
import io.evenkey.layout.index.TableIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;

/** One index of a table that a client writes. Immutable and thread-safe. */
final class WrittenIndex {
  private final TableName table;
  private final TableName entries;
  private final IndexKey key;

  /** The indexed and the covered columns. */
  private final List<StoredColumn> columns;

  private WrittenIndex(TableName table, IndexKey key) {
    this.table = table;
    this.key = key;
    this.entries = TableName.valueOf(key.index().tableName(table.getNameAsString()));
    this.columns = key.index().columnNames().stream().map(StoredColumn::of).toList();
  }

  static WrittenIndex of(TableName table, Layout layout, TableIndex index) {
    return new WrittenIndex(table, IndexKey.of(layout, index));
  }

  /** A column with the bytes of its name. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record StoredColumn(ColumnName name, byte[] family, byte[] qualifier) {
    static StoredColumn of(ColumnName name) {
      return new StoredColumn(name, name.familyBytes(), name.qualifierBytes());
    }

    /** The cells that a mutation has of it. */
    List<Cell> in(Mutation mutation) {
      List<Cell> found = new ArrayList<>(1);
      for (Cell cell : mutation.getFamilyCellMap().getOrDefault(family, List.of())) {
        if (CellUtil.matchingQualifier(cell, qualifier)) {
          found.add(cell);
        }
      }
      return found;
    }
  }

  String name() {
    return key.index().name();
  }

  IndexProtocol protocol() {
    return key.index().protocol();
  }

  /**
   * The entry of the row as a put writes it; null if it writes none of the columns.
   *
   * @throws IndexRefusedException if it writes some of them
   */
  @Nullable EntryPut entry(Put put) throws IndexRefusedException {
    Map<ColumnName, byte[]> values = new HashMap<>();
    for (StoredColumn column : columns) {
      List<Cell> cells = column.in(put);
      if (cells.size() > 1) {
        throw refused(
            "put of several values of one column of an index",
            column,
            "put each version of the row by itself");
      }
      if (!cells.isEmpty()) {
        values.put(column.name(), CellUtil.cloneValue(cells.get(0)));
      }
    }
    if (values.size() < columns.size()) {
      if (values.isEmpty() && !key.index().columns().isEmpty()) {
        return null;
      }
      throw refused(
          "put of only some of the columns of an index",
          missing(values),
          "an index of events takes them from one put: write all of them at once");
    }
    byte[] row =
        key.entry(put.getRow(), values::get)
            .orElseThrow(() -> new IllegalStateException("column missing: index=" + name()));
    return new EntryPut(entries, entry(put, row, values));
  }

  private Put entry(Put put, byte[] row, Map<ColumnName, byte[]> values) {
    List<Optional<ByteString>> covered =
        key.index().covering().stream()
            .map(column -> Optional.ofNullable(values.get(column)).map(ByteString::of))
            .toList();
    Put entry =
        new Put(row).addColumn(EntryFamily.NAME, Nonces.next(), IndexEntry.of(covered).toBytes());
    // Who may see the row may see its entry, and no other: labels and rights of cells are
    // attributes.
    put.getAttributesMap().forEach(entry::setAttribute);
    entry.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    // An entry is never less durable than its row.
    return put.getDurability() == Durability.FSYNC_WAL
        ? entry.setDurability(Durability.FSYNC_WAL)
        : entry;
  }

  private StoredColumn missing(Map<ColumnName, byte[]> values) {
    return columns.stream()
        .filter(column -> !values.containsKey(column.name()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Checks that a change leaves the columns as they are, and cannot make a row that has an entry.
   *
   * @throws IndexRefusedException if not
   */
  void checkApart(Mutation change) throws IndexRefusedException {
    for (StoredColumn column : columns) {
      if (!column.in(change).isEmpty()) {
        throw refused(
            "change of a column of an index by another operation than a put",
            column,
            "write the row by a put, or drop the index; increments, appends, conditional writes and"
                + " changes of several mutations cannot be made together with an entry");
      }
    }
    if (key.index().columns().isEmpty()) {
      throw IndexRefusedException.asKnown(
          table,
          "row could be made without its entry",
          "index=" + name() + " operation=" + change.getClass().getSimpleName(),
          "the index has an entry for each row: write rows by puts");
    }
  }

  private IndexRefusedException refused(String rule, StoredColumn column, String remedy) {
    return IndexRefusedException.asKnown(
        table, rule, "index=" + name() + " column=" + column.name(), remedy);
  }
}
