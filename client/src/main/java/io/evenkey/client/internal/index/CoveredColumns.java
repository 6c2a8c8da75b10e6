/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexEntry;
import io.evenkey.protocol.index.TableIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.ExtendedCellBuilder;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a read of an append-only index takes from its settled entries. Immutable and
 * thread-safe.
 */
public final class CoveredColumns {
  /** The columns, in the order of a row's cells. */
  private final List<Covered> columns;

  private final int covering;
  private final SettledEntry settled;

  private CoveredColumns(List<Covered> columns, TableIndex index) {
    this.columns = columns;
    this.covering = index.covering().size();
    this.settled = new SettledEntry(index);
  }

  /**
   * @param place its number among those that the index covers
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Covered(int place, byte[] family, byte[] qualifier) {}

  /**
   * The columns of a read; empty if it has to read rows, because the index is not append-only or
   * does not cover all of them.
   *
   * @param families as a scan has them: the qualifiers of each family in their order, null for all
   */
  public static Optional<CoveredColumns> of(
      TableIndex index, Map<byte[], @Nullable NavigableSet<byte[]>> families) {
    if (!index.protocol().keepsRows() || families.isEmpty()) {
      return Optional.empty();
    }
    List<Covered> columns = new ArrayList<>();
    for (Map.Entry<byte[], @Nullable NavigableSet<byte[]>> family : families.entrySet()) {
      NavigableSet<byte[]> qualifiers = family.getValue();
      if (qualifiers == null) {
        return Optional.empty();
      }
      for (byte[] qualifier : qualifiers) {
        int place = place(index.covering(), family.getKey(), qualifier);
        if (place < 0) {
          return Optional.empty();
        }
        columns.add(new Covered(place, family.getKey(), qualifier));
      }
    }
    return Optional.of(new CoveredColumns(List.copyOf(columns), index));
  }

  private static int place(List<ColumnName> covering, byte[] family, byte[] qualifier) {
    for (int i = 0; i < covering.size(); i++) {
      ColumnName column = covering.get(i);
      if (Arrays.equals(column.familyBytes(), family)
          && Arrays.equals(column.qualifierBytes(), qualifier)) {
        return i;
      }
    }
    return -1;
  }

  /** The cell of a settled entry; null if the entry is not settled, and its row has to be read. */
  public @Nullable Cell settled(Result entry) {
    return settled.in(entry);
  }

  /**
   * The row of a settled entry, with these columns only; an empty result if it has none of them.
   *
   * @param key the row's logical key
   * @param settled the entry's cell, of which the row's cells have the value's bytes
   */
  public Result row(byte[] key, Cell settled) {
    int[] places = new int[2 * covering];
    IndexEntry.visit(
        settled.getValueArray(),
        settled.getValueOffset(),
        settled.getValueLength(),
        (column, from, length) -> {
          if (column < covering) {
            places[2 * column] = from;
            places[2 * column + 1] = length;
          }
        });
    List<Cell> cells = new ArrayList<>(columns.size());
    for (Covered column : columns) {
      int length = places[2 * column.place() + 1];
      if (length >= 0) {
        cells.add(cell(key, column, settled, places[2 * column.place()], length));
      }
    }
    return Result.create(cells);
  }

  private static Cell cell(byte[] key, Covered column, Cell settled, int from, int length) {
    ExtendedCellBuilder builder = ExtendedCellBuilderFactory.create(CellBuilderType.SHALLOW_COPY);
    return builder
        .setRow(key)
        .setFamily(column.family())
        .setQualifier(column.qualifier())
        .setTimestamp(settled.getTimestamp())
        .setType(Cell.Type.Put)
        .setValue(settled.getValueArray(), from, length)
        .build();
  }
}
