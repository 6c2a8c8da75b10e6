package io.evenkey.client;

import io.evenkey.layout.Layout;
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

/**
 * A table about to be created.
 *
 * @param descriptor with its layout, if it is to have one
 * @param splits the first key of every region but the first, as it is stored
 */
record NewTable(TableDescriptor descriptor, List<byte[]> splits) {
  /** Configuration key: the layout of new tables that come without one. */
  static final String DEFAULT_LAYOUT = "evenkey.layout.default";

  /** Into how many regions a table is cut if nobody says, and it has as many buckets. */
  private static final int REGIONS = 16;

  /**
   * The table that an application asks for, under the default layout if there is one and the table
   * has none.
   *
   * @param splits logical keys
   * @throws io.evenkey.layout.text.SyntaxException if the default layout cannot be read
   */
  static NewTable of(Configuration configuration, TableDescriptor descriptor, List<byte[]> splits) {
    String line = configuration.get(DEFAULT_LAYOUT);
    if (line == null
        || descriptor.getTableName().isSystemTable()
        || descriptor.getValue(TableLayout.LAYOUT) != null) {
      return new NewTable(descriptor, splits);
    }
    Layout layout = Layout.parse(line);
    return new NewTable(TableLayout.with(descriptor, layout), regions(layout.spread(), splits));
  }

  /** The same, of so many regions between two logical keys, as HBase cuts them. */
  static NewTable of(
      Configuration configuration,
      TableDescriptor descriptor,
      byte[] startKey,
      byte[] endKey,
      int regions) {
    if (regions < 3) {
      throw new IllegalArgumentException(
          "fewer than three regions between two keys: regions=" + regions);
    } else if (Bytes.compareTo(startKey, endKey) >= 0) {
      throw new IllegalArgumentException(
          "start key is not before end key: start="
              + Bytes.toStringBinary(startKey)
              + " end="
              + Bytes.toStringBinary(endKey));
    }
    byte[][] splits =
        regions == 3 ? new byte[][] {startKey, endKey} : Bytes.split(startKey, endKey, regions - 3);
    if (splits == null || splits.length != regions - 1) {
      throw new IllegalArgumentException(
          "key range too small to cut: regions=" + regions + "; ask for fewer regions");
    }
    return of(configuration, descriptor, List.of(splits));
  }

  // As many regions as the application asks for, but not fewer than the buckets or 16: cut between
  // buckets, and in each bucket at keys that the application would have cut at.
  private static List<byte[]> regions(Spread spread, List<byte[]> keys) {
    Prefix prefix = spread.prefix();
    if (prefix == null || prefix.width() == 0) {
      return spread.isPrefixOnly() ? keys : List.of();
    }
    int regions = Math.max(keys.size() + 1, (int) Math.min(REGIONS, prefix.count()));
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
