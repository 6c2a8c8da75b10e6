/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexEntry;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.IndexProtocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/** One index of a table that a client writes. Immutable and thread-safe. */
final class WrittenIndex {
  private final TableName table;
  private final TableName entries;
  private final IndexKey key;

  /** The indexed and the covered columns. */
  private final List<StoredColumn> columns;

  private final List<StoredColumn> indexed;

  private WrittenIndex(TableName table, IndexKey key) {
    this.table = table;
    this.key = key;
    this.entries = TableName.valueOf(key.index().tableName(table.getNameAsString()));
    this.columns = key.index().columnNames().stream().map(StoredColumn::of).toList();
    this.indexed =
        key.index().columns().stream().map(column -> StoredColumn.of(column.column())).toList();
  }

  static WrittenIndex of(TableName table, IndexKey key) {
    return new WrittenIndex(table, key);
  }

  String name() {
    return key.index().name();
  }

  IndexProtocol protocol() {
    return key.index().protocol();
  }

  /**
   * The columns that a put leaves as they are, if it has others of the index; none unless rows are
   * mutable: the put is refused then.
   */
  List<StoredColumn> leftBy(Put put) {
    if (protocol() != IndexProtocol.MUTABLE) {
      return List.of();
    }
    List<StoredColumn> left = new ArrayList<>(columns.size());
    for (StoredColumn column : columns) {
      if (column.in(put).isEmpty()) {
        left.add(column);
      }
    }
    return left.size() == columns.size() ? List.of() : left;
  }

  /**
   * The entry of the row after a put; null if the put has none of the columns, or of an index of
   * events none of the indexed ones, or if the row will not have all indexed columns.
   *
   * @param row the columns that the put leaves, as they were read; empty if it leaves none
   * @throws IndexRefusedException if the put could leave a row without its entry
   * @throws IllegalArgumentException if a value does not fit the index
   */
  @Nullable EntryPut entry(Put put, Result row) throws IndexRefusedException {
    Map<ColumnName, byte[]> values = new HashMap<>();
    for (StoredColumn column : columns) {
      List<Cell> cells = column.in(put);
      if (cells.size() > 1) {
        throw refused(
            "put of several values of one column of an index",
            column,
            "put each version of the row separately");
      }
      if (!cells.isEmpty()) {
        values.put(column.name(), CellUtil.cloneValue(cells.get(0)));
      }
    }
    if (leavesEntry(values)) {
      return null;
    }
    checkTimeToLive(put);
    if (protocol() == IndexProtocol.MUTABLE) {
      for (StoredColumn column : columns) {
        byte[] kept = row.getValue(column.family(), column.qualifier());
        if (kept != null) {
          values.putIfAbsent(column.name(), kept);
        }
      }
    } else {
      checkWhole(values);
    }
    byte[] entry = key.entry(put.getRow(), values::get).orElse(null);
    if (entry == null) {
      return null;
    }
    // Here, and not when it is sent: the entries of other rows would be refused with it.
    EntryLength.checkWritten(table, key.index(), entries, entry);
    return new EntryPut(entries, entry(put, entry, values));
  }

  /** Whether a put leaves the entry of its row as it is, or the row without one. */
  private boolean leavesEntry(Map<ColumnName, byte[]> values) {
    if (indexed.isEmpty()) {
      return false;
    }
    return protocol() == IndexProtocol.EVENTS
        ? indexed.stream().noneMatch(column -> values.containsKey(column.name()))
        : values.isEmpty();
  }

  // Readers take covered columns only from settled entries, of append-only indexes. An entry that
  // is
  // settled without one of them would hide what a later put writes there.
  private void checkWhole(Map<ColumnName, byte[]> values) throws IndexRefusedException {
    boolean isAppendOnly = protocol() == IndexProtocol.APPEND_ONLY;
    for (StoredColumn column : isAppendOnly ? columns : indexed) {
      if (!values.containsKey(column.name())) {
        throw refused(
            "put of only some of the columns of an index",
            column,
            (isAppendOnly
                    ? "an append-only index takes indexed and covered columns from one put"
                    : "an index of events takes the indexed columns from one put")
                + ": write all of them at once, or add the index with mutable rows");
      }
    }
  }

  /**
   * The timestamp that a put gives the columns of an index of mutable rows; {@link
   * HConstants#LATEST_TIMESTAMP} if it leaves that to the server, or has none of them.
   *
   * @throws IndexRefusedException if it gives them several
   */
  long time(Put put) throws IndexRefusedException {
    long time = HConstants.LATEST_TIMESTAMP;
    if (protocol() != IndexProtocol.MUTABLE) {
      return time;
    }
    boolean first = true;
    for (StoredColumn column : columns) {
      for (Cell cell : column.in(put)) {
        if (!first && cell.getTimestamp() != time) {
          throw refused(
              "put with several timestamps for the columns of an index of mutable rows",
              column,
              "give all of them one timestamp, or leave it to the region server");
        }
        time = cell.getTimestamp();
        first = false;
      }
    }
    return time;
  }

