/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.protocol.index.IndexException;
import io.evenkey.protocol.index.TableIndex;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/** An entry is a row of HBase, which cannot have any length. Stateless. */
final class EntryLength {
  private static final int SHOWN = 32;

  /** Two commas and the largest number of a region. */
  private static final int OF_REGION_NAME = 2 + HConstants.NINES.length();

  private EntryLength() {}

  /**
   * Checks the length of an entry's key.
   *
   * @param index whose layout has all fields of the table's key
   * @param entry the logical key
   * @throws IndexException if it is too long
   */
  static void check(TableName table, TableIndex index, byte[] entry) {
    check(table, index, entry, HConstants.MAX_ROW_LENGTH);
  }

  /**
   * Checks that HBase's client can find the region of an entry: the row of {@code hbase:meta} at
   * which it looks has the name of the entry's table and an end beside the entry.
   *
   * @param entries the table of the index
   * @param entry the logical key
   * @throws IndexException if it is too long
   */
  static void checkWritten(TableName table, TableIndex index, TableName entries, byte[] entry) {
    check(
        table, index, entry, HConstants.MAX_ROW_LENGTH - entries.getName().length - OF_REGION_NAME);
  }

  private static void check(TableName table, TableIndex index, byte[] entry, int most) {
    int prefix = index.layout().spread().width();
    int length = entry.length + prefix;
    if (length > most) {
      String values =
          String.join(
              " ",
              "table=" + table,
              "index=" + index.name(),
              "bytes=" + length,
              "prefix=" + prefix,
              "key=" + ByteText.printable(entry, 0, SHOWN) + "…");
      throw IndexException.tooLong(values, most);
    }
  }
}
