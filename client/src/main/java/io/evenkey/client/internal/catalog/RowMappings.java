/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndexes;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;

/**
 * Makes the row mappings of one connection: they count its operations, and know its row-blind
 * filters. Thread-safe.
 *
 * @param cluster the ZooKeeper quorum, which names the cluster in metrics
 */
record RowMappings(String cluster, Set<String> rowBlindFilters) {
  static RowMappings of(Configuration configuration) {
    return new RowMappings(
        ZKConfig.getZKQuorumServersString(configuration),
        Setting.FILTERS_ROW_BLIND.set(configuration));
  }

  /**
   * The mapping of a physical table.
   *
   * @param layout null if the table has none
   * @param indexes those of the table
   * @param isGuarded whether region servers have Evenkey's module, which also gathers
   */
  RowMapping mapping(
      TableName table,
      TableName physical,
      @Nullable Layout layout,
      TableIndexes indexes,
      boolean isGuarded) {
    if (layout == null) {
      return isGuarded ? RowMapping.GUARDED_NONE : RowMapping.NONE;
    }
    if (layout.isPlain() && indexes.isEmpty()) {
      RowMapping asStored = RowMapping.of(layout);
      return isGuarded ? asStored.namingPlain() : asStored.gatheredByClient();
    }
    RowMapping rows =
        RowMapping.of(
            layout, rowBlindFilters, TableMeters.of(cluster, physical.getNameAsString(), layout));
    RowMapping gathered = isGuarded ? rows : rows.gatheredByClient();
    return indexes.isEmpty()
        ? gathered
        : gathered.withIndexes(IndexWrites.of(table, layout, indexes, isGuarded));
  }
}
