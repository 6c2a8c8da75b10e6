/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/** What an index of a table with one family refuses, as docs/index-limits.md says it. */
final class ExpectedRefusal {
  private ExpectedRefusal() {}

  /** Whether a client refuses an action without a look at the row. */
  static boolean isAtOnce(Row action, Collection<OrderIndex> indexes) {
    return indexes.stream().anyMatch(index -> isAtOnce(action, index.index()));
  }

  private static boolean isAtOnce(Row action, TableIndex index) {
    if (action instanceof Put put) {
      return ofPut(put, index);
    } else if (action instanceof Delete delete) {
      return ofDelete(delete, index);
    } else if (action instanceof RowMutations several) {
      return several.getMutations().stream().anyMatch(one -> ofPart(one, index));
    } else if (action instanceof CheckAndMutate check) {
      boolean asPut = check.getAction() instanceof Put && index.protocol() == IndexProtocol.MUTABLE;
      return asPut || !(check.getAction() instanceof Put put)
          ? isAtOnce(check.getAction(), index)
          : ofPart(put, index);
    }
    return ofPart((Mutation) action, index);
  }

  private static boolean ofPut(Put put, TableIndex index) {
    Set<String> indexed = indexed(index);
    Set<String> all = all(index);
    List<Cell> cells = new ArrayList<>();
    put.getFamilyCellMap().values().forEach(cells::addAll);
    cells.removeIf(cell -> !all.contains(name(cell)));
    Set<String> has = new HashSet<>();
    for (Cell cell : cells) {
      if (!has.add(name(cell))) {
        return true;
      }
    }
    boolean ends = put.getTTL() != Long.MAX_VALUE;
    boolean ofKey = indexed.isEmpty();
    return switch (index.protocol()) {
      case EVENTS -> indexed.stream().anyMatch(has::contains) && !has.containsAll(indexed);
      case APPEND_ONLY -> (ofKey || !has.isEmpty()) && (ends || !has.containsAll(all));
      case MUTABLE ->
          !has.isEmpty() && (ends || cells.stream().map(Cell::getTimestamp).distinct().count() > 1);
    };
  }

  /** An action that is made with others, or on a condition. */
  private static boolean ofPart(Mutation part, TableIndex index) {
    if (part instanceof Delete delete) {
      return ofDelete(delete, index);
    }
    Set<String> all = all(index);
    return indexed(index).isEmpty()
        || part.getFamilyCellMap().values().stream()
            .flatMap(List::stream)
            .anyMatch(cell -> all.contains(name(cell)));
  }

  private static boolean ofDelete(Delete delete, TableIndex index) {
    Set<String> all = all(index);
    boolean ofKey = indexed(index).isEmpty();
    boolean ofAll = delete.isEmpty();
    boolean ofColumn = false;
    boolean ofVersion = false;
    for (List<Cell> cells : delete.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        boolean isOne = all.contains(name(cell));
        ofAll |= cell.getType() == Cell.Type.DeleteFamily;
        ofColumn |= isOne;
        ofVersion |=
            cell.getType() == Cell.Type.DeleteFamilyVersion && !ofKey
                || cell.getType() == Cell.Type.Delete && isOne;
      }
    }
    boolean ofFamilyVersion =
        delete.getFamilyCellMap().values().stream()
            .flatMap(List::stream)
            .anyMatch(cell -> cell.getType() == Cell.Type.DeleteFamilyVersion);
    return switch (index.protocol()) {
      case EVENTS -> false;
      case APPEND_ONLY -> ofKey || ofAll || ofColumn || ofFamilyVersion;
      case MUTABLE -> ofVersion;
    };
  }

  /**
   * Whether servers refuse a put, since the row would have some of its columns, and keep others
   * that are later.
   *
   * @param action one that is not refused at once
   * @param row as it is before
   */
  static boolean isMixture(Row action, Result row, Collection<OrderIndex> indexes) {
    if (!(action instanceof Put put)) {
      return false;
    }
    boolean replaces = false;
    boolean isHidden = false;
    for (OrderIndex index : indexes) {
      boolean isMutable = index.index().protocol() == IndexProtocol.MUTABLE;
      for (String column : isMutable ? all(index.index()) : Set.<String>of()) {
        for (Cell next : put.get(IndexedTable.D, Bytes.toBytes(column))) {
          Cell now = row.getColumnLatestCell(IndexedTable.D, Bytes.toBytes(column));
          boolean isLater = now != null && now.getTimestamp() > next.getTimestamp();
          isHidden |= isLater;
          replaces |= !isLater;
        }
      }
    }
    return isHidden && replaces;
  }

  private static Set<String> indexed(TableIndex index) {
    Set<String> names = new HashSet<>();
    for (IndexColumn column : index.columns()) {
      names.add(Bytes.toString(column.column().qualifierBytes()));
    }
    return names;
  }

  private static Set<String> all(TableIndex index) {
    Set<String> names = new HashSet<>();
    for (ColumnName column : index.columnNames()) {
      names.add(Bytes.toString(column.qualifierBytes()));
    }
    return names;
  }

  private static String name(Cell cell) {
    return Bytes.toString(CellUtil.cloneQualifier(cell));
  }
}
