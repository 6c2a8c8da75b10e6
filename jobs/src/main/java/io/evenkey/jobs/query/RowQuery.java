/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.query;

import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.client.select.SelectionExplanation;
import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.SyntaxException;
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
 *     are left out, as HBase does it
 * @param anyOrder whether the rows may come in the order of an index
 * @param by the index through which the rows are read, or the table by its own key; null if that is
 *     to be chosen
 */
public record RowQuery(
    @Nullable String where,
    int limit,
    boolean reversed,
    List<CellColumn> columns,
    boolean anyOrder,
    @Nullable String by) {
  /** Copies the list. */
  public RowQuery {
    columns = List.copyOf(columns);
  }

  /** Every row, as it is. */
  public static RowQuery all() {
    return new RowQuery(null, 0, false, List.of(), false, null);
  }

  /**
   * Starts to read, in the order of a key; as the rows are stored, where the layout has no order
   * for so many.
   *
   * @throws SyntaxException if the condition is none
   * @throws UnorderedScanException if there is no order and they are asked for in reverse
   */
  public Rows open(SpreadTable table) throws IOException {
    return open(table, null);
  }

  /**
   * As {@link #open}, of the cells that pass a filter which does not look at rows; of all cells, if
   * the rows may be read through an index.
   */
  public Rows open(SpreadTable table, @Nullable Filter cells) throws IOException {
    Selection selection = selection(table);
    if (cells != null && isOfTable(table)) {
      selection = selection.filter(cells);
    }
    try {
      KeyedRows rows = selection.open();
      return Rows.ordered(rows, RowShape.of(rows.fields(), rows.columns(), columns));
    } catch (UnorderedScanException e) {
      if (reversed) {
        throw e;
      }
      Where condition = where == null ? null : table.layout().where(where);
      RowShape shape = RowShape.of(table.layout().fields(), List.of(), columns);
      return Rows.stored(table.scanStored(scan(cells)), table, condition, limit, shape);
    }
  }

  /** Whether no index can be read for it. */
  private boolean isOfTable(SpreadTable table) {
    if (anyOrder || by != null) {
      return false;
    }
    if (where == null) {
      return true;
    }
    try {
      Where unused = table.layout().where(where);
      return true;
    } catch (SyntaxException e) {
      return false;
    }
  }

  /**
   * Explains how the rows, or the entries of the index, would be read; empty if {@link #open} would
   * read them as they are stored.
   *
   * @throws SyntaxException as {@link #open}
   * @throws UnorderedScanException as {@link #open}
   */
  public Optional<SelectionExplanation> explain(SpreadTable table) throws IOException {
    try {
      return Optional.of(selection(table).explain());
    } catch (UnorderedScanException e) {
      if (reversed) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /**
   * Warns of times in the condition that hardly are what they are taken for.
   *
   * @throws SyntaxException as {@link #open}
   */
  public List<String> warnings(SpreadTable table) throws IOException {
    Where condition = where == null ? null : selection(table).condition();
    return condition == null ? List.of() : OddTimes.warnings(condition);
  }

  private Selection selection(SpreadTable table) throws IOException {
    Selection selection = table.select();
    if (by != null) {
      selection = selection.by(by);
    }
    if (anyOrder) {
      selection = selection.anyOrder();
    }
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
   * Reads the row of a key, in whichever of several buckets it is.
   *
   * @param columns the columns to show; all, as text, if none are named
   */
  public static Rows of(SpreadTable table, byte[] key, List<CellColumn> columns)
      throws IOException {
    KeyRange only = KeyRange.of(key, KeyRange.successor(key));
    return Rows.stored(
        table.scan(only, ScanOptions.all()),
        table,
        null,
        1,
        RowShape.of(table.layout().fields(), List.of(), columns));
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
        table.scanStored(scan),
        table,
        null,
        0,
        RowShape.of(table.layout().fields(), List.of(), List.of()));
  }

  private Scan scan(@Nullable Filter cells) {
    Scan scan = new Scan();
    columns.forEach(column -> scan.addColumn(column.familyBytes(), column.qualifierBytes()));
    return cells == null ? scan : scan.setFilter(cells);
  }
}
