/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.plan;

import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * The HBase settings that suit a layout, and why: split restriction, normalizer, block encoding,
 * Bloom filters. It changes only settings that still have HBase's default. Immutable.
 *
 * @param descriptor the table with its settings
 * @param reasons one sentence for each setting that was changed
 */
public record TableSettings(TableDescriptor descriptor, List<String> reasons) {
  private static final String BLOOM_PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";
  private static final String SPLIT_RESTRICTION =
      "hbase.regionserver.region.split_restriction.type";
  private static final String SPLIT_PREFIX_LENGTH =
      "hbase.regionserver.region.split_restriction.prefix_length";

  private static final String NOT_NORMALIZED =
      "NORMALIZATION_ENABLED false: the normalizer would merge small regions, and so put buckets on"
          + " one server that should be on several";

  /** Copies the list. */
  public TableSettings {
    reasons = List.copyOf(reasons);
  }

  /**
   * The settings for a table of a layout.
   *
   * @param plan the plan of the table
   * @throws IllegalArgumentException if the plan names a compression that HBase does not have, or
   *     wants whole buckets of a layout without any
   */
  static TableSettings of(TableDescriptor table, Layout layout, Plan plan) {
    List<String> reasons = new ArrayList<>();
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    Spread spread = layout.spread();
    if (spread.width() > 0) {
      builder.setNormalizationEnabled(false);
      reasons.add(NOT_NORMALIZED);
    }
    if (Boolean.TRUE.equals(plan.wholeBuckets())) {
      keepBucketsWhole(builder, layout);
      reasons.add(
          "split restriction KeyPrefix of "
              + spread.width()
              + " bytes: HBase splits regions between buckets only; a region of one bucket is not"
              + " split any more, however large it gets");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      builder.modifyColumnFamily(family(family, layout, plan));
    }
    familyReasons(reasons, layout, plan);
    return new TableSettings(builder.build(), reasons);
  }

  /**
   * Returns the settings for a table's next generation. Settings that were chosen for the old
   * layout are chosen again for the new one, HBase's defaults are replaced, and an operator's
   * settings stay. The reasons name only what changes.
   *
   * @param table the table under its old layout
   * @param before the old layout; one of plain keys if the table had none
   * @param layout the new layout
   * @param planned its goal and compression are used, nothing else
   */
  public static TableSettings ofNext(
      TableDescriptor table, Layout before, Layout layout, Plan planned) {
    Plan plan =
        new Plan.Builder()
            .optimizeFor(planned.optimizeFor())
            .compression(planned.compression())
            .build();
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    List<String> reasons = new ArrayList<>();
    if (layout.spread().width() > 0 && table.isNormalizationEnabled()) {
      builder.setNormalizationEnabled(false);
      reasons.add(NOT_NORMALIZED);
    }
    if (isOfLayout(before, table)) {
      boolean whole = layout.spread().width() > 0;
      builder.setValue(SPLIT_RESTRICTION, whole ? "KeyPrefix" : null);
      builder.setValue(SPLIT_PREFIX_LENGTH, whole ? "" + layout.spread().width() : null);
    }
    boolean encoded = false;
    boolean filtered = false;
    for (ColumnFamilyDescriptor now : table.getColumnFamilies()) {
      ColumnFamilyDescriptor next = family(withoutPrefixOf(before, now), layout, plan);
      builder.modifyColumnFamily(next);
      encoded |= next.getDataBlockEncoding() != now.getDataBlockEncoding();
      filtered |=
          next.getBloomFilterType() != now.getBloomFilterType()
              || !Objects.equals(
                  next.getConfigurationValue(BLOOM_PREFIX_LENGTH),
                  now.getConfigurationValue(BLOOM_PREFIX_LENGTH));
    }
    if (encoded) {
      reasons.add(encodingReason(plan));
    }
    if (filtered) {
      reasons.add(filterReason(layout));
    }
    return new TableSettings(builder.build(), reasons);
  }

  /** Whether HBase splits regions of a table between the buckets of this layout. */
  private static boolean isOfLayout(Layout layout, TableDescriptor table) {
    return layout.spread().width() > 0
        && "KeyPrefix".equals(table.getValue(SPLIT_RESTRICTION))
        && String.valueOf(layout.spread().width()).equals(table.getValue(SPLIT_PREFIX_LENGTH));
  }

