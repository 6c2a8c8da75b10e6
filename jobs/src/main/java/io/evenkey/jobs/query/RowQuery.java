/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.gather.UnorderedScanException;
import io.evenkey.client.select.IndexSelection;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.client.select.SelectionExplanation;
import io.evenkey.layout.scatter.Where;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table, and what of them. Immutable.
 *
 * @param where the condition on the fields of the key, or null for all rows
 * @param limit the most rows, or 0 for all
 * @param reversed whether the last key comes first
 * @param columns which columns; all, as text, if none are named. Rows without any of those named
 *     are left out, as HBase does it, unless the rows are read through an index
 * @param by the index through which the rows are read, or null for the table's own key
 */
public record RowQuery(
    @Nullable String where,
    int limit,
    boolean reversed,
    List<CellColumn> columns,
    @Nullable String by) {
  /** Copies the list. */
  public RowQuery {
    columns = List.copyOf(columns);
  }

  /** Every row, as it is. */
  public static RowQuery all() {
    return new RowQuery(null, 0, false, List.of(), null);
  }

  /**
   * Starts to read, in logical order; as the rows are stored, where the layout has no logical order
   * for so many.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the condition is none
   * @throws UnorderedScanException if there is no order and they are asked for in reverse
   */
  public Rows open(SpreadTable table) throws IOException {
    return open(table, null);
  }

  /**
   * As {@link #open}, of the cells that pass a filter which does not look at rows; of all cells, if
   * the rows are read through an index.
   */
  public Rows open(SpreadTable table, @Nullable Filter cells) throws IOException {
    if (by != null) {
      IndexSelection index = selection(table, by);
      return Rows.ordered(index.open(), RowShape.of(index.layout(), columns));
    }
    Selection selection = selection(table);
    if (cells != null) {
      selection = selection.filter(cells);
    }
    RowShape shape = RowShape.of(table.layout(), columns);
    try {
      KeyedRows rows = selection.open();
      return Rows.ordered(rows, shape);
    } catch (UnorderedScanException e) {
      if (reversed) {
        throw e;
      }
      Where condition = where == null ? null : table.layout().where(where);
      return Rows.stored(table.scanStored(scan(cells)), table, condition, limit, shape);
    }
  }

  /**
   * Explains how the rows, or the entries of the index, would be read; empty if {@link #open} would
   * read them as they are stored.
   *
   * @throws io.evenkey.layout.text.SyntaxException as {@link #open}
   * @throws UnorderedScanException as {@link #open}
   */
  public Optional<SelectionExplanation> explain(SpreadTable table) throws IOException {
    if (by != null) {
      return Optional.of(selection(table, by).explain().entries());
    }
    try {
      return Optional.of(selection(table).explain());
    } catch (UnorderedScanException e) {
      if (reversed) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private IndexSelection selection(SpreadTable table, String index) throws IOException {
    IndexSelection selection = table.select().by(index);
    if (where != null) {
      selection = selection.where(where);
    }
    if (limit > 0) {
      selection = selection.limit(limit);
    }
    return reversed ? selection.reversed() : selection;
  }

  private Selection selection(SpreadTable table) {
    Selection selection = table.select();
    if (where != null) {
      selection = selection.where(where);
    }
    if (limit > 0) {
      selection = selection.limit(limit);
    }
    if (reversed) {
      selection = selection.reversed();
    }
    for (CellColumn column : columns) {
      selection = selection.column(column.familyBytes(), column.qualifierBytes());
    }
    return selection;
  }

  /**
   * Reads some rows of a table, picked by chance by its servers, as they are stored.
   *
   * @param share of how many, above 0 and up to 1
   */
  public static Rows sample(SpreadTable table, double share) throws IOException {
    // Reads everything once: it should not push out what others read often.
    Scan scan = new Scan().setCacheBlocks(false).setFilter(new RandomRowFilter((float) share));
    return Rows.stored(
        table.scanStored(scan), table, null, 0, RowShape.of(table.layout(), List.of()));
  }

  private Scan scan(@Nullable Filter cells) {
    Scan scan = new Scan();
    columns.forEach(column -> scan.addColumn(column.familyBytes(), column.qualifierBytes()));
    return cells == null ? scan : scan.setFilter(cells);
  }
}
