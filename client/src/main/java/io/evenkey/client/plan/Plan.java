/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.plan;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.split.SplitAlgorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a table is created. Each may be left open: a namespace's plan fills it,
 * then the usual. Immutable; compared by value.
 *
 * @param layout the layout of its row keys
 * @param regions into how many regions it is cut: the partition count; 1 or more
 * @param algorithm the algorithm that cuts it into regions
 * @param splits where it is cut, as rows are stored, if a sample of its rows has said so; then
 *     {@code regions} and {@code algorithm} have no effect
 * @param families its column families
 * @param compression the compression of its files, by the name of HBase's algorithm
 * @param wholeBuckets whether HBase may split regions between buckets only
 * @param optimizeFor the property that HBase's settings of the table prefer
 */
public record Plan(
    @Nullable Layout layout,
    @Nullable Integer regions,
    @Nullable SplitAlgorithm algorithm,
    List<ByteString> splits,
    List<String> families,
    @Nullable String compression,
    @Nullable Boolean wholeBuckets,
    @Nullable OptimizationGoal optimizeFor) {
  /** A plan that leaves everything open. */
  public static final Plan EMPTY = new Builder().build();

  /** Copies the lists and checks the number of regions. */
  public Plan {
    splits = List.copyOf(splits);
    families = List.copyOf(families);
    if (regions != null && (regions < 1 || regions > SplitAlgorithm.MAX_REGIONS)) {
      throw new EvenkeyArgumentException(
          "number of regions out of range: regions="
              + regions
              + "; expected 1 to "
              + SplitAlgorithm.MAX_REGIONS);
    }
  }

  /** Whether it says nothing. */
  public boolean isEmpty() {
    return equals(EMPTY);
  }

  /** This plan, with the values of another for those that it leaves open. */
  public Plan over(Plan other) {
    // Split keys are of one layout and one number of regions: they come with both or not at all.
    boolean cutsItself = layout != null || regions != null || algorithm != null;
    return new Plan(
        layout != null ? layout : other.layout,
        regions != null ? regions : other.regions,
        algorithm != null ? algorithm : other.algorithm,
        cutsItself || !splits.isEmpty() ? splits : other.splits,
        families.isEmpty() ? other.families : families,
        compression != null ? compression : other.compression,
        wholeBuckets != null ? wholeBuckets : other.wholeBuckets,
        optimizeFor != null ? optimizeFor : other.optimizeFor);
  }

  /** Returns this plan with another layout. */
  public Plan withLayout(Layout line) {
    return but().layout(line).build();
  }

  /** Returns this plan with {@code count} regions. */
  public Plan withRegions(int count) {
    return but().regions(count).build();
  }

  /** Returns this plan with another algorithm for its splits. */
  public Plan withAlgorithm(SplitAlgorithm name) {
    return but().algorithm(name).build();
  }

  /** Returns this plan with splits at these rows. */
  public Plan withSplits(List<ByteString> rows) {
    return but().splits(rows).build();
  }

  /** Returns this plan with these column families. */
  public Plan withFamilies(List<String> names) {
    return but().families(names).build();
  }

  /** Returns this plan with this compression of files. */
  public Plan withCompression(String codec) {
    return but().compression(codec).build();
  }

  /** Returns this plan with regions that HBase splits between buckets only, or anywhere. */
  public Plan withWholeBuckets(boolean whole) {
    return but().wholeBuckets(whole).build();
  }

  /** Returns this plan with another goal. */
  public Plan withOptimizeFor(OptimizationGoal goal) {
    return but().optimizeFor(goal).build();
  }

  private Builder but() {
    return new Builder()
        .layout(layout)
        .regions(regions)
        .algorithm(algorithm)
        .splits(splits)
        .families(families)
        .compression(compression)
        .wholeBuckets(wholeBuckets)
        .optimizeFor(optimizeFor);
  }

  /** A plan under construction. A value that is not set, or set to null, is left open. */
  public static final class Builder {
    private @Nullable Layout layout;
    private @Nullable Integer regions;
    private @Nullable SplitAlgorithm algorithm;
    private List<ByteString> splits = List.of();
    private List<String> families = List.of();
    private @Nullable String compression;
    private @Nullable Boolean wholeBuckets;
    private @Nullable OptimizationGoal optimizeFor;

    /** Sets the layout. */
    public Builder layout(@Nullable Layout line) {
      this.layout = line;
      return this;
    }

    /** Sets the number of regions; 1 or more. */
    public Builder regions(@Nullable Integer count) {
      this.regions = count;
      return this;
    }

    /** Sets the algorithm that splits the table. */
    public Builder algorithm(@Nullable SplitAlgorithm name) {
      this.algorithm = name;
      return this;
    }

    /** Sets the rows at which the table is split. */
    public Builder splits(List<ByteString> rows) {
      this.splits = rows;
      return this;
    }

    /** Sets the column families. */
    public Builder families(List<String> names) {
      this.families = names;
      return this;
    }

    /** Sets the compression of files, by the name of HBase's algorithm. */
    public Builder compression(@Nullable String codec) {
      this.compression = codec;
      return this;
    }

    /** Sets whether HBase may split regions between buckets only. */
    public Builder wholeBuckets(@Nullable Boolean whole) {
      this.wholeBuckets = whole;
      return this;
    }

    /** Sets the property that HBase's settings prefer. */
    public Builder optimizeFor(@Nullable OptimizationGoal goal) {
      this.optimizeFor = goal;
      return this;
    }

    /**
     * The plan.
     *
     * @throws IllegalArgumentException if the number of regions is out of range
     */
    public Plan build() {
      return new Plan(
          layout, regions, algorithm, splits, families, compression, wholeBuckets, optimizeFor);
    }
  }
}
