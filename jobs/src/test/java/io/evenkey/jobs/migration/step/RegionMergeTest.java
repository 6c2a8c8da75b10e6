/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionMergeTest {
  private static final Layout LAYOUT =
      Layout.parse("salt(4; as=digits(1), 2 from day 20260101) + day:digits(8)");

  /** Regions by their start keys; of an empty one after a dash. */
  private static List<String> merges(String... starts) {
    List<UsedRegion> regions = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      boolean empty = starts[i].startsWith("-");
      RegionInfo info =
          RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
              .setStartKey(Bytes.toBytes(bare(starts[i])))
              .setEndKey(Bytes.toBytes(i + 1 < starts.length ? bare(starts[i + 1]) : ""))
              .build();
      regions.add(new UsedRegion(info, empty ? RegionUse.EMPTY : RegionUse.CURRENT));
    }
    return RegionMerge.plan(LAYOUT, regions).stream()
        .map(merge -> text(merge.regions()) + " into " + text(List.of(merge.into())))
        .toList();
  }

  private static String bare(String start) {
    return start.startsWith("-") ? start.substring(1) : start;
  }

  private static String text(List<RegionInfo> regions) {
    return String.join(
        " ",
        regions.stream().map(region -> '"' + Bytes.toString(region.getStartKey()) + '"').toList());
  }

  @Test
  void bucketsThatAreLeftOutJoinTheLastOneThatIsUsed() {
    assertThat(merges("", "1", "-2", "-3")).containsExactly("\"1\" \"2\" \"3\" into \"1\"");
  }

  @Test
  void pastValuesOfABucketJoinThePresentOnesOfTheSameBucket() {
    assertThat(merges("-", "020250101", "-1", "-120240101", "120250101"))
        .containsExactly(
            "\"\" \"020250101\" into \"020250101\"",
            "\"1\" \"120240101\" \"120250101\" into \"120250101\"");
  }

  @Test
  void anEmptyTableKeepsItsRegions() {
    assertThat(merges("-", "-1")).isEmpty();
  }
}
