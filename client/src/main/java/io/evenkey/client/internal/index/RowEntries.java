/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexEntry;
import io.evenkey.protocol.index.IndexException;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.jspecify.annotations.Nullable;

/**
 * The entries that stored rows have to have in one index, for filling and verifying it. Rows and
 * entries are logical keys. Immutable and thread-safe.
 */
public final class RowEntries {
  /** The most combinations of columns' values that are tried; a row with more is skipped. */
  private static final int MOST_COMBINATIONS = 1_000;

  private final TableName table;
  private final TableName entries;
  private final IndexKey key;
  private final Set<ColumnName> columns;
  private final SettledEntry settled;

  private RowEntries(TableName table, TableName entries, IndexKey key) {
    this.table = table;
    this.entries = entries;
    this.key = key;
    this.columns = key.index().columnNames();
    this.settled = new SettledEntry(key.index());
  }

  /**
   * The entries of an index.
   *
   * @param table the name of the indexed table
   * @throws IndexException if the index does not fit the table
   */
  public static RowEntries of(TableName table, Layout layout, TableIndex index) {
    return new RowEntries(
        table,
        TableName.valueOf(index.tableName(table.getNameAsString())),
        IndexKey.of(layout, index));
  }

  /** The table of the entries. */
  public TableName table() {
    return entries;
  }

  /** The index, whose layout has all fields of the table's key. */
  public TableIndex index() {
    return key.index();
  }

  /** A number for the column of an entry, which is never given again; 16 bytes. */
  public static byte[] nonce() {
    return Nonces.next();
  }

  /** Restricts a scan of the table to the rows that can have entries, and to what these are of. */
  public Scan restricted(Scan scan) {
    if (!index().columns().isEmpty()) {
      columns.forEach(column -> scan.addColumn(column.familyBytes(), column.qualifierBytes()));
    } else if (columns.isEmpty()) {
      scan.setFilter(new FirstKeyOnlyFilter());
    }
    return scan;
  }

  /** A read of a row with the columns of its entry; the whole row where each row has an entry. */
  public Get get(byte[] row) {
    Get get = new Get(row);
    if (!index().columns().isEmpty()) {
      columns.forEach(column -> get.addColumn(column.familyBytes(), column.qualifierBytes()));
    }
    return get;
  }

  /**
   * The key of the entry of a row; empty if the row has no entry.
   *
   * @param row the logical key
   * @param cells the row's cells, of which the row does not matter
   * @throws io.evenkey.layout.text.LayoutException if the row has a value that the index cannot
   *     hold
   */
  public Optional<byte[]> key(byte[] row, Result cells) {
    Optional<byte[]> entry =
        key.entry(row, column -> cells.getValue(column.familyBytes(), column.qualifierBytes()));
    entry.ifPresent(one -> EntryLength.check(table, index(), one));
    return entry;
  }

