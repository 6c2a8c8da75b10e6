package io.evenkey.layout.split;

import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Ways to cut a table.
 *
 * <p>The first three are HBase's own, the same bytes as {@code
 * org.apache.hadoop.hbase.util.RegionSplitter}: they suit keys that begin with evenly spread digits
 * or bytes, and none of them suits a salt, whose few values all fall into the first region.
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
  /** Between buckets, the same number in each region, or one more in some. */
  BUCKET,
  /** Between the keys of a sample, the same number in each region. */
  SAMPLE;

  /** The most regions a table can be cut into here: HBase serves no table well that has more. */
  public static final int MAX_REGIONS = 1_000_000;

  byte[] boundary(int i, int regions) {
    throw new IllegalStateException(this + " depends on more than the number of regions");
  }

  /**
   * Cuts by the number of regions alone: {@link #HEX}, {@link #DECIMAL} or {@link #UNIFORM}.
   *
   * @throws SplitException if there cannot be that many regions
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
   * Cuts between the buckets of a spread.
   *
   * @throws SplitException if the spread has fewer buckets than there are to be regions
   */
  public static SplitPlan byBucket(Spread spread, int regions) {
    checkRegions(regions);
    Prefix prefix = spread.prefix();
    if (prefix == null) {
      throw new SplitException(
          "no buckets to cut between: the layout has no salt or hash prefix; give a sample of the"
              + " data, or a layout that begins with salt(N)");
    }
    if (regions > prefix.count()) {
      throw new SplitException(
          "more regions than buckets: regions="
              + regions
              + " buckets="
              + prefix.count()
              + "; give a sample of the data to cut inside buckets, or raise the number of buckets");
    }
    List<byte[]> keys = new ArrayList<>();
    for (int i = 1; i < regions; i++) {
      keys.add(prefix.boundary(i, regions));
    }
    return new SplitPlan(BUCKET, keys);
  }

  /**
   * Cuts a sample of rows into regions of equal counts. A boundary is the shortest key that parts
   * its two neighbours.
   *
   * @param sorted rows in ascending order; repeated ones count as often as they stand
   * @throws SplitException if the sample has fewer different rows than there are to be regions
   */
  public static SplitPlan bySample(List<byte[]> sorted, int regions) {
    checkRegions(regions);
    List<byte[]> keys = new ArrayList<>();
    int at = 0;
    for (int i = 1; i < regions; i++) {
      // The first row of region i, moved on past rows that belong to the one before.
      at = Math.max(at + 1, (int) ((long) sorted.size() * i / regions));
      while (at < sorted.size() && Arrays.equals(sorted.get(at - 1), sorted.get(at))) {
        at++;
      }
      if (at >= sorted.size()) {
        throw new SplitException(
            "sample too small to cut: regions="
                + regions
                + " rows="
                + sorted.size()
                + "; give more rows or ask for fewer regions");
      }
      keys.add(shortestBetween(sorted.get(at - 1), sorted.get(at)));
    }
    return new SplitPlan(SAMPLE, keys);
  }

  private static byte[] shortestBetween(byte[] before, byte[] after) {
    int same = Arrays.mismatch(before, after);
    return Arrays.copyOf(after, same + 1);
  }

  private static void checkRegions(int regions) {
    if (regions < 1 || regions > MAX_REGIONS) {
      throw new SplitException(
          "number of regions out of range: regions=" + regions + "; expected 1 to " + MAX_REGIONS);
    }
  }

  /** As the command line spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