  // A cell that ends by itself shows the version before it, which has no entry if rows are mutable.
  // If compactions have removed that version, a row ends whose entry is settled.
  private void checkTimeToLive(Put put) throws IndexRefusedException {
    boolean ends =
        switch (protocol()) {
          case EVENTS -> false;
          case APPEND_ONLY -> true;
          case MUTABLE -> !columns.isEmpty();
        };
    if (ends && put.getTTL() != Long.MAX_VALUE) {
      throw IndexRefusedException.asKnown(
          table,
          "put of a row of an index with a time to live of its own",
          "index=" + name() + " protocol=" + protocol() + " ttl_ms=" + put.getTTL(),
          "set the time to live of the column family before the index is added; rows of an index of"
              + " events may have their own");
    }
  }

  private Put entry(Put put, byte[] row, Map<ColumnName, byte[]> values) {
    List<Optional<ByteString>> covered =
        key.index().covering().stream()
            .map(column -> Optional.ofNullable(values.get(column)).map(ByteString::of))
            .toList();
    byte[] value = new IndexEntry(covered).toBytes();
    Put entry = new Put(row).addColumn(EntryFamily.NAME, Nonces.next(), entryTime(put), value);
    // Who may see the row may see its entry, and no other.
    RequestSettings.copy(put, entry);
    // The row may be written later, and end later: an entry without a row is not seen.
    if (put.getTTL() != Long.MAX_VALUE) {
      entry.setTTL(Long.MAX_VALUE);
    }
    entry.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    return entry.setDurability(durability(put.getDurability()));
  }

  private static long entryTime(Put put) {
    long latest = 0;
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        boolean own = cell.getTimestamp() != HConstants.LATEST_TIMESTAMP;
        latest = own ? Math.max(latest, cell.getTimestamp()) : latest;
      }
    }
    return EntryTime.of(latest);
  }

  // An entry is never less durable than its row: they are on two servers, so that the row may be
  // synced by then though it does not wait for it. The index's table is as durable as the table.
  private static Durability durability(Durability row) {
    return switch (row) {
      case USE_DEFAULT -> Durability.USE_DEFAULT;
      case FSYNC_WAL -> Durability.FSYNC_WAL;
      case SKIP_WAL, ASYNC_WAL, SYNC_WAL -> Durability.SYNC_WAL;
    };
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
            "indexed column changed by another operation than a put",
            column,
            "write the row by a put, or drop the index; increments, appends, conditional writes and"
                + " changes of several mutations cannot be made together with an entry");
      }
    }
    if (key.index().columns().isEmpty()) {
      throw IndexRefusedException.asKnown(
          table,
          "write could create a row without its index entry",
          "index=" + name() + " operation=" + change.getClass().getSimpleName(),
          "the index has an entry for each row: write rows by puts");
    }
  }

  /**
   * Checks that a deletion is one that the index's protocol allows.
   *
   * @throws IndexRefusedException if not
   */
  void checkDeletion(Delete delete) throws IndexRefusedException {
    switch (protocol()) {
      case EVENTS -> {}
      case APPEND_ONLY -> checkStays(delete);
      case MUTABLE -> checkVersions(delete);
    }
  }

  // Readers may take a settled entry for its row.
  private void checkStays(Delete delete) throws IndexRefusedException {
    boolean touches = delete.isEmpty() || columns.isEmpty();
    for (StoredColumn column : columns) {
      for (Cell cell : delete.getFamilyCellMap().getOrDefault(column.family(), List.of())) {
        touches |= isFamily(cell) || CellUtil.matchingQualifier(cell, column.qualifier());
      }
    }
    if (touches) {
      throw IndexRefusedException.asKnown(
          table,
          "deletion from a row of an append-only index",
          "index=" + name(),
          "let rows expire by the time to live of their family; or drop the index, and add it as"
              + " one of events or of mutable rows");
    }
  }

  private static boolean isFamily(Cell cell) {
    return cell.getType() == Cell.Type.DeleteFamily
        || cell.getType() == Cell.Type.DeleteFamilyVersion;
  }

  // An earlier version of a column would be shown, without an entry.
  private void checkVersions(Delete delete) throws IndexRefusedException {
    for (StoredColumn column : columns) {
      for (Cell cell : delete.getFamilyCellMap().getOrDefault(column.family(), List.of())) {
        boolean version =
            cell.getType() == Cell.Type.DeleteFamilyVersion
                || cell.getType() == Cell.Type.Delete
                    && CellUtil.matchingQualifier(cell, column.qualifier());
        if (version) {
          throw refused(
              "deletion of one version of an indexed column",
              column,
              "the previous version would become visible again, without an entry: delete all"
                  + " versions (addColumns, addFamily), or put a value");
        }
      }
    }
  }

  private IndexRefusedException refused(String rule, StoredColumn column, String remedy) {
    return IndexRefusedException.asKnown(
        table, rule, "index=" + name() + " column=" + column.name(), remedy);
  }
}
