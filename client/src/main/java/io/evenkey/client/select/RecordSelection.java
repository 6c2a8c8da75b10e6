/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Condition;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Rows of a spread table as Java records of the application, started by {@link
 * io.evenkey.client.SpreadTable#selectAs}:
 *
 * <pre>{@code
 * record Reading(String device, Instant ts, double celsius) {}
 *
 * List<Reading> newest =
 *     table
 *         .selectAs(Reading.class, "d:celsius=celsius:float64")
 *         .where(field("device").eq("d7"))
 *         .limit(100)
 *         .list();
 * }</pre>
 *
 * <p>Immutable and thread-safe: each option returns another selection.
 *
 * @param <R> the record
 */
public final class RecordSelection<R extends Record> {
  private final Selection rows;
  private final RecordShape<R> shape;

  private RecordSelection(Selection rows, RecordShape<R> shape) {
    this.rows = rows;
    this.shape = shape;
  }

  /**
   * Returns the rows of a selection as records. The client reads whole rows, because HBase leaves
   * out rows that lack a requested column.
   *
   * @param columns the columns, named as the record's components; the others are fields of the key
   * @throws IllegalArgumentException if a component is neither a field nor a column, or if a column
   *     is no component
   */
  @InterfaceAudience.Private
  public static <R extends Record> RecordSelection<R> of(
      Selection rows, Class<R> type, Layout layout, List<CellColumn> columns) {
    return new RecordSelection<>(rows, RecordShape.of(type, layout, columns));
  }

  private RecordSelection<R> of(Selection narrowed) {
    return new RecordSelection<>(narrowed, shape);
  }

  /** See {@link Selection#where(String)}. */
  public RecordSelection<R> where(String text) {
    return of(rows.where(text));
  }

  /** See {@link Selection#where(Condition)}. */
  public RecordSelection<R> where(Condition condition) {
    return of(rows.where(condition));
  }

  /** See {@link Selection#reversed}. */
  public RecordSelection<R> reversed() {
    return of(rows.reversed());
  }

  /** See {@link Selection#anyOrder}. */
  public RecordSelection<R> anyOrder() {
    return of(rows.anyOrder());
  }

  /** See {@link Selection#by}. */
  public RecordSelection<R> by(String name) throws IOException {
    return of(rows.by(name));
  }

  /** See {@link Selection#limit}. */
  public RecordSelection<R> limit(int rowCount) {
    return of(rows.limit(rowCount));
  }

  /** See {@link Selection#after(byte[])}. */
  public RecordSelection<R> after(byte[] key) {
    return of(rows.after(key));
  }

  /** See {@link Selection#after(ReadCursor)}. */
  public RecordSelection<R> after(ReadCursor cursor) {
    return of(rows.after(cursor));
  }

  /**
   * Starts to read. Close the stream to end the scan. See {@link Selection#open} for what it
   * throws.
   *
   * <p>The stream throws an {@link IllegalArgumentException} at a row that does not fit the record:
   * if a component's class cannot hold the value exactly, or if a primitive component has no value.
   *
   * @throws IOException if the read cannot begin
   */
  public Stream<R> stream() throws IOException {
    return rows.stream().map(shape::record);
  }

  /**
   * Reads all rows into a list; set a {@link #limit} unless you know that they fit into memory. See
   * {@link #stream} for what it throws.
   */
  public List<R> list() throws IOException {
    try (Stream<R> records = stream()) {
      return records.toList();
    }
  }
}
