/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.counters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all regions at one moment. Immutable.
 *
 * @param at in milliseconds since 1970
 * @param regions by table and key
 * @param tables the tables of the regions, by the name that applications use
 * @param idle the regions of generations that are not in use: should one come into use, its counts
 *     since then are known
 */
public record Reading(
    long at,
    List<RegionReading> regions,
    Map<String, TableReading> tables,
    List<RegionReading> idle) {
  /** Copies the collections. */
  public Reading {
    regions = List.copyOf(regions);
    tables = Map.copyOf(tables);
    idle = List.copyOf(idle);
  }

  /** The layout line of a table; null if it has none. */
  public @Nullable String layout(String table) {
    TableReading found = tables.get(table);
    return found == null ? null : found.layout();
  }

  /**
   * Returns this reading with keys and names of regions replaced by the equal objects of an earlier
   * reading, so that several readings in memory share them.
   */
  public Reading sharing(Reading earlier) {
    Map<String, RegionReading> known = new HashMap<>();
    earlier.regions.forEach(region -> known.put(region.region(), region));
    List<RegionReading> shared = new ArrayList<>(regions.size());
    for (RegionReading region : regions) {
      RegionReading old = known.get(region.region());
      shared.add(old == null ? region : region.sharing(old));
    }
    return new Reading(at, shared, tables, idle);
  }
}