  /**
   * Whether an entry is that of some of the values that a row has and had. A reader from whom
   * labels or rights hide the newest value of a column sees the one before it.
   *
   * @param entry the key of the entry
   * @param row the logical key of its row
   * @param versions all that is stored of the row
   */
  public boolean isOfVersions(byte[] entry, byte[] row, Result versions) {
    List<ColumnName> indexed =
        index().columns().stream().map(IndexColumn::column).distinct().toList();
    List<List<Cell>> values =
        indexed.stream()
            .map(column -> versions.getColumnCells(column.familyBytes(), column.qualifierBytes()))
            .toList();
    long all = 1;
    for (List<Cell> ofColumn : values) {
      all *= ofColumn.size();
      if (all > MOST_COMBINATIONS) {
        return true;
      }
    }
    Map<ColumnName, byte[]> chosen = new HashMap<>();
    for (long n = 0; n < all; n++) {
      long rest = n;
      for (int i = 0; i < indexed.size(); i++) {
        List<Cell> ofColumn = values.get(i);
        Cell cell = ofColumn.get((int) (rest % ofColumn.size()));
        chosen.put(indexed.get(i), CellUtil.cloneValue(cell));
        rest /= ofColumn.size();
      }
      if (isOf(entry, row, chosen)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOf(byte[] entry, byte[] row, Map<ColumnName, byte[]> values) {
    try {
      return key.entry(row, values::get).filter(one -> Arrays.equals(one, entry)).isPresent();
    } catch (LayoutException e) {
      return false;
    }
  }

  /**
   * The key of the row of an entry.
   *
   * @throws io.evenkey.layout.text.RowException if it is no entry of the index
   */
  public byte[] row(byte[] entry) {
    return key.row(entry);
  }

  /**
   * The entry of a row from before the index. It has the time of the newest of the indexed cells,
   * so that it ends with them; as {@link #entry} if the index is of the key alone.
   *
   * @param entry as {@link #key}
   * @param cells those of the row; of an index of the key alone all that end by themselves
   * @param nonce as {@link #nonce}
   */
  public Put earlier(byte[] entry, Result cells, byte[] nonce) {
    return index().columns().isEmpty()
        ? entry(entry, cells, nonce)
        : put(entry).addColumn(EntryFamily.NAME, nonce, newest(cells), value(cells));
  }

  /**
   * The entry of a row whose entry is missing: with the server's time, since what has removed the
   * other one may hide earlier ones too; or with that of the indexed cells if this is later. Of an
   * index of the key alone these are all cells of the row.
   */
  public Put entry(byte[] entry, Result cells, byte[] nonce) {
    long time = EntryTime.of(newest(cells));
    return put(entry).addColumn(EntryFamily.NAME, nonce, time, value(cells));
  }

  /**
   * The settled entry of a row of an append-only index; empty if the index is no such one, or the
   * row cannot be settled, so that readers have to look at it. It ends as late as its family says;
   * give it the time to live of the row.
   *
   * @param entry as {@link #key}
   * @param cells those of the row, read from a region server now and with tags
   */
  public Optional<Put> settled(byte[] entry, Result cells) {
    if (!index().protocol().keepsRows()) {
      return Optional.empty();
    }
    long time = settled.time(cells);
    return time == SettledEntry.NEVER
        ? Optional.empty()
        : Optional.of(
            put(entry).addColumn(EntryFamily.NAME, settled.qualifier(), time, value(cells)));
  }

  /** Whether an entry, as it is stored, is settled: readers take it for its row. */
  public boolean isSettled(Result entry) {
    return settledCell(entry) != null;
  }

  /** The cell of an entry that readers use instead of the row; null if they read the row. */
  private @Nullable Cell settledCell(Result entry) {
    return index().protocol().keepsRows() ? settled.in(entry) : null;
  }

  /** Whether an entry that is settled stays an entry when it is not settled any more. */
  public boolean isMoreThanSettled(Result entry) {
    return entry.size() > 1;
  }

  /**
   * What makes a settled entry one that is not, so that readers look at its row. A sweep can settle
   * it again by cells of the row that are later.
   *
   * @param key that of the entry
   * @param entry as it was read, settled
   */
  public Delete unsettled(byte[] key, Result entry) {
    Cell read = Objects.requireNonNull(settledCell(entry), "not settled");
    Delete delete = new Delete(key);
    delete.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    return delete.addColumns(EntryFamily.NAME, settled.qualifier(), read.getTimestamp());
  }

  private static Put put(byte[] entry) {
    Put put = new Put(entry);
    put.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    return put;
  }

  /**
   * The removal of columns of an entry, and of no other one.
   *
   * @param qualifiers the columns
   * @param latest the latest time that they had when they were read, which may be later than that
   *     of the region server
   */
  public static Delete removal(byte[] entry, List<byte[]> qualifiers, long latest) {
    Delete delete = new Delete(entry);
    delete.setAttribute(GuardAttributes.ENTRY, new byte[0]);
    qualifiers.forEach(qualifier -> delete.addColumns(EntryFamily.NAME, qualifier, latest));
    return delete;
  }

  private long newest(Result cells) {
    long time = Long.MIN_VALUE;
    if (index().columns().isEmpty()) {
      for (Cell cell : cells.rawCells()) {
        time = Math.max(time, cell.getTimestamp());
      }
    }
    for (IndexColumn column : index().columns()) {
      Cell cell =
          cells.getColumnLatestCell(
              column.column().familyBytes(), column.column().qualifierBytes());
      time = cell == null ? time : Math.max(time, cell.getTimestamp());
    }
    return time;
  }

  private byte[] value(Result cells) {
    return new IndexEntry(covered(cells)).toBytes();
  }

  private List<Optional<ByteString>> covered(Result row) {
    return index().covering().stream()
        .map(
            column ->
                Optional.ofNullable(row.getValue(column.familyBytes(), column.qualifierBytes()))
                    .map(ByteString::of))
        .toList();
  }

  /**
   * Whether readers take other covered values from an entry than its row has. They take them only
   * from settled entries; those of all others are read from the row.
   *
   * @param entry as it was read; an empty result is no entry
   * @param row the row's cells, as {@link #get} reads them
   */
  public boolean isWrong(Result entry, Result row) {
    Cell read = settledCell(entry);
    return read != null && !isOf(read, covered(row));
  }

  private static boolean isOf(Cell cell, List<Optional<ByteString>> wanted) {
    try {
      return IndexEntry.parse(CellUtil.cloneValue(cell)).covered().equals(wanted);
    } catch (IndexException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return entries + " " + key;
  }
}
