/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Where;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The options of one {@link Selection}, which sets them before it is constructed and never changes
 * them afterwards.
 */
final class SelectionOptions {
  @Nullable KeyCondition condition;
  Scan scan = new Scan();
  @Nullable ReadCursor cursor;

  /** The keys that are read, of which the cursor may leave out some. */
  KeyRange keys = KeyRange.all();

  /** The largest number of rows; 0 for all. */
  int limit;

  LongConsumer progress = rows -> {};

  /** Whether the rows may come in another order than that of the table's key. */
  boolean anyOrder;

  /** Whether the table is read by its own key. */
  boolean byTable;

  /** The index that is read; null if it is to be chosen, or the table is read. */
  @Nullable String by;

  /**
   * The condition on the fields of a layout; null for all rows.
   *
   * @throws io.evenkey.layout.text.LayoutException if it does not have all of them
   */
  @Nullable Where where(Layout layout) {
    return condition == null ? null : condition.on(layout);
  }

  /** Whether the layout of the table has all fields of the condition. */
  boolean isReadByTable() {
    return condition == null || condition.onTable() != null;
  }

  /** Whether an index is named. */
  boolean isByIndex() {
    return by != null || cursor != null && cursor.index() != null;
  }

  SelectionOptions copy() {
    SelectionOptions copy = new SelectionOptions();
    copy.condition = condition;
    copy.scan = scan();
    copy.cursor = cursor;
    copy.keys = keys;
    copy.limit = limit;
    copy.progress = progress;
    copy.anyOrder = anyOrder;
    copy.byTable = byTable;
    copy.by = by;
    return copy;
  }

  /** A copy of the scan, which its caller may change. */
  Scan scan() {
    return copy(scan);
  }

  static Scan copy(Scan scan) {
    try {
      return new Scan(scan);
    } catch (IOException e) {
      throw new IllegalStateException("a scan can always be copied", e);
    }
  }

  /** The logical keys that are read: those behind the cursor, in the direction of the scan. */
  KeyRange range() {
    if (cursor == null) {
      return keys;
    }
    byte[] behind = cursor.key();
    if (!scan.isReversed()) {
      return keys.intersection(KeyRange.of(KeyRange.successor(behind), new byte[0]));
    }
    // No key is before the empty one; as a bound it would stand for the end.
    return behind.length == 0
        ? KeyRange.none()
        : keys.intersection(KeyRange.of(new byte[0], behind));
  }
}
