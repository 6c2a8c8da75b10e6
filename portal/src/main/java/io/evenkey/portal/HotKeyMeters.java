/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.hotkeys.HotKey;
import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share of the requests to a table that its busiest key has, of tables whose region servers
 * count hot keys; regions of other tables are not asked. Not thread-safe.
 */
final class HotKeyMeters {
  private static final Logger LOG = LoggerFactory.getLogger(HotKeyMeters.class);

  private final Connection plain;
  private final MultiGauge share;

  HotKeyMeters(Connection plain, MeterRegistry meters) {
    this.plain = plain;
    this.share =
        MultiGauge.builder("evenkey.table.hot.key.share")
            .description(
                "Requests of the busiest key, or value of the first field, of all (0 to 1)")
            .register(meters);
  }

  /** Asks the regions of the tables that count. */
  void update(List<TableDescriptor> tables) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (TableDescriptor table : tables) {
      if (counts(table)) {
        try {
          add(table, ServerHotKeys.ask(plain, table.getTableName()), rows);
        } catch (IOException | RuntimeException e) {
          LOG.info("hot keys of {} could not be read: {}", table.getTableName(), e.toString());
        }
      }
    }
    share.register(rows, true);
  }

  private static boolean counts(TableDescriptor table) {
    try {
      return HotKeySetting.parse(table.getValue(HotKeySetting.KEY)).counts();
    } catch (IllegalArgumentException e) {
      // Of a later version.
      return false;
    }
  }

  private static void add(TableDescriptor table, ServerHotKeys hot, List<MultiGauge.Row<?>> rows) {
    for (HotKeyKind kind : HotKeyKind.values()) {
      List<HotKey> busiest = hot.top(kind, 1);
      double total = hot.total(kind);
      Tags tags = Tags.of("table", table.getTableName().getNameAsString(), "kind", kind.json());
      rows.add(
          MultiGauge.Row.of(
              tags, busiest.isEmpty() || total <= 0 ? 0 : busiest.get(0).perSecond() / total));
    }
  }
}
