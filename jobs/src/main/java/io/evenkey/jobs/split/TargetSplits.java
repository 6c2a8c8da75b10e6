/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import io.evenkey.client.plan.NewTable;
import io.evenkey.jobs.records.RowQuantiles;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitException;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.RandomRowFilter;

/**
 * The split points of a target, such as the next generation of a table or an index: between its
 * buckets; where these are too few for its regions, uneven, or it has none, by the quantiles of the
 * rows that will be in it. Not thread-safe.
 */
public final class TargetSplits {
  /**
   * Of a table up to this size every row is sampled; of a larger one, at random as many rows as
   * this size has.
   */
  private static final double SAMPLED_MEGABYTES = 1_024;

  /** A region with more rows than so many times the mean is cut. */
  private static final double UNEVEN = 1.25;

  private final Connection plain;
  private final TableName source;
  private final SampledRows rows;
  private final double sampledMegabytes;

  /** Is called with how far the source is read. */
  @FunctionalInterface
  public interface Progress {
    void at(double share, long rows) throws IOException;
  }

  public TargetSplits(Connection plain, TableName source, SampledRows rows) {
    this(plain, source, rows, SAMPLED_MEGABYTES);
  }

  public TargetSplits(
      Connection plain, TableName source, SampledRows rows, double sampledMegabytes) {
    this.plain = plain;
    this.source = source;
    this.rows = rows;
    this.sampledMegabytes = sampledMegabytes;
  }

  /**
   * Cuts.
   *
   * @param wanted the number of regions; 0 for {@link #usual}, if there are the rows for that
   * @param progress is called with the share of the source is read, if it has to be, and how many
   *     rows of it were counted in
   * @throws SplitException if there are too few rows to cut by
   */
  public SplitPlan cut(int wanted, Progress progress) throws IOException {
    Layout target = rows.target();
    long buckets = buckets(target);
    int regions = wanted > 0 ? wanted : usual();
    if (regions == 1) {
      return new SplitPlan(SplitAlgorithm.BUCKET, List.of());
    } else if (regions <= buckets) {
      return isOfEntities(target)
          ? cut(target, regions, sample(progress).sample())
          : target.splits(regions);
    }
    try {
      return cut(target, regions, sample(progress).sample());
    } catch (SplitException e) {
      if (wanted > 0) {
        throw e;
      }
      return buckets > 0
          ? target.splits((int) buckets)
          : new SplitPlan(SplitAlgorithm.SAMPLE, List.of());
    }
  }

  /**
   * Cuts by a sample of the rows: between the buckets, and where these are too few, also inside
   * them. A salt of fields has as many rows in a bucket as its entities have: if that is uneven,
   * regions get equal numbers of rows, and a bucket may lie in several.
   *
   * @throws SplitException if the sample has too few rows to cut by
   */
  public static SplitPlan cut(Layout target, int regions, RowSample sample) {
    if (buckets(target) == 0) {
      return SplitAlgorithm.bySample(sample, regions);
    }
    if (!isOfEntities(target)) {
      return SplitAlgorithm.byBucket(target.spread(), regions, sample);
    }
    SplitPlan between;
    try {
      between = SplitAlgorithm.byBucket(target.spread(), regions, sample);
    } catch (SplitException e) {
      // A bucket without an entity has no rows to cut it by.
      return SplitAlgorithm.bySample(sample, regions);
    }
    if (sample.skew(between) <= UNEVEN) {
      return between;
    }
    try {
      SplitPlan even = SplitAlgorithm.bySample(sample, regions);
      return sample.skew(even) < sample.skew(between) ? even : between;
    } catch (SplitException e) {
      // Fewer rows than regions: the buckets are all there is to cut by.
      return between;
    }
  }

  /** Whether the buckets have as many rows as the values of some fields of the key. */
  static boolean isOfEntities(Layout layout) {
    int hashed = layout.spread().hashedFields().length;
    return hashed > 0 && hashed < layout.fields().size();
  }

  private static long buckets(Layout layout) {
    Prefix prefix = layout.spread().prefix();
    return prefix == null || prefix.width() == 0 ? 0 : prefix.count();
  }

  /**
   * The number of regions by default: as many as the source has, or more, so that the rows are
   * spread, see {@link NewTable#spreadRegions}, and all buckets are cut alike.
   */
  public int usual() throws IOException {
    int now = regions().size();
    long buckets = buckets(rows.target());
    if (buckets == 0) {
      return now;
    } else if (now > buckets) {
      return Math.toIntExact((now + buckets - 1) / buckets * buckets);
    }
    try (Admin admin = plain.getAdmin()) {
      return NewTable.spreadRegions(rows.target(), now, admin.getRegionServers().size());
    }
  }

  private List<RegionInfo> regions() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getRegions(source).stream().filter(RegionReplicaUtil::isDefaultReplica).toList();
    }
  }

  private RowQuantiles sample(Progress progress) throws IOException {
    RowQuantiles sampled = new RowQuantiles();
    double share = share();
    List<RegionInfo> regions = regions();
    try (Table table = plain.getTable(source)) {
      for (int i = 0; i < regions.size(); i++) {
        progress.at((double) i / regions.size(), sampled.rows());
        try (ResultScanner scanner = table.getScanner(sampling(regions.get(i), share))) {
          for (Result row = scanner.next(); row != null; row = scanner.next()) {
            rows.row(row).ifPresent(sampled::add);
          }
        }
      }
    }
    return sampled;
  }

  private Scan sampling(RegionInfo region, double share) {
    Scan scan =
        rows.restricted(new Scan())
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey())
            .setCacheBlocks(false);
    if (share < 1) {
      Filter random = new RandomRowFilter((float) share);
      scan.setFilter(scan.getFilter() == null ? random : new FilterList(random, scan.getFilter()));
    }
    scan.setAttribute(GuardAttributes.RAW, GuardAttributes.number(1));
    return scan;
  }

  private double share() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      // Servers tell whole megabytes.
      return Math.min(1, sampledMegabytes / (1 + StoredSize.megabytes(admin, source)));
    }
  }
}
