/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyUnsupportedException;
import org.apache.hadoop.hbase.TableName;

/** Exceptions for operations that cannot be done on a spread table. Stateless. */
final class Refused {
  private Refused() {}

  /** A coprocessor call on some of the keys. */
  static UnsupportedOperationException coprocessorOnRange(TableName table, Layout layout) {
    RefusalCounts.count("coprocessor");
    return new EvenkeyUnsupportedException(
        "coprocessor call on a range of keys on a spread table: table="
            + table
            + " layout="
            + layout
            + "; in every bucket, a range of logical keys lies among other keys: call it on the"
            + " whole table, or on single rows");
  }
}
