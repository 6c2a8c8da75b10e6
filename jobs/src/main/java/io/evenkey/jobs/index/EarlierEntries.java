/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.jobs.security.CellSecurity;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.RowException;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.TableIndex;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * The entries of rows from before an index, each under the same nonce, so that writing one again
 * changes nothing. Thread-safe.
 *
 * @param table the table, as applications call it
 * @param layout that of its rows
 * @param index the index
 * @param nonce in hex
 * @param life how long rows stay
 */
record EarlierEntries(
    TableName table,
    Layout layout,
    TableIndex index,
    String nonce,
    RowLife life,
    RowEntries entries) {
  private static final String TABLE = "evenkey.index.of";
  private static final String LAYOUT = "evenkey.index.of.layout";
  private static final String INDEX = "evenkey.index.definition";
  private static final String NONCE = "evenkey.index.nonce";

  /** The entries of an index of a table. */
  static EarlierEntries of(
      TableName table, Layout layout, TableIndex index, String nonce, RowLife life) {
    return new EarlierEntries(
        table, layout, index, nonce, life, RowEntries.of(table, layout, index));
  }

  /** Gives it to a job. */
  void addTo(Configuration configuration) {
    configuration.set(TABLE, table.getNameAsString());
    configuration.set(LAYOUT, layout.toString());
    configuration.set(INDEX, index.toString());
    configuration.set(NONCE, nonce);
    life.addTo(configuration);
  }

  /** Returns the entries that a job was given. */
  static EarlierEntries in(Configuration configuration) {
    return of(
        TableName.valueOf(configuration.get(TABLE, "")),
        Layout.parse(configuration.get(LAYOUT, "")),
        TableIndex.parse(configuration.get(INDEX, "")),
        configuration.get(NONCE, ""),
        RowLife.in(configuration));
  }

  /**
   * Restricts a scan of the table as {@link RowEntries#restricted}; but if entries of an index of
   * the key alone end, to no columns, since each ends no earlier than the latest cell of its row.
   */
  Scan restricted(Scan scan) {
    return index.columns().isEmpty() && !life.isForEverOfEntries()
        ? scan
        : entries.restricted(scan);
  }

  /**
   * The entry of a row, by its logical key; empty if the row has none. Of a row that ends by itself
   * the settled cell is a put of its own, since it ends before the other one.
   *
   * @param row as it is stored, with tags
   * @throws IndexLifeException if the row cannot have an entry
   */
  List<Put> of(Result row) throws IndexLifeException {
    byte[] logical;
    try {
      logical = layout.logical(row.getRow());
    } catch (RowException e) {
      // Not a row of the layout: clients do not read it by the table either.
      return List.of();
    }
    checkEnds(row, logical);
    try {
      byte[] key = entries.key(logical, row).orElse(null);
      if (key == null) {
        return List.of();
      }
      checkCells(row, logical);
      Put settled = entries.settled(key, row).map(life::settled).orElse(null);
      if (settled != null && life.isForEver()) {
        return List.of(settled);
      }
      Put earlier = entries.earlier(key, row, ByteText.fromHex(nonce));
      return settled == null ? List.of(earlier) : List.of(earlier, settled);
    } catch (LayoutException e) {
      throw IndexLifeException.of(
          table,
          "row that the index cannot hold",
          "index="
              + index.name()
              + " row=\""
              + layout.labelLogical(logical)
              + "\" problem=\""
              + e.getMessage()
              + '"',
          (index.protocol().keepsRows() ? "" : "delete the row, or ")
              + "write it again with values that fit, and repeat the command; or drop the index");
    }
  }

  // The version before it would be there again, without an entry; also where this one has none.
  private void checkEnds(Result row, byte[] logical) throws IndexLifeException {
    if (!index.protocol().changesRows()) {
      return;
    }
    for (IndexColumn indexed : index.columns()) {
      ColumnName column = indexed.column();
      Cell cell = row.getColumnLatestCell(column.familyBytes(), column.qualifierBytes());
      if (cell != null
          && PrivateCellUtil.getTag((ExtendedCell) cell, TagType.TTL_TAG_TYPE).isPresent()) {
        throw IndexLifeException.of(
            table,
            "row from before the index has an indexed cell with a time to live of its own",
            "index="
                + index.name()
                + " column="
                + column
                + " row=\""
                + layout.labelLogical(logical)
                + '"',
            "when it expires, the previous value would become visible again, without an entry:"
                + " write the row again without a time to live, and repeat the command; or drop the"
                + " index");
      }
    }
  }

  // An entry without them would show the values to those who may not see the row.
  private void checkCells(Result row, byte[] logical) throws IndexLifeException {
    if (CellSecurity.isInRow(row)) {
      throw IndexLifeException.of(
          table,
          "row from before the index has cells with labels or rights of their own",
          "index=" + index.name() + " row=\"" + layout.labelLogical(logical) + '"',
          "its entry would not have them: write the row again without them, and repeat the command;"
              + " or drop the index");
    }
  }
}
