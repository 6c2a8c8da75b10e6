/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.index.IndexException;
import io.evenkey.layout.index.TableIndex;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/** An entry is a row of HBase, which cannot have any length. Stateless. */
final class EntryLength {
  private static final int SHOWN = 32;

  private EntryLength() {}

  /**
   * Checks the length of an entry's key.
   *
   * @param index whose layout has all fields of the table's key
   * @param entry the logical key
   * @throws IndexException if it is too long
   */
  static void check(TableName table, TableIndex index, byte[] entry) {
    int prefix = index.layout().spread().width();
    int length = entry.length + prefix;
    if (length > HConstants.MAX_ROW_LENGTH) {
      String values =
          String.join(
              " ",
              "table=" + table,
              "index=" + index.name(),
              "bytes=" + length,
              "prefix=" + prefix,
              "key=" + ByteText.printable(entry, 0, SHOWN) + "…");
      throw IndexException.tooLong(values, HConstants.MAX_ROW_LENGTH);
    }
  }
}
