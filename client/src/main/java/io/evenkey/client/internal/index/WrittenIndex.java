/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.request.RequestSettings;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexEntry;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
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

/**
 * One index of a table that a client writes. What a client may write, and what it adds, depends on
 * the index's protocol: each has a class of its own here, with all its rules. Immutable and
 * thread-safe.
 */
abstract sealed class WrittenIndex
    permits WrittenEventIndex, WrittenAppendOnlyIndex, WrittenMutableIndex {
  private final TableName table;
  private final TableName entries;
  private final IndexKey key;

  /** The indexed and the covered columns. */
  private final List<StoredColumn> columns;

  private final List<StoredColumn> indexed;

  WrittenIndex(TableName table, IndexKey key) {
    this.table = table;
    this.key = key;
    this.entries = TableName.valueOf(key.index().tableName(table.getNameAsString()));
    this.columns = key.index().columnNames().stream().map(StoredColumn::of).toList();
    this.indexed =
        key.index().columns().stream().map(column -> StoredColumn.of(column.column())).toList();
  }

  static WrittenIndex of(TableName table, IndexKey key) {
    return switch (key.index().protocol()) {
      case EVENTS -> new WrittenEventIndex(table, key);
      case APPEND_ONLY -> new WrittenAppendOnlyIndex(table, key);
      case MUTABLE -> new WrittenMutableIndex(table, key);
    };
  }

  /** The table that the application names. */
  TableName table() {
    return table;
  }

  TableIndex index() {
    return key.index();
  }

  /** The indexed and the covered columns. */
  List<StoredColumn> columns() {
    return columns;
  }

  List<StoredColumn> indexed() {
    return indexed;
  }

  /**
   * The columns that a put leaves as they are, if it has others of the index; none unless rows are
   * mutable: the put is refused then.
   */
  List<StoredColumn> leftBy(Put put) {
    return List.of();
  }

  /**
   * The timestamp that a put gives the columns of an index of mutable rows; {@link
   * HConstants#LATEST_TIMESTAMP} if it leaves that to the server, or has none of them.
   *
   * @throws IndexRefusedException if it gives them several
   */
  long time(Put put) throws IndexRefusedException {
    return HConstants.LATEST_TIMESTAMP;
  }

  /** Whether a put can be made with its entry even if it depends on a condition. */
  boolean takesConditionalPuts() {
    return false;
  }

  /**
   * Checks that a deletion is one that the index's protocol allows.
   *
   * @throws IndexRefusedException if not
   */
  abstract void checkDeletion(Delete delete) throws IndexRefusedException;

  /** Whether a put leaves the entry of its row as it is, or the row without one. */
  boolean leavesEntry(Map<ColumnName, byte[]> values) {
    return !indexed.isEmpty() && values.isEmpty();
  }

  /**
   * Checks that a put whose cells expire by themselves leaves no row without its entry.
   *
   * @throws IndexRefusedException if it could
   */
  abstract void checkTimeToLive(Put put) throws IndexRefusedException;

  /**
   * Adds what the row has of the index beside the values of a put.
   *
   * @param row the columns that the put leaves, as they were read; empty if it leaves none
   * @throws IndexRefusedException if the put has to have all values itself, and has not
   */
  abstract void complete(Map<ColumnName, byte[]> values, Result row) throws IndexRefusedException;

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
    complete(values, row);
    byte[] entry = key.entry(put.getRow(), values::get).orElse(null);
    if (entry == null) {
      return null;
    }
    // Here, and not when it is sent: the entries of other rows would be refused with it.
    EntryLength.checkWritten(table, key.index(), entries, entry);
    return new EntryPut(entries, entry(put, entry, values));
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
          "index=" + index().name() + " operation=" + change.getClass().getSimpleName(),
          "the index has an entry for each row: write rows by puts");
    }
  }

  final void refuseOwnTimeToLive(Put put) throws IndexRefusedException {
    if (put.getTTL() != Long.MAX_VALUE) {
      throw IndexRefusedException.asKnown(
          table,
          "put of a row of an index with a time to live of its own",
          "index=" + index().name() + " protocol=" + index().protocol() + " ttl_ms=" + put.getTTL(),
          "set the time to live of the column family before the index is added; rows of an index of"
              + " events may have their own");
    }
  }

  /**
   * Checks that a put has the values of some columns.
   *
   * @param why why it has to have them
   */
  final void checkWhole(Map<ColumnName, byte[]> values, List<StoredColumn> needed, String why)
      throws IndexRefusedException {
    for (StoredColumn column : needed) {
      if (!values.containsKey(column.name())) {
        throw refused(
            "put of only some of the columns of an index",
            column,
            why + ": write all of them at once, or add the index with mutable rows");
      }
    }
  }

  final IndexRefusedException refused(String rule, StoredColumn column, String remedy) {
    return IndexRefusedException.asKnown(
        table, rule, "index=" + index().name() + " column=" + column.name(), remedy);
  }
}
