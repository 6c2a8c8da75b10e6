/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of hbase:meta, as those before the row of a half. */
class SplitParentTest {
  private static final RegionInfo PARENT = region("f", "p", 5);
  private static final RegionInfo FIRST = region("f", "k", 9);
  private static final RegionInfo SECOND = region("k", "p", 9);
  private static final Result SPLIT = row(PARENT, FIRST, SECOND);

  private final AtomicInteger read = new AtomicInteger();

  private static RegionInfo region(String start, String end, long id) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("orders"))
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .setRegionId(id)
        .build();
  }

  private static Result row(RegionInfo region, RegionInfo... halves) {
    List<Cell> cells = new ArrayList<>();
    cells.add(cell(region, HConstants.REGIONINFO_QUALIFIER, region));
    for (int i = 0; i < halves.length; i++) {
      byte[] half = i == 0 ? HConstants.SPLITA_QUALIFIER : HConstants.SPLITB_QUALIFIER;
      cells.add(cell(region, half, halves[i]));
    }
    return Result.create(cells);
  }

  private static Cell cell(RegionInfo row, byte[] qualifier, RegionInfo value) {
    return new KeyValue(
        row.getRegionName(), HConstants.CATALOG_FAMILY, qualifier, RegionInfo.toByteArray(value));
  }

  private @Nullable Result find(RegionInfo half, Result... backwards) {
    List<Result> rows = new ArrayList<>(List.of(backwards));
    // Those of a great table.
    for (int i = 0; i < 1_000; i++) {
      rows.add(row(region("a" + (999 - i), "a" + (1_000 - i), 1)));
    }
    read.set(0);
    return SplitParent.of(half, () -> rows.stream().peek(row -> read.incrementAndGet()).iterator());
  }

  @Test
  void isInTheRowBeforeTheFirstHalf() {
    assertThat(find(FIRST, SPLIT)).isSameAs(SPLIT);
    assertThat(read).hasValue(1);
  }

  @Test
  void isBeforeTheOtherHalfAndWhatThatWasSplitInto() {
    assertThat(find(SECOND, row(FIRST), SPLIT)).isSameAs(SPLIT);
    assertThat(read).hasValue(2);
    RegionInfo left = region("f", "h", 12);
    RegionInfo right = region("h", "k", 12);
    assertThat(find(SECOND, row(right), row(left), row(FIRST, left, right), SPLIT)).isSameAs(SPLIT);
    assertThat(read).hasValue(4);
    // The master has removed the row of the first half since then.
    assertThat(find(SECOND, row(right), row(left), SPLIT)).isSameAs(SPLIT);
    assertThat(read).hasValue(3);
  }

  @Test
  void isNotSoughtInTheRestOfTheTable() {
    assertThat(find(SECOND)).isNull();
    assertThat(read).hasValue(1);
    // All regions of a table that was created with its regions have one number.
    assertThat(find(region("k", "p", 1), row(region("f", "k", 1)))).isNull();
    assertThat(read).hasValue(2);
  }
}