  /** A family whose filter is of whole rows, if it was of the entities of this layout. */
  private static ColumnFamilyDescriptor withoutPrefixOf(
      Layout layout, ColumnFamilyDescriptor family) {
    return family.getBloomFilterType() == BloomType.ROWPREFIX_FIXED_LENGTH
            && String.valueOf(entityWidth(layout))
                .equals(family.getConfigurationValue(BLOOM_PREFIX_LENGTH))
        ? ColumnFamilyDescriptorBuilder.newBuilder(family)
            .setBloomFilterType(BloomType.ROW)
            .removeConfiguration(BLOOM_PREFIX_LENGTH)
            .build()
        : family;
  }

  private static void keepBucketsWhole(TableDescriptorBuilder builder, Layout layout) {
    if (layout.spread().width() == 0) {
      throw new EvenkeyArgumentException(
          "no buckets to keep whole: layout=" + layout + "; leave whole buckets out of the plan");
    }
    builder.setValue(SPLIT_RESTRICTION, "KeyPrefix");
    builder.setValue(SPLIT_PREFIX_LENGTH, String.valueOf(layout.spread().width()));
  }

  private static ColumnFamilyDescriptor family(
      ColumnFamilyDescriptor family, Layout layout, Plan plan) {
    ColumnFamilyDescriptorBuilder builder = ColumnFamilyDescriptorBuilder.newBuilder(family);
    if (family.getDataBlockEncoding() == DataBlockEncoding.NONE) {
      builder.setDataBlockEncoding(encoding(plan));
    }
    int beginning = entityWidth(layout);
    if (family.getBloomFilterType() == BloomType.ROW && beginning > 0) {
      builder.setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH);
      builder.setConfiguration(BLOOM_PREFIX_LENGTH, String.valueOf(beginning));
    }
    String compression = plan.compression();
    if (compression != null && family.getCompressionType() == Compression.Algorithm.NONE) {
      builder.setCompressionType(Compression.getCompressionAlgorithmByName(lower(compression)));
    }
    return builder.build();
  }

  private static DataBlockEncoding encoding(Plan plan) {
    return plan.optimizeFor() == OptimizationGoal.STORAGE
        ? DataBlockEncoding.FAST_DIFF
        : DataBlockEncoding.ROW_INDEX_V1;
  }

  private static String lower(String compression) {
    return compression.toLowerCase(Locale.ROOT);
  }

  private static void familyReasons(List<String> reasons, Layout layout, Plan plan) {
    reasons.add(encodingReason(plan));
    reasons.add(filterReason(layout));
    reasons.add(
        plan.compression() == null
            ? "COMPRESSION NONE: this client cannot know which codecs the servers have; plan ZSTD,"
                + " or another codec that they have, and values take less space"
            : "COMPRESSION " + plan.compression() + ": as planned");
  }

  private static String encodingReason(Plan plan) {
    return plan.optimizeFor() == OptimizationGoal.STORAGE
        ? "DATA_BLOCK_ENCODING FAST_DIFF: neighbouring rows of a bucket begin alike; only the"
            + " difference is stored, so the prefix costs next to nothing on disk and in the"
            + " block cache"
        : "DATA_BLOCK_ENCODING ROW_INDEX_V1: each block has an index of its rows, so that gets and"
            + " short scans find a row without reading the block from its beginning; optimized for"
            + " storage, files are smaller and reads slower";
  }

  private static String filterReason(Layout layout) {
    int beginning = entityWidth(layout);
    return beginning > 0
        ? "BLOOMFILTER ROWPREFIX_FIXED_LENGTH of "
            + beginning
            + " bytes: scans of one entity skip files without it, as gets do"
        : "BLOOMFILTER ROW: gets skip files without the row";
  }

  /**
   * The number of bytes of a row that name an entity: the prefix and the fields from which it is
   * computed, if these come first and are of fixed width; else 0.
   */
  private static int entityWidth(Layout layout) {
    Spread spread = layout.spread();
    int[] hashed = spread.hashedFields();
    if (spread.width() == 0 || !spread.isPrefixOnly() || hashed.length == 0) {
      return 0;
    }
    int width = spread.width();
    List<Part> parts = layout.key().parts();
    for (int i = 0; i < hashed.length; i++) {
      boolean leads = hashed[i] == i && parts.get(i) instanceof Part.Value;
      int bytes = leads ? ((Part.Value) parts.get(i)).field().type().width() : FieldType.VARIABLE;
      if (bytes == FieldType.VARIABLE) {
        return 0;
      }
      width += bytes;
    }
    return hashed.length < layout.fields().size() ? width : 0;
  }
}
