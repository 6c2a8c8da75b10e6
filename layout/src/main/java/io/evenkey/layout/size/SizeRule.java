/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.size;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A rule of thumb for the number of regions, applied to one table. Immutable and thread-safe.
 *
 * @param rule the rule as a sentence
 * @param validity the sizes for which it holds
 * @param source the publication that states it
 * @param least the fewest regions by this rule
 * @param most the most regions by this rule, or {@link #NO_LIMIT}
 * @param isNeed whether fewer than {@code least} would leave servers idle, whatever the size
 */
public record SizeRule(
    String rule, String validity, String source, int least, int most, boolean isNeed) {
  /** The {@link #most} of a rule that sets no upper limit. */
  public static final int NO_LIMIT = Integer.MAX_VALUE;

  private static final String PRACTICE = "field practice";
  private static final String GUIDE = "HBase Reference Guide, ";

  /** All rules that hold for a workload, the most specific for its size first. */
  static List<SizeRule> of(TableLoad load) {
    List<SizeRule> rules = new ArrayList<>();
    double gb = load.gigabytes();
    if (gb < 50) {
      rules.add(
          new SizeRule("few regions for a small table", "below 50 GB", PRACTICE, 5, 10, false));
    }
    if (gb >= 500 && gb <= 10_000) {
      int regions = Math.min(120, regions(gb / 10));
      rules.add(
          new SizeRule(
              "size / 10 GB, at most 120", "500 GB to 10 TB", PRACTICE, regions, regions, false));
    }
    if (gb >= 50) {
      rules.add(
          new SizeRule(
              "6 to 8 GB a region",
              "50 GB or more",
              PRACTICE,
              regions(gb / 8),
              regions(gb / 6),
              false));
    }
    rules.add(
        new SizeRule(
            "regions of 5 to 20 GB",
            "any size, once the table is full",
            GUIDE + "\"Why should I keep my region count low?\"",
            regions(gb / 20),
            regions(gb / 5),
            false));
    if (load.writeMegabytes() > 0) {
      double mb = load.writeMegabytes();
      rules.add(
          new SizeRule(
              String.format(
                  Locale.ROOT,
                  "%.0f MB/s written at 5 to 15 MB/s a server keep %d to %d servers busy",
                  mb,
                  regions(mb / 15),
                  regions(mb / 5)),
              "one write-ahead log a server, the default",
              GUIDE + "\"Capacity planning and region sizing\"",
              regions(mb / 15),
              NO_LIMIT,
              true));
    }
    if (load.servers() > 0) {
      rules.add(
          new SizeRule(
              "a region on each of " + load.servers() + " servers, at most 200 on one",
              "tables that matter to every server",
              GUIDE + "\"Why should I keep my region count low?\"",
              load.servers(),
              (int) Math.min(NO_LIMIT, 200L * load.servers()),
              true));
    }
    return rules;
  }

  private static int regions(double count) {
    return (int) Math.max(1, Math.min(1_000_000, Math.ceil(count - 1e-9)));
  }

  boolean agreesWith(SizeRule that) {
    return least <= that.most && that.least <= most;
  }

  /** Returns the number of regions by this rule as text, such as {@code 5 to 10}. */
  public String figure() {
    return most == NO_LIMIT
        ? "at least " + least
        : least == most ? Integer.toString(least) : least + " to " + most;
  }

  /** The rule, its figure, where it holds, and its source. */
  @Override
  public String toString() {
    return rule + ": " + figure() + " (holds for " + validity + "; " + source + ")";
  }
}
