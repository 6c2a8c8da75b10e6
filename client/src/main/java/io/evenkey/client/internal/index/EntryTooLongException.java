/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.index.TableIndex;
import io.evenkey.layout.text.LayoutException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/** An entry whose key is longer than a row of HBase can be. */
final class EntryTooLongException extends LayoutException {
  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 32;

  private EntryTooLongException(String message) {
    super(message);
  }

  /**
   * Checks the length of an entry's key.
   *
   * @param index whose layout has all fields of the table's key
   * @param entry the logical key
   * @throws EntryTooLongException if it is too long
   */
  static void check(TableName table, TableIndex index, byte[] entry) {
    int prefix = index.layout().spread().width();
    if (entry.length + prefix > HConstants.MAX_ROW_LENGTH) {
      throw new EntryTooLongException(
          "row of an index too long: table="
              + table
              + " index="
              + index.name()
              + " bytes="
              + (entry.length + prefix)
              + " prefix="
              + prefix
              + " key="
              + ByteText.printable(entry, 0, SHOWN)
              + "…; HBase allows "
              + HConstants.MAX_ROW_LENGTH
              + ", the prefix included: write shorter values, or drop the index");
    }
  }
}
