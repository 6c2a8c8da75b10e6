/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.plan;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.split.SplitAlgorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a table is to be created: what an operator stores in the registry for a table, or for all
 * tables of a namespace.
 *
 * <pre>{@code
 * Plan plan =
 *     new Plan.Builder()
 *         .layout(Layout.parse("salt(16) + device:string + ts:timestamp"))
 *         .regions(16)
 *         .families(List.of("d"))
 *         .build();
 * SpreadTable events = tables.create(tables.planned(name, plan, List.of()));
 * }</pre>
 *
 * <p>Every value may be null or empty, which leaves it open: the namespace's plan decides it, then
 * Evenkey's default. Immutable and thread-safe; compared by value.
 *
 * @param layout the layout of the row keys
 * @param regions the number of regions to split the table into, 1 or more
 * @param algorithm how to choose the split keys
 * @param splits the split keys as physical rows, if a sample of rows has determined them; {@code
 *     regions} and {@code algorithm} then have no effect
 * @param families names of the column families
 * @param compression the compression of files, by the name of HBase's algorithm, such as {@code
 *     ZSTD}
 * @param wholeBuckets whether HBase may split regions only between buckets
 * @param optimizeFor what to prefer where HBase's settings trade one property for another
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
  /** The plan that leaves every value open. */
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

  /** Whether every value is open. */
  public boolean isEmpty() {
    return equals(EMPTY);
  }

  /**
   * Returns this plan with its open values taken from another one, such as that of the namespace.
   * The other's splits are used only if this plan leaves layout, regions and algorithm open,
   * because split keys fit one layout.
   */
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

  /**
   * A plan under construction. A value that is not set, or is set to null, stays open. Not
   * thread-safe.
   */
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
     * Builds the plan.
     *
     * @throws IllegalArgumentException if the number of regions is less than 1
     */
    public Plan build() {
      return new Plan(
          layout, regions, algorithm, splits, families, compression, wholeBuckets, optimizeFor);
    }
  }
}
