/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import io.opentelemetry.api.trace.Span;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.trace.TableOperationSpanBuilder;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The spans of operations on a table for each of which there are several of HBase's: named and
 * described as HBase does it for an operation of its own, on the same connection.
 *
 * <p>It is in HBase's package, since what describes connections is visible only here. Thread-safe.
 */
public final class TableSpans {
  private static final String RANGES = "evenkey.ranges";

  private final @Nullable Supplier<TableOperationSpanBuilder> builders;

  private TableSpans(@Nullable Supplier<TableOperationSpanBuilder> builders) {
    this.builders = builders;
  }

  /** The spans of a connection; none unless it is HBase's own, which alone can be described. */
  public static TableSpans on(Connection connection) {
    return new TableSpans(HBaseLine.present().spans(connection));
  }

  /** The spans of an asynchronous connection; see {@link #on(Connection)}. */
  public static TableSpans on(AsyncConnection connection) {
    return new TableSpans(
        connection instanceof AsyncConnectionImpl own
            ? () -> new TableOperationSpanBuilder(own)
            : null);
  }

  /**
   * Starts the span of a scan.
   *
   * @param table as the application names it
   * @param ranges the number of physical ranges that are scanned for it
   */
  public Span scan(TableName table, int ranges) {
    return start(table, Operation.SCAN).setAttribute(RANGES, ranges);
  }

  /** Starts the span of an operation; see {@link #scan}. */
  public Span start(TableName table, Operation operation) {
    return builders == null
        ? Span.getInvalid()
        : builders.get().setTableName(table).setOperation(operation).build();
  }
}
