/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Where;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The options of one {@link Selection}, which sets them before it is constructed and never changes
 * them afterwards.
 */
final class SelectionOptions {
  @Nullable FieldCondition condition;
  Scan scan = new Scan();
  byte @Nullable [] cursor;

  /** The largest number of rows; 0 for all. */
  int limit;

  LongConsumer progress = rows -> {};

  /**
   * A condition on the fields of the key.
   *
   * @param reading reads it by the fields of a generation
   * @param where the condition as the current generation reads it
   */
  record FieldCondition(Function<Layout, Where> reading, Where where) {}

  SelectionOptions copy() {
    SelectionOptions copy = new SelectionOptions();
    copy.condition = condition;
    copy.scan = scan();
    copy.cursor = cursor;
    copy.limit = limit;
    copy.progress = progress;
    return copy;
  }

  /** A copy of the scan, which its caller may change. */
  Scan scan() {
    try {
      return new Scan(scan);
    } catch (IOException e) {
      throw new IllegalStateException("a scan can always be copied", e);
    }
  }

  /** The logical keys behind the cursor, in the direction of the scan. */
  KeyRange range() {
    byte[] behind = cursor;
    if (behind == null) {
      return KeyRange.all();
    }
    if (!scan.isReversed()) {
      return KeyRange.of(KeyRange.successor(behind), new byte[0]);
    }
    // No key is before the empty one; as a bound it would stand for the end.
    return behind.length == 0 ? KeyRange.none() : KeyRange.of(new byte[0], behind);
  }
}
