/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.setting.Setting;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * When tables without the guard are looked up again. A guard refuses requests to a table that was
 * dropped and recreated under another layout; without one, this bounds for how long a client goes
 * on by the old layout. Thread-safe.
 */
final class LayoutRefreshes {
  /** Configuration key: after how many milliseconds of use. */
  static final String SETTING = Setting.UNGUARDED_LOOKUP.key();

  private final long everyNanos;
  private final Map<TableName, Long> found = new ConcurrentHashMap<>();

  LayoutRefreshes(Configuration configuration) {
    this.everyNanos = Duration.ofMillis(Setting.UNGUARDED_LOOKUP.number(configuration)).toNanos();
  }

  /** A table was looked up, and a region server's guard answered. */
  void guarded(TableName table) {
    found.remove(table);
  }

  /** A table was looked up, or could not be, and no guard answered. */
  void unguarded(TableName table) {
    found.put(table, System.nanoTime());
  }

  /** Whether a table is to be looked up again; if so, this says it once. */
  boolean isDue(TableName table) {
    if (found.isEmpty()) {
      return false;
    }
    Long since = found.get(table);
    return since != null && System.nanoTime() - since >= everyNanos && found.remove(table, since);
  }
}
