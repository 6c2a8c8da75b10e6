/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.metrics.ForeignRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.RowException;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rows of a selection of what a scan has read: takes their keys apart, and drops the rows
 * that the scan's ranges had to include and the selection does not want. Immutable.
 *
 * @param layout takes keys apart
 * @param foreign gets the keys that cannot be taken apart, which are left out
 * @param where the condition on their fields; null for all rows
 * @param within where their keys have to be
 * @param form that of the {@link ReadCursor cursors}
 */
record KeyedRowDecoder(
    Layout layout, ForeignRows foreign, @Nullable Where where, KeyRange within, String form) {
  KeyedRowDecoder(Layout layout, ForeignRows foreign, @Nullable Where where, KeyRange within) {
    this(layout, foreign, where, within, ReadCursor.formOf(layout));
  }

  /** The row with its values, or null if it is not wanted. */
  @Nullable KeyedRow decode(Result result) {
    byte[] key = result.getRow();
    if (!within.contains(key)) {
      return null;
    }
    Values values;
    try {
      values = layout.decodeLogical(key);
    } catch (RowException e) {
      foreign.met(key, e);
      return null;
    }
    return where == null || where.matches(values::get) ? new KeyedRow(values, result, form) : null;
  }
}
