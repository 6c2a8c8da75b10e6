/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.layout.field.Field;
import io.evenkey.protocol.index.IndexColumn;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/** Rows that are being read, of a table or through one of its indexes. Not thread-safe. */
sealed interface RowSource permits TableRows, IndexedRows, FallbackRows {
  /**
   * The next row, or null if there are no more.
   *
   * @throws IOException if it could not be read
   */
  @Nullable KeyedRow next() throws IOException;

  /** The place behind which the read can be continued; null before the first row. */
  @Nullable ReadCursor cursor();

  /** The fields whose values the rows have, in their order. */
  List<Field> fields();

  /** The {@link #fields} whose values come from columns of the row. */
  List<IndexColumn> columns();

  /** HBase's scan metrics up to now; null unless they were asked for. */
  @Nullable ScanMetrics metrics();

  /** Ends the read; what is under way is called off. */
  void close();
}
