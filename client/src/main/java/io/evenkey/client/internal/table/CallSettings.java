/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.TimeLimit;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.Table;

/**
 * The timeouts, request attributes and other settings of a table that an application has opened,
 * for the tables that are read and written for it: other generations, indexes, the indexed table.
 * Thread-safe.
 */
@FunctionalInterface
public interface CallSettings {
  /** The settings of the connection. */
  CallSettings NONE = builder -> {};

  /** Gives a builder the settings. */
  void to(AsyncTableBuilder<?> builder);

  /**
   * These, in the time that an operation has left.
   *
   * @throws IOException if there is none
   */
  default CallSettings within(TimeLimit limit) throws IOException {
    if (limit.isWhole()) {
      return this;
    }
    int ms = limit.nextMs();
    return builder -> {
      to(builder);
      builder.setOperationTimeout(ms, TimeUnit.MILLISECONDS);
    };
  }

  /** The settings of a blocking table, read when they are used. */
  static CallSettings of(Table table) {
    return builder -> {
      builder
          .setOperationTimeout(
              table.getOperationTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
          .setRpcTimeout(table.getRpcTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
          .setReadRpcTimeout(table.getReadRpcTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
          .setWriteRpcTimeout(
              table.getWriteRpcTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS);
      HBaseLine.present().copyAttributes(table, builder);
    };
  }
}
