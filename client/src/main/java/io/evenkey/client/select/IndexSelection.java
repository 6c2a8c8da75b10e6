/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.index.IndexReads;
import io.evenkey.client.index.IndexRefusedException;
import io.evenkey.client.route.Route;
import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Condition;
import java.io.IOException;
import java.util.stream.Stream;

/**
 * Selects rows through an index, in the index's order, by conditions on the fields of its key:
 *
 * <pre>{@code
 * try (IndexedRows rows = table.select().by("by_customer").where("customer = 'c7'").open()) {
 *   for (KeyedRow row : rows) {
 *     System.out.println(row.getString("customer") + " " + row.getInstant("ts"));
 *   }
 * }
 * }</pre>
 *
 * <p>Entries are scanned as the rows of any spread table are. The rows that they name are read in
 * batches, and those are returned whose values are the entry's. So each row that was acknowledged
 * before the read began is returned once, if its indexed columns do not change meanwhile, as those
 * of events do not. Immutable: each option gives another selection.
 */
public final class IndexSelection {
  private final Route route;
  private final IndexReads index;
  private final IndexSource source;
  private final Selection entries;
  private final int limit;

  private IndexSelection(
      Route route, IndexReads index, IndexSource source, Selection entries, int limit) {
    this.route = route;
    this.index = index;
    this.source = source;
    this.entries = entries;
    this.limit = limit;
  }

  static IndexSelection of(Route route, IndexReads index, IndexSource source) throws IOException {
    try {
      return new IndexSelection(route, index, source, source.entries(index.entries()), 0);
    } catch (IOException e) {
      throw IndexRefusedException.entryFailed(index.entries(), e);
    }
  }

  /** The layout of the index's keys, which has all fields of the table's key. Immutable. */
  public Layout layout() {
    return index.layout();
  }

  private IndexSelection with(Selection next) {
    return new IndexSelection(route, index, source, next, limit);
  }

  /**
   * Selects the rows whose index keys fulfil a condition, which replaces any condition before.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the text is not a condition; says where
   */
  public IndexSelection where(String text) {
    return with(entries.where(text));
  }

  /**
   * As {@link #where(String)}, with a condition that was made in Java.
   *
   * @throws io.evenkey.layout.field.UnknownFieldException if a name in it is no field's
   * @throws io.evenkey.layout.field.ValueException if a field cannot hold a value in it
   */
  public IndexSelection where(Condition condition) {
    return with(entries.where(condition));
  }

  /** Reverses the direction: from the last entry to the first. */
  public IndexSelection reversed() {
    return with(entries.reversed());
  }

  /**
   * Begins behind an entry, in the direction of the scan.
   *
   * @param entry the key of the entry, as {@link IndexedRows#cursor} gives it
   */
  public IndexSelection after(byte[] entry) {
    return with(entries.after(entry));
  }

  /** Limits the selection to its first rows, 1 or more. */
  public IndexSelection limit(int rowCount) {
    if (rowCount < 1) {
      throw new IllegalArgumentException(
          "limit out of range: " + rowCount + "; expected 1 or more");
    }
    return new IndexSelection(route, index, source, entries, rowCount);
  }

  /**
   * Starts to read.
   *
   * @throws io.evenkey.client.gather.UnorderedScanException if the index has no order to read these
   *     entries in
   */
  public IndexedRows open() throws IOException {
    return new IndexedRows(route, index, source, entries, limit);
  }

  /** Starts to read; closing the stream ends the read. See {@link #open}. */
  public Stream<KeyedRow> stream() throws IOException {
    return open().stream();
  }

  /** Explains how the rows would be read now. Reads no row. See {@link #open}. */
  public IndexExplanation explain() throws IOException {
    Selection first = limit == 0 ? entries : entries.limit(IndexedRows.entriesFor(limit));
    return new IndexExplanation(index.name(), first.explain(), IndexedRows.BATCH);
  }
}
