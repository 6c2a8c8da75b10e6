/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import io.evenkey.advisor.evaluate.QueryFigures;
import org.jspecify.annotations.Nullable;

/**
 * How a query reads a table that may have indexes. Immutable.
 *
 * @param table its figures by the table's key
 * @param index the index that it reads instead; null if it reads the table
 * @param entries its figures by the keys of the index, of which a query with a limit reads a few
 *     more; null if it reads the table
 * @param rowsFetched rows of the table that it reads by the keys of entries
 * @param naming what the application has to name so that the client reads it in this way
 * @param cost its cost in milliseconds, those rows included
 * @param declined an index that would make it much cheaper, and is not proposed; null if there is
 *     none
 */
public record QueryAccess(
    QueryFigures table,
    @Nullable ProposedIndex index,
    @Nullable QueryFigures entries,
    double rowsFetched,
    Naming naming,
    double cost,
    @Nullable Declined declined) {

  /**
   * An index that does not pay.
   *
   * @param index the index
   * @param readAmplification entries read for each row returned
   * @param ranges ranges opened
   * @param gain by how many points it would raise the score
   * @param needed the points that it would have to raise it by: the margin for an index and the
   *     sample's error
   */
  public record Declined(
      ProposedIndex index, double readAmplification, double ranges, double gain, double needed) {}

  /** Ranges opened, of the table or of the index. */
  public double ranges() {
    return entries == null ? table.fanOut() : entries.fanOut();
  }

  /**
   * The call that the application adds to the selection; empty if the client reads in this way by
   * itself.
   *
   * @param table the name of the table
   */
  public String call(String table) {
    return naming.call(index == null ? table : index.index().name());
  }

  /** Rows or entries read for each row returned. */
  public double readAmplification() {
    return entries == null
        ? table.readAmplification()
        : entries.rowsRead() / Math.max(1, table.rowsReturned());
  }
}
