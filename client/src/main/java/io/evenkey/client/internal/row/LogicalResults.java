/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import io.evenkey.client.internal.metrics.ForeignRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.RowException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.QueryMetricsSetting;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * Puts what region servers answer under logical keys, for one layout. The cells of an answer are
 * views of the stored ones: nothing is copied. Immutable and thread-safe.
 */
public final class LogicalResults {
  private final Layout layout;
  private final ForeignRows foreign;
  // Of the layout, for each row.
  private final int width;
  private final boolean prefixOnly;

  private LogicalResults(Layout layout, ForeignRows foreign) {
    this.layout = layout;
    this.foreign = foreign;
    this.width = layout.spread().width();
    this.prefixOnly = layout.spread().isPrefixOnly();
  }

  /** Of rows that are not counted by table. */
  public static LogicalResults of(Layout layout) {
    return of(layout, new ForeignRows("", layout));
  }

  static LogicalResults of(Layout layout, ForeignRows foreign) {
    return new LogicalResults(layout, foreign);
  }

  /** The layout by which rows are stored. */
  public Layout layout() {
    return layout;
  }

  /** The rows that the layout cannot have written. */
  public ForeignRows foreign() {
    return foreign;
  }

  /** Puts the result of a check under its logical key. */
  public CheckAndMutateResult logical(CheckAndMutateResult physical) {
    Result result = physical.getResult();
    return result == null
        ? physical
        : QueryMetricsSetting.copy(
            physical, new CheckAndMutateResult(physical.isSuccess(), logical(result)));
  }

  /** Puts whatever an action has for a result under its logical key. */
  @SuppressWarnings("unchecked") // a result stays a result
  public <R> R logicalResult(R physical) {
    if (physical instanceof Result read) {
      return (R) logical(read);
    }
    return physical instanceof CheckAndMutateResult check ? (R) logical(check) : physical;
  }

  /**
   * As {@link #logicalResult(Object)}, of the answer to an action; see {@link #logical(Result,
   * Row)}.
   */
  @SuppressWarnings("unchecked") // a result stays a result
  public <R> R logicalResult(R physical, Row action) {
    return physical instanceof Result read ? (R) logical(read, action) : logicalResult(physical);
  }

  /**
   * As {@link #logical(Result)}, of the answer to an action. A coprocessor that answers by itself
   * may name the row as the action does: then the answer is left as it is.
   */
  public Result logical(Result answer, Row action) {
    Cell[] cells = answer.rawCells();
    boolean isLogical =
        cells != null && cells.length > 0 && CellUtil.matchingRows(cells[0], action.getRow());
    return isLogical ? answer : logical(answer);
  }

  /**
   * As {@link #logical(Result)}, of a row that another client may have written.
   *
   * @return null if the row has no logical key under this layout; it is counted
   */
  public @Nullable Result logicalOrForeign(Result physical) {
    try {
      return logical(physical);
    } catch (RowException e) {
      foreign.met(physical.getRow(), e);
      return null;
    }
  }

  /** Puts a row under another key; its cells are views of the given ones. */
  public static Result under(byte[] key, Result row) {
    Cell[] cells = row.rawCells();
    if (cells == null || cells.length == 0) {
      return row;
    }
    Cell[] views = new Cell[cells.length];
    for (int i = 0; i < cells.length; i++) {
      views[i] = new RowCell(cells[i], key, 0, key.length);
    }
    return Result.create(views, null, row.isStale(), row.mayHaveMoreCellsInRow());
  }

  /**
   * Puts a result under its logical key; its cells are views of the given ones.
   *
   * @throws RowException if the row has no logical key under this layout
   */
  public Result logical(Result physical) {
    Cell[] cells = physical.rawCells();
    if (cells == null || cells.length == 0 || layout.isPlain()) {
      return physical;
    }
    Cell[] views = new Cell[cells.length];
    boolean isView = prefixOnly && cells[0].getRowLength() >= width;
    byte[] decoded = isView ? null : layout.logical(CellUtil.cloneRow(cells[0]));
    for (int i = 0; i < cells.length; i++) {
      Cell cell = cells[i];
      views[i] =
          decoded == null
              ? new RowCell(
                  cell,
                  cell.getRowArray(),
                  cell.getRowOffset() + width,
                  cell.getRowLength() - width)
              : new RowCell(cell, decoded, 0, decoded.length);
    }
    Result logical =
        Result.create(views, null, physical.isStale(), physical.mayHaveMoreCellsInRow());
    // Given to create, it would make a result without cells.
    logical.setExists(physical.getExists());
    return QueryMetricsSetting.copy(physical, logical);
  }
}
