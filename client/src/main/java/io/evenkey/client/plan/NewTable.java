/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.plan;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitException;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A table worked out from a plan and not created yet: its descriptor, its splits, and why. Create
 * it by {@link io.evenkey.client.SpreadTables#create(NewTable)}:
 *
 * <pre>{@code
 * NewTable table = tables.planned(name, List.of());
 * table.reasons().forEach(System.out::println);
 * SpreadTable events = tables.create(table);
 * }</pre>
 *
 * <p>Immutable, except that the arrays are not copied.
 *
 * @param descriptor the descriptor, with the layout if the table has one
 * @param splits the first physical row of every region except the first, ascending
 * @param reasons one sentence for each HBase setting that was chosen because of the layout
 */
public record NewTable(TableDescriptor descriptor, List<byte[]> splits, List<String> reasons) {
  /** The configuration key of the layout for new tables that have neither a layout nor a plan. */
  public static final String DEFAULT_LAYOUT = Setting.LAYOUT_DEFAULT.key();

  /** Into how many regions a table is cut by default, if it has as many buckets. */
  private static final int REGIONS = 16;

  /** So many regions on each server are even, whichever has one more. */
  private static final int REGIONS_A_SERVER = 4;

  /** The size to which a table is assumed to grow, unless a plan says otherwise. */
  private static final double USUAL_GIGABYTES = 1;

  /** Copies the lists. */
  public NewTable {
    splits = List.copyOf(splits);
    reasons = List.copyOf(reasons);
  }

  /**
   * Works out a table from a plan. Sends no request.
   *
   * @param table the name and the column families, with settings of the caller's; these stay
   * @param servers the number of region servers that will share the table; 0 if unknown
   * @throws TableLayoutException if the table already has a layout, and another one is planned
   * @throws SplitException if it cannot be split as planned
   * @throws IllegalArgumentException if HBase does not allow a setting that is planned
   */
  public static NewTable planned(TableDescriptor table, Plan plan, int servers)
      throws TableLayoutException {
    Layout layout = layout(table, plan, null);
    if (layout == null) {
      return new NewTable(table, cut(plan), List.of());
    }
    TableSettings settings = TableSettings.of(TableLayout.with(table, layout), layout, plan);
    int regions = plan.regions() == null ? usualRegions(layout, servers) : plan.regions();
    return new NewTable(
        settings.descriptor(), cut(layout, plan.withRegions(regions)), settings.reasons());
  }

  /**
   * The number of regions for a table of which nothing is known but its layout: by the rules of
   * thumb for a small table, raised by {@link #spreadRegions}.
   */
  static int usualRegions(Layout layout, int servers) {
    TableLoad load = new TableLoad(USUAL_GIGABYTES, TableLoad.Weight.EVEN, 0, servers);
    return spreadRegions(layout, RegionCount.of(load).regions(), servers);
  }

  /**
   * Returns the number of regions over which a layout spreads its rows: one per bucket. If a salt
   * has more than sixteen buckets and more than four per server, several buckets may share a
   * region, the same number in each. A layout without buckets keeps {@code regions}.
   *
   * @param regions the number of regions that the table needs for its size, or has now; the result
   *     is at least that, unless there are fewer buckets
   * @param servers the number of region servers; 0 if unknown
   */
  public static int spreadRegions(Layout layout, int regions, int servers) {
    return layout.spread().width() == 0
        ? regions
        : evenRegions(layout.buckets().orElse(0), atLeast(regions, servers));
  }

  /**
   * Returns the number of regions for the buckets that a step adds; the rule is that of {@link
   * #spreadRegions(Layout, int, int)}.
   */
  public static int spreadRegions(int buckets, int regions, int servers) {
    return evenRegions(buckets, atLeast(regions, servers));
  }

  private static int atLeast(int regions, int servers) {
    return Math.max(regions, Math.max(REGIONS, REGIONS_A_SERVER * servers));
  }

  /** The rule of {@link #spreadRegions(Layout, int, int)} in words, for output of commands. */
  public static String spreadRule() {
    return "one region per bucket; with more than "
        + REGIONS
        + " and more than "
        + REGIONS_A_SERVER
        + " per server, several buckets share a region, the same number in each";
  }

  /**
   * A number of regions from {@code regions} on that gives each as many buckets as the others: at
   * most one for each bucket, since more have to be cut by a sample of the rows. The number itself
   * where there are no buckets to count.
   */
  private static int evenRegions(int buckets, int regions) {
    for (int count = regions; count <= buckets; count++) {
      if (buckets % count == 0) {
        return count;
      }
    }
    return buckets > 0 ? buckets : regions;
  }

  /**
   * Works out a table that an application creates through HBase's admin: by the plan if there is
   * one, otherwise with the default layout if one is set and the table has none. System tables stay
   * as they are.
   *
   * @param configuration has the default layout, if any
   * @param splits the application's split keys, as logical keys
   * @throws TableLayoutException if the table already has a layout, and another one is planned
   * @throws io.evenkey.layout.text.SyntaxException if the default layout cannot be parsed
   */
  public static NewTable of(
      Configuration configuration, Plan plan, TableDescriptor table, List<byte[]> splits)
      throws TableLayoutException {
    if (table.getTableName().isSystemTable()) {
      return new NewTable(table, splits, List.of());
    }
    boolean unplanned = plan.isEmpty();
    Layout layout = layout(table, plan, configuration.get(DEFAULT_LAYOUT));
    if (layout == null || unplanned && table.getValue(TableLayout.LAYOUT) != null) {
      return new NewTable(table, splits.isEmpty() ? cut(plan) : splits, List.of());
    }
    TableDescriptor spread = TableLayout.with(table, layout);
    if (unplanned) {
      return new NewTable(spread, regions(layout.spread(), splits, REGIONS), List.of());
    }
    if (splits.isEmpty()) {
      return planned(spread, plan, 0);
    }
    TableSettings settings = TableSettings.of(spread, layout, plan);
    int regions = plan.regions() == null ? REGIONS : plan.regions();
    return new NewTable(
        settings.descriptor(), regions(layout.spread(), splits, regions), settings.reasons());
  }

  private static @Nullable Layout layout(TableDescriptor table, Plan plan, @Nullable String usual)
      throws TableLayoutException {
    Layout own = TableLayout.of(table);
    Layout planned = plan.layout();
    if (own == null) {
      return planned != null ? planned : usual == null ? null : Layout.parse(usual);
    }
    if (planned != null && !planned.equals(own)) {
      throw TableLayoutException.planned(table.getTableName(), own, planned);
    }
    return own;
  }

  // Of a table without a layout there is nothing to cut by but the plan itself.
  private static List<byte[]> cut(Plan plan) {
    SplitAlgorithm algorithm = plan.algorithm();
    if (!plan.splits().isEmpty()) {
      return plan.splits().stream().map(ByteString::toArray).toList();
    }
    return algorithm == null || !algorithm.needsOnlyCount() || plan.regions() == null
        ? List.of()
        : algorithm.splits(plan.regions()).keys();
  }

  private static List<byte[]> cut(Layout layout, Plan plan) {
    SplitAlgorithm algorithm = plan.algorithm();
    if (!plan.splits().isEmpty() || algorithm != null && algorithm.needsOnlyCount()) {
      return cut(plan);
    }
    Prefix prefix = layout.spread().prefix();
    Integer regions = plan.regions();
    return prefix == null || prefix.width() == 0 || regions == null
        ? List.of()
        : layout.splits(regions).keys();
  }

  /**
   * Returns the split keys that HBase makes for a number of regions between two keys.
   *
   * @throws IllegalArgumentException as HBase's admin does, for fewer than three regions or keys in
   *     the wrong order
   */
  public static List<byte[]> between(byte[] startKey, byte[] endKey, int regions) {
    if (regions < 3) {
      throw new EvenkeyArgumentException(
          "fewer than three regions between two keys: regions=" + regions);
    } else if (Bytes.compareTo(startKey, endKey) >= 0) {
      throw new EvenkeyArgumentException(
          "start key is not before end key: start="
              + Bytes.toStringBinary(startKey)
              + " end="
              + Bytes.toStringBinary(endKey));
    }
    byte[][] splits =
        regions == 3 ? new byte[][] {startKey, endKey} : Bytes.split(startKey, endKey, regions - 3);
    if (splits == null || splits.length != regions - 1) {
      throw new EvenkeyArgumentException(
          "key range too small to cut: regions=" + regions + "; ask for fewer regions");
    }
    return List.of(splits);
  }

  // As many regions as the application asks for, but not fewer than the buckets or the usual
  // number:
  // cut between buckets, and in each bucket at keys that the application would have cut at.
  private static List<byte[]> regions(Spread spread, List<byte[]> keys, int usual) {
    Prefix prefix = spread.prefix();
    if (prefix == null || prefix.width() == 0) {
      return spread.isPrefixOnly() ? keys : List.of();
    }
    int regions = Math.max(keys.size() + 1, (int) Math.min(usual, prefix.count()));
    try {
      return SplitAlgorithm.byBucket(spread, regions, sample(prefix, keys)).keys();
    } catch (SplitException e) {
      // Too few keys for that: then a region a bucket.
      return SplitAlgorithm.byBucket(spread, (int) prefix.count()).keys();
    }
  }

  private static RowSample sample(Prefix prefix, List<byte[]> keys) {
    List<byte[]> rows = new ArrayList<>();
    if (keys.size() >= prefix.count()) {
      for (long bucket = 0; bucket < prefix.count(); bucket++) {
        byte[] before = prefix.nth(bucket);
        keys.forEach(key -> rows.add(Bytes.add(before, key)));
      }
    }
    rows.sort(Arrays::compareUnsigned);
    return RowSample.of(rows);
  }
}
