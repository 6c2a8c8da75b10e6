/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.split;

import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How to split a table into regions when it is created.
 *
 * <pre>{@code
 * SplitPlan between = SplitAlgorithm.byBucket(layout.spread(), 16);
 * admin.createTable(descriptor, between.toArray());
 * }</pre>
 *
 * <p>{@link #HEX}, {@link #DECIMAL} and {@link #UNIFORM} are HBase's own and give the same bytes as
 * {@code org.apache.hadoop.hbase.util.RegionSplitter}. They suit keys that begin with evenly spread
 * digits or bytes. They do not suit a salt: its few values all fall into the first region.
 */
public enum SplitAlgorithm {
  /**
   * {@code HexStringSplit}: eight lower-case hex digits, boundary i at i·⌊2³²/n⌋. Keys with
   * upper-case digits crowd: 'A' to 'F' sort before 'a'.
   */
  HEX {
    @Override
    byte[] boundary(int i, int regions) {
      return String.format("%08x", i * ((1L << 32) / regions)).getBytes(StandardCharsets.US_ASCII);
    }
  },
  /** {@code DecimalStringSplit}: eight decimal digits, boundary i at i·⌊10⁸/n⌋. */
  DECIMAL {
    @Override
    byte[] boundary(int i, int regions) {
      return String.format("%08d", i * (100_000_000L / regions))
          .getBytes(StandardCharsets.US_ASCII);
    }
  },
  /** {@code UniformSplit}: eight bytes, boundary i at i·⌊2⁶⁴/n⌋. */
  UNIFORM {
    @Override
    byte[] boundary(int i, int regions) {
      BigInteger at =
          BigInteger.ONE
              .shiftLeft(64)
              .divide(BigInteger.valueOf(regions))
              .multiply(BigInteger.valueOf(i));
      byte[] bytes = new byte[Long.BYTES];
      for (int b = 0; b < bytes.length; b++) {
        bytes[b] = at.shiftRight(56 - 8 * b).byteValue();
      }
      return bytes;
    }
  },
  /** Between buckets, with the same number of buckets in each region, or one more in some. */
  BUCKET,
  /** Between the rows of a sample, with the same number of rows in each region. */
  SAMPLE;

  /**
   * The most regions that a table can be split into here. HBase does not serve a table with more
   * well.
   */
  public static final int MAX_REGIONS = 1_000_000;

  /** Whether the number of regions suffices to split, without a layout or a sample. */
  public boolean needsOnlyCount() {
    return this == HEX || this == DECIMAL || this == UNIFORM;
  }

  byte[] boundary(int i, int regions) {
    throw new IllegalStateException(this + " depends on more than the number of regions");
  }

  /**
   * Splits by the number of regions alone: for {@link #HEX}, {@link #DECIMAL} and {@link #UNIFORM}.
   *
   * @throws SplitException if {@code regions} is out of range
   */
  public SplitPlan splits(int regions) {
    checkRegions(regions);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 1; i < regions; i++) {
      keys.add(boundary(i, regions));
    }
    return new SplitPlan(this, keys);
  }

  /**
   * Splits between the buckets of a spread.
   *
   * @param regions the number of regions, at most the number of buckets
   * @throws SplitException if the spread has fewer buckets than {@code regions}
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static SplitPlan byBucket(Spread spread, int regions) {
    checkRegions(regions);
    Prefix prefix = spread.prefix();
    if (prefix == null || prefix.width() == 0) {
      throw new SplitException(
          "no buckets to cut between: the layout has no salt or hash prefix; give a sample of the"
              + " data, or a layout that begins with salt(N)");
    }
    if (regions > prefix.count()) {
      throw new SplitException(
          FailureMessage.of("more regions than buckets")
              .with("regions", regions)
              .with("buckets", prefix.count())
              .remedy(
                  "give a sample of the data to cut inside buckets, or raise the number of"
                      + " buckets"));
    }
    List<byte[]> keys = new ArrayList<>();
    for (int i = 1; i < regions; i++) {
      keys.add(prefix.boundary(i, regions));
    }
    return new SplitPlan(BUCKET, keys);
  }

  /**
   * Splits between the buckets of a spread. If there are to be more regions than buckets, it also
   * splits inside buckets, at quantiles of a sample, so that no region has rows of two buckets.
   *
   * @param sample physical rows
   * @throws SplitException if the spread has no buckets, or if the sample has too few rows of a
   *     bucket
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public static SplitPlan byBucket(Spread spread, int regions, RowSample sample) {
    Prefix prefix = spread.prefix();
    if (prefix == null || regions <= prefix.count()) {
      return byBucket(spread, regions);
    }
    checkRegions(regions);
    int buckets = (int) prefix.count();
    List<byte[]> keys = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] start = prefix.nth(bucket);
      byte[] stop = bucket + 1 < buckets ? prefix.nth(bucket + 1L) : new byte[0];
      if (bucket > 0) {
        keys.add(start);
      }
      long from = (long) regions * bucket / buckets;
      long to = (long) regions * (bucket + 1) / buckets;
      byte[] first = bucket == 0 ? new byte[0] : start;
      int parts = (int) (to - from);
      if (parts > 1 && sample.distinct(first, stop) < parts) {
        throw new SplitException(
            FailureMessage.of("sample too small to cut inside a bucket")
                .with("regions", regions)
                .with("buckets", buckets)
                .with("bucket", bucket)
                .with("rows", sample.distinct(first, stop))
                .remedy("give more rows, or ask for at most " + buckets + " regions"));
      }
      keys.addAll(sample.cut(first, stop, parts));
    }
    return new SplitPlan(BUCKET, keys);
  }

  /**
   * Splits a sample into regions with equal numbers of rows. Each split key is the shortest that
   * separates its two neighbours.
   *
   * @param sample physical rows
   * @throws SplitException if the sample has fewer different rows than {@code regions}
   */
  public static SplitPlan bySample(RowSample sample, int regions) {
    checkRegions(regions);
    return new SplitPlan(SAMPLE, sample.cut(new byte[0], new byte[0], regions));
  }

  private static void checkRegions(int regions) {
    if (regions < 1 || regions > MAX_REGIONS) {
      throw new SplitException(
          FailureMessage.of("number of regions out of range")
              .with("regions", regions)
              .remedy("expected 1 to " + MAX_REGIONS));
    }
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
