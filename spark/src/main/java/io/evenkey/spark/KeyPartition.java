/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.jobs.mapreduce.EvenkeySplit;
import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.spark.SerializableWritable;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * The ranges of one bucket in one region, which a task reads one after the other: rows are in the
 * order of their keys, if the layout has one. Immutable.
 *
 * @param splits in ascending order, at least one
 * @param host of the region server; empty if HBase does not say
 */
record KeyPartition(List<SerializableWritable<EvenkeySplit>> splits, String host)
    implements InputPartition {
  private static final Comparator<EvenkeySplit> BY_ROW =
      (a, b) -> Arrays.compareUnsigned(table(a).getStartRow(), table(b).getStartRow());

  KeyPartition {
    splits = List.copyOf(splits);
  }

  /** Many short ranges, as those of a long list of values are, are few partitions. */
  static List<KeyPartition> of(List<EvenkeySplit> splits) {
    Map<List<String>, List<EvenkeySplit>> together = new LinkedHashMap<>();
    for (EvenkeySplit split : splits.stream().sorted(BY_ROW).toList()) {
      together.computeIfAbsent(place(split), any -> new ArrayList<>()).add(split);
    }
    return together.values().stream().map(KeyPartition::joined).toList();
  }

  private static List<String> place(EvenkeySplit split) {
    byte[] start = table(split).getStartRow();
    int width = Math.min(start.length, Layout.parse(split.layout()).spread().width());
    return List.of(
        table(split).getEncodedRegionName(), Arrays.toString(Arrays.copyOf(start, width)));
  }

  private static KeyPartition joined(List<EvenkeySplit> splits) {
    String host = table(splits.get(0)).getRegionLocation();
    return new KeyPartition(
        splits.stream().map(SerializableWritable::new).toList(), host == null ? "" : host);
  }

  private static TableSplit table(EvenkeySplit split) {
    return (TableSplit) split.physical();
  }

  @Override
  public String[] preferredLocations() {
    return host.isEmpty() ? new String[0] : new String[] {host};
  }
}
