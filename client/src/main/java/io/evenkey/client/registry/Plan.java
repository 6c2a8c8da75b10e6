package io.evenkey.client.registry;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.split.SplitAlgorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a table is to be created. Everything may be left open: a namespace's plan fills it, then the
 * usual. Immutable; compared by value.
 *
 * @param layout how its row keys are made
 * @param regions into how many regions it is cut: the partition count; 1 or more
 * @param algorithm how it is cut
 * @param splits where it is cut, as rows are stored, if a sample of its rows has said so; in place
 *     of {@code regions} and {@code algorithm}
 * @param families its column families
 * @param compression how its files are compressed, one of HBase's algorithms by name
 * @param wholeBuckets whether HBase may split regions between buckets only
 */
public record Plan(
    @Nullable Layout layout,
    @Nullable Integer regions,
    @Nullable SplitAlgorithm algorithm,
    List<ByteString> splits,
    List<String> families,
    @Nullable String compression,
    @Nullable Boolean wholeBuckets) {
  /** Nothing said. */
  public static final Plan EMPTY = new Plan(null, null, null, List.of(), List.of(), null, null);

  /** Copies the lists and checks the number of regions. */
  public Plan {
    splits = List.copyOf(splits);
    families = List.copyOf(families);
    if (regions != null && (regions < 1 || regions > SplitAlgorithm.MAX_REGIONS)) {
      throw new IllegalArgumentException(
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

  /** This plan, with what it leaves open as in another. */
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
        wholeBuckets != null ? wholeBuckets : other.wholeBuckets);
  }

  /** The same with another layout. */
  public Plan withLayout(Layout line) {
    return new Plan(line, regions, algorithm, splits, families, compression, wholeBuckets);
  }

  /** The same, split into this number of regions. */
  public Plan withRegions(int count) {
    return new Plan(layout, count, algorithm, splits, families, compression, wholeBuckets);
  }

  /** The same, cut in this way. */
  public Plan withAlgorithm(SplitAlgorithm way) {
    return new Plan(layout, regions, way, splits, families, compression, wholeBuckets);
  }

  /** The same, cut at these rows. */
  public Plan withSplits(List<ByteString> rows) {
    return new Plan(layout, regions, algorithm, rows, families, compression, wholeBuckets);
  }

  /** The same with these column families. */
  public Plan withFamilies(List<String> names) {
    return new Plan(layout, regions, algorithm, splits, names, compression, wholeBuckets);
  }

  /** The same with its files compressed so. */
  public Plan withCompression(String codec) {
    return new Plan(layout, regions, algorithm, splits, families, codec, wholeBuckets);
  }

  /** The same, with regions split between buckets only, or anywhere. */
  public Plan withWholeBuckets(boolean whole) {
    return new Plan(layout, regions, algorithm, splits, families, compression, whole);
  }
}
