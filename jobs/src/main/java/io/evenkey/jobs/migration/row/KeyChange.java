/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.jobs.compare.Cells;
import io.evenkey.jobs.compare.OtherKeys;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.IndexParser;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Another row key for the rows of a table: of the fields of the key before, in another order, and
 * of fields that are taken from columns. It has all fields of the key before, so that no two rows
 * get one key, and the key before can be read from it. Immutable and thread-safe.
 */
public final class KeyChange implements OtherKeys {
  private final IndexKey key;

  private KeyChange(IndexKey key) {
    this.key = key;
  }

  /**
   * A change of the row key.
   *
   * @param from the layout of the rows
   * @param to the layout that they are to have; fields of the key before that it does not name
   *     follow
   * @param columns the fields that are taken from columns
   * @throws io.evenkey.protocol.index.IndexException if rows cannot have such keys
   */
  public static KeyChange of(Layout from, Layout to, List<IndexColumn> columns) {
    return new KeyChange(IndexKey.ofNextKey(from, to, columns));
  }

  /** Reads a change of the key, with columns as {@link #columns} writes them. */
  public static KeyChange of(Layout from, Layout to, String columns) {
    return of(from, to, columns(columns));
  }

  /** Reads the columns of a change of the key, as {@link #columns()} writes them. */
  public static List<IndexColumn> columns(String columns) {
    return columns.isEmpty() ? List.of() : IndexParser.columns(columns);
  }

  /** The layout that rows are to have, with all fields. */
  public Layout layout() {
    return key.index().layout();
  }

  /** The fields that are taken from columns, as {@code customer=d:customer}; empty for none. */
  public String columns() {
    return String.join(", ", key.index().columns().stream().map(IndexColumn::toString).toList());
  }

  /** Whether fields are taken from columns: then the key of a row changes with its cells. */
  public boolean takesColumns() {
    return !key.index().columns().isEmpty();
  }

  /** The columns from which fields are taken. */
  public Set<ColumnName> columnNames() {
    Set<ColumnName> names = new LinkedHashSet<>();
    key.index().columns().forEach(column -> names.add(column.column()));
    return names;
  }

  /** {@inheritDoc} By the values that readers see; the row may have deletions and hidden cells. */
  @Override
  public Optional<byte[]> second(byte[] before, Result row) {
    return next(before, Cells.of(row));
  }

  @Override
  public byte[] first(byte[] second) {
    return key.row(second);
  }

  /**
   * The next key of a row; empty if readers see no value of a column that a field is taken from.
   *
   * @param before the key
   * @param raw the row's cells in HBase's order, with deletions and the cells that they hide
   * @throws io.evenkey.layout.text.LayoutException if a column has a value that no key can hold
   */
  Optional<byte[]> next(byte[] before, Cell[] raw) {
    return key.entry(before, column -> seen(column, raw));
  }

  private static byte @Nullable [] seen(ColumnName column, Cell[] raw) {
    byte[] family = column.familyBytes();
    byte[] qualifier = column.qualifierBytes();
    for (Cell cell : raw) {
      if (cell.getType() == Cell.Type.Put
          && CellUtil.matchingColumn(cell, family, qualifier)
          && !Cells.isHidden(cell, raw)) {
        return CellUtil.cloneValue(cell);
      }
    }
    return null;
  }

  /** The rule that a row breaks that cannot have a key: it lacks one of the columns. */
  static String missing(Set<ColumnName> columns) {
    return "row lacks a column from which a field of the new key is taken: columns="
        + String.join(",", columns.stream().map(ColumnName::toString).toList());
  }

  @Override
  public String toString() {
    return key.toString();
  }
}
