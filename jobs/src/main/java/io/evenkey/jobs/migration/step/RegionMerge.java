/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Adjacent empty regions that only earlier steps of a salt have used, and the region next to them
 * that becomes one with them.
 *
 * @param empty in the order of their rows
 * @param into the one that stays
 */
public record RegionMerge(List<RegionInfo> empty, RegionInfo into) {
  /** Copies the list. */
  public RegionMerge {
    empty = List.copyOf(empty);
  }

  /**
   * The merges after which no empty region of an earlier step is left. Empty regions become one
   * with the one behind them if it begins within the same bucket, where the boundary between them
   * was a value of a field that has passed; else with the one before them.
   *
   * @param regions all of a table, in the order of their rows
   */
  public static List<RegionMerge> plan(Layout layout, List<UsedRegion> regions) {
    List<RegionMerge> merges = new ArrayList<>();
    for (int end, begin = 0; begin < regions.size(); begin = end + 1) {
      end = begin;
      while (end < regions.size() && regions.get(end).use() == RegionUse.EMPTY) {
        end++;
      }
      boolean hasBefore = begin > 0;
      boolean hasBehind = end < regions.size();
      if (end > begin && (hasBefore || hasBehind)) {
        boolean behind =
            hasBehind
                && (!hasBefore
                    || regions.get(end).info().getStartKey().length > layout.spread().width());
        merges.add(
            new RegionMerge(
                regions.subList(begin, end).stream().map(UsedRegion::info).toList(),
                regions.get(behind ? end : begin - 1).info()));
      }
    }
    return merges;
  }

  /** All regions that become one, in the order of their rows. */
  public List<RegionInfo> regions() {
    List<RegionInfo> all = new ArrayList<>(empty);
    all.add(RegionInfo.COMPARATOR.compare(into, empty.get(0)) < 0 ? 0 : empty.size(), into);
    return all;
  }
}
