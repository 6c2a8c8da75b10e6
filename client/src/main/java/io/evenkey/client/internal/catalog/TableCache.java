/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The values that a connection has read of tables, until the tables change. A value whose reading
 * began before its table was forgotten is not kept: it may be of before the change. Thread-safe.
 */
final class TableCache<V> {
  // Replaced whenever something is forgotten: readings that began before go into the old one.
  private volatile Map<TableName, V> values = new ConcurrentHashMap<>();

  /** A reading that has begun. */
  record Reading<V>(Map<TableName, V> into) {
    /** Keeps what was read, unless the table has been forgotten since then. */
    void keep(TableName table, V value) {
      into.put(table, value);
    }
  }

  /** The value of a table, or null if there is none. */
  @Nullable V get(TableName table) {
    return values.get(table);
  }

  /** Begins to read a value. Call it before anything is read. */
  Reading<V> begin() {
    return new Reading<>(values);
  }

  /** Forgets a value that should not have been kept, unless there is another one now. */
  synchronized void drop(TableName table, V value) {
    values.remove(table, value);
  }

  /** Forgets one table. */
  synchronized void forget(TableName table) {
    Map<TableName, V> others = new ConcurrentHashMap<>(values);
    others.remove(table);
    values = others;
  }

  /** Forgets all tables. */
  synchronized void forgetAll() {
    values = new ConcurrentHashMap<>();
  }
}
