/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.layout.bytes.KeyRange;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * A region, and what the steps of its table's salt use it for.
 *
 * @param info the region
 * @param use by which steps
 */
public record UsedRegion(RegionInfo info, RegionUse use) {
  static KeyRange rows(RegionInfo region) {
    return KeyRange.of(region.getStartKey(), region.getEndKey());
  }
}
