/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * A table as a client uses it now. Immutable.
 *
 * @param table the name that the application uses
 * @param physical the name of the generation in HBase
 * @param rows the mapping between its logical and its stored rows
 * @param revision the revision of the guard's state by which a region named the layout; {@link
 *     #UNKNOWN} if no guard has
 * @param changedKey the fields of the row key, if the table has another one than it was created
 *     with: by a migration, or as a layout was recorded for stored rows; else null
 * @param byFields whether a migration has changed the row key, and the application says that it
 *     names rows by fields only: rows that it has in bytes may be of any key
 * @param indexed the table whose index this one has the entries of; null if it is not the table of
 *     an index
 */
public record Generation(
    TableName table,
    TableName physical,
    RowMapping rows,
    long revision,
    @Nullable String changedKey,
    boolean byFields,
    @Nullable TableName indexed) {
  /** The revision of a table whose layout no guard names. */
  public static final long UNKNOWN = -1;

  /** A table with the row key that it was created with. */
  public Generation(TableName table, TableName physical, RowMapping rows, long revision) {
    this(table, physical, rows, revision, null, false, null);
  }

  /** A table whose layout is not named by a guard. */
  public Generation(TableName table, TableName physical, RowMapping rows) {
    this(table, physical, rows, UNKNOWN);
  }

  /** A table whose rows are stored as they are, under its own name. */
  public static Generation plain(TableName table) {
    return new Generation(table, table, RowMapping.NONE);
  }

  /** Whether it is a table under its own name whose rows are stored as they are. */
  public boolean isPlain() {
    return physical.equals(table) && rows.isPlain();
  }

  /** This generation for the writes of rows whose entries in indexes are written. */
  public Generation afterEntries() {
    return new Generation(
        table, physical, rows.afterEntries(), revision, changedKey, byFields, indexed);
  }

  /**
   * Whether the other one has the same rows by the same layout, and the same indexes, and both are
   * tables of the same index, or of none.
   */
  public boolean isLike(Generation other) {
    return physical.equals(other.physical)
        && rows.isLike(other.rows)
        && Objects.equals(indexed, other.indexed);
  }

  /**
   * Checks that a part of a job, which reads a range of stored rows, was made of this generation
   * and by its layout. The parts of a job divide the rows of no other.
   *
   * @param made the generation that it was made of
   * @param layout the line of the layout that it was made by
   * @throws TableLayoutException if not; a {@link Route} looks the table up again before it
   *     believes that
   */
  public void checkMade(TableName made, String layout) throws TableLayoutException {
    boolean isMadeBy =
        rows.isPlain() ? Layout.parse(layout).isPlain() : layout.equals(rows.layout().toString());
    if (!made.equals(physical) || !isMadeBy) {
      String now = rows.isPlain() ? "plain" : rows.layout().toString();
      throw TableLayoutException.outOfUse(table, made, layout, physical, now);
    }
  }
}
