/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.plan.NewTable;
import io.evenkey.jobs.migration.MigrationException;
import io.evenkey.jobs.split.RegionSplits;
import io.evenkey.layout.Layout;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.step.AppendedSteps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Makes regions for the buckets that a step adds: the region that ends the table is split at their
 * boundaries, of which only the first has rows before it. The new ones, which are empty, are
 * distributed over the servers. What is done already is not done again. Not thread-safe.
 */
public final class StepRegions {
  private static final int ROUNDS = 60;

  private final Connection plain;
  private final TableName table;
  private final byte[] firstNew;
  private final long added;
  private final AppendedSteps steps;

  /**
   * @param table the physical table
   */
  public StepRegions(Connection plain, TableName table, AppendedSteps steps) {
    this.plain = plain;
    this.table = table;
    this.steps = steps;
    long before = prefix(steps.before()).count();
    this.added = prefix(steps.after()).count() - before;
    this.firstNew = added > 0 ? prefix(steps.after()).nth(before) : new byte[0];
  }

  private static Prefix prefix(Layout layout) {
    return Objects.requireNonNull(layout.spread().prefix());
  }

  /**
   * Makes the regions.
   *
   * @return the number of new ones
   * @throws MigrationException if HBase is not to split regions of the table
   */
  public int make() throws IOException {
    if (added <= 0) {
      return 0;
    }
    try (Admin admin = plain.getAdmin()) {
      List<byte[]> cuts = cuts(admin);
      for (int round = 0; ; round++) {
        Map<RegionInfo, byte[]> wanted = wanted(admin.getRegions(table), cuts);
        if (wanted.isEmpty()) {
          // Those that are new are empty: to move them costs little.
          RegionSplits.distribute(plain, admin, table, this::isNew);
          return cuts.size();
        }
        checkSplits(admin);
        if (round == ROUNDS) {
          throw new MigrationException(
              table,
              "regions were not split",
              "missing=" + wanted.size(),
              "see HBase's log, then " + Remedy.RESUME_MIGRATION);
        }
        RegionSplits.make(admin, wanted);
      }
    }
  }

  private void checkSplits(Admin admin) throws IOException {
    if (!RegionSplits.areAllowed(admin, table)) {
      throw new MigrationException(
          table,
          "regions may not be split, and buckets that a step adds need regions",
          "",
          "switch splits on (HBase's shell: splitormerge_switch 'SPLIT', true; alter SPLIT_ENABLED), then "
              + Remedy.RESUME_MIGRATION);
    }
  }

  /** The number of regions that the new buckets get; 0 if there are none. */
  public int planned() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return added <= 0 ? 0 : cuts(admin).size();
    }
  }

  /**
   * Returns the cuts of new buckets: at most one region each, no more than old ones have, enough to
   * spread rows.
   */
  private List<byte[]> cuts(Admin admin) throws IOException {
    Prefix after = prefix(steps.after());
    long before = after.count() - added;
    // Regions of old buckets, and perhaps those that an earlier run has made.
    long old = Math.min(admin.getRegions(table).size(), before);
    int regions =
        NewTable.spreadRegions(
            (int) added,
            (int) ((old * added + before - 1) / before),
            admin.getRegionServers().size());
    List<byte[]> cuts = new ArrayList<>();
    for (int region = 0; region < regions; region++) {
      cuts.add(after.nth(before + added * region / regions));
    }
    return cuts;
  }

  /** For each region that has to be split, where: half of all that it has, if it has no rows. */
  private Map<RegionInfo, byte[]> wanted(List<RegionInfo> regions, List<byte[]> cuts) {
    Map<RegionInfo, byte[]> wanted = new HashMap<>();
    for (RegionInfo region : regions) {
      List<byte[]> within =
          cuts.stream()
              .filter(
                  cut ->
                      Arrays.compareUnsigned(cut, region.getStartKey()) > 0
                          && (region.getEndKey().length == 0
                              || Arrays.compareUnsigned(cut, region.getEndKey()) < 0))
              .toList();
      if (!within.isEmpty()) {
        wanted.put(region, within.get(isNew(region) ? within.size() / 2 : 0));
      }
    }
    return wanted;
  }

  private boolean isNew(RegionInfo region) {
    return Arrays.compareUnsigned(region.getStartKey(), firstNew) >= 0;
  }
}
