/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.jobs.records.RowQuantiles;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.SplitException;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The split points of the next generation, by the rows of a real table. */
@ExtendWith(EmbeddedHBaseExtension.class)
class TargetSplitsIT {
  private static final int ROWS = 6_000;
  private static final Layout FROM = Layout.parse("salt(4) + key:bytes");

  private Connection plain;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) {
    plain = shared;
    name =
        TableName.valueOf(
            info.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(info.getDisplayName().hashCode()));
  }

  /** Lopsided: most keys begin alike. */
  private static byte[] key(int n) {
    return Bytes.toBytes((n % 10 == 0 ? "a-" : "z-") + String.format("%06d", n));
  }

  private void create(int rows) throws IOException {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      try (SpreadMutator writes =
          tables.create(name, FROM, FROM.splits(4), List.of("d")).mutator()) {
        for (int n = 0; n < rows; n++) {
          writes.put(new Put(key(n)).addColumn(Bytes.toBytes("d"), null, Bytes.toBytes(n)));
        }
      }
    }
  }

  private SplitPlan cut(Layout to, int wanted) throws IOException {
    return cut(FROM, to, wanted);
  }

  private static long[] rows(Layout to, SplitPlan splits) {
    long[] rows = new long[splits.regions()];
    List<byte[]> keys = new ArrayList<>(splits.keys());
    for (int n = 0; n < ROWS; n++) {
      byte[] row = to.physical(key(n));
      rows[(int) keys.stream().filter(key -> Arrays.compareUnsigned(key, row) <= 0).count()]++;
    }
    return rows;
  }

  /** As many tables begin: one region, which has all the rows and all the load. */
  @Test
  void rowsOfOneRegionAreSpread() throws IOException {
    createPlain(n -> key(n));
    Layout to = Layout.parse("salt(6) + key:bytes");
    assertThat(cut(Layout.parse("key:bytes"), to, 0).regions()).isEqualTo(6);
    assertThat(cut(Layout.parse("key:bytes"), Layout.parse("salt(48) + key:bytes"), 0).regions())
        .isEqualTo(16);
  }

  /** Ten metrics cannot fill sixteen buckets, but sixteen regions. */
  @Test
  void rowsOfFewEntitiesAreCutByTheData() throws IOException {
    createPlain(n -> Bytes.toBytes("metric-" + n % 10 + '\0' + String.format("%06d", n)));
    Layout from = Layout.parse("metric:string + n:string");
    Layout to = Layout.parse("salt(16, metric) + metric:string + n:string");
    SplitPlan splits = cut(from, to, 0);
    long[] rows = new long[splits.regions()];
    RowQuantiles all = new RowQuantiles();
    for (int n = 0; n < ROWS; n++) {
      byte[] row = to.physical(Bytes.toBytes("metric-" + n % 10 + '\0' + String.format("%06d", n)));
      rows[
          (int)
              splits.keys().stream()
                  .filter(key -> Arrays.compareUnsigned(key, row) <= 0)
                  .count()]++;
      all.add(row);
    }
    assertThat(rows).hasSize(16);
    assertThat(LongStream.of(rows).max().orElseThrow()).isLessThan(ROWS / 16 * 5 / 4);
    assertThat(BucketRows.of(to, all.sample()).warnings())
        .singleElement()
        .asString()
        .contains("unevenly over the 16 buckets of salt(16, metric)", "have none", "over");
    assertThat(
            BucketRows.of(Layout.parse("salt(16) + metric:string + n:string"), all.sample())
                .warnings())
        .isEmpty();
  }

  /** One value has nine rows in ten, and most buckets none: more regions than buckets lie in it. */
  @Test
  void bucketsWithoutRowsAreNotCut() {
    Layout to = Layout.parse("salt(6, level) + level:string + n:int32");
    RowQuantiles all = new RowQuantiles();
    for (int n = 0; n < 1_000; n++) {
      all.add(to.physical(to.logicalKey(Values.of("level", n % 10 == 0 ? "b" : "a").and("n", n))));
    }
    SplitPlan splits = TargetSplits.cut(to, 9, all.sample());
    assertThat(splits.regions()).isEqualTo(9);
    assertThat(all.sample().skew(splits)).isLessThan(1.25);
  }

  private void createPlain(IntFunction<byte[]> key) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
    }
    try (BufferedMutator writes = plain.getBufferedMutator(name)) {
      for (int n = 0; n < ROWS; n++) {
        writes.mutate(new Put(key.apply(n)).addColumn(Bytes.toBytes("d"), null, Bytes.toBytes(n)));
      }
    }
  }

  private SplitPlan cut(Layout from, Layout to, int wanted) throws IOException {
    return new TargetSplits(plain, name, new RowRewriter(from, to).sampled())
        .cut(wanted, (share, rows) -> {});
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    // layout, wanted, regions, by how many rows the fullest may exceed the average
    "key:bytes, 0, 4, 1.01",
    "key:bytes, 30, 30, 1.01",
    "key:bytes, 1, 1, 1.01",
    "salt(2) + key:bytes, 8, 8, 1.1",
    "salt(3) + key:bytes, 0, 6, 1.1",
    "salt(6) + key:bytes, 0, 6, 1.1",
    "salt(16) + key:bytes, 0, 16, 1.2",
    "salt(32) + key:bytes, 0, 16, 1.2",
    "'md5(key)[0..1]:bytes + key:bytes', 0, 16, 1.2",
  })
  void regionsGetTheSameNumberOfRows(String layout, int wanted, int regions, double most)
      throws IOException {
    create(ROWS);
    Layout to = Layout.parse(layout);
    SplitPlan splits = cut(to, wanted);
    assertThat(splits.regions()).isEqualTo(regions);
    assertThat(LongStream.of(rows(to, splits)).max().orElseThrow())
        .isLessThanOrEqualTo(Math.round(most * ROWS / regions));
  }

  @Tag("long")
  @Test
  void ofALargeTableSomeRowsAreTakenByChance() throws IOException {
    create(ROWS);
    Layout to = Layout.parse("key:bytes");
    SplitPlan some =
        new TargetSplits(plain, name, new RowRewriter(FROM, to).sampled(), 0.3)
            .cut(4, (share, rows) -> {});
    assertThat(LongStream.of(rows(to, some)).min().orElseThrow()).isBetween(1_000L, 1_500L);
    assertThat(some.keys()).as("not all rows").isNotEqualTo(cut(to, 4).keys());
  }

  @Tag("long")
  @Test
  void fewRowsMakeFewRegionsUnlessMoreAreAskedFor() throws IOException {
    create(3);
    Layout plainKeys = Layout.parse("key:bytes");
    assertThat(cut(plainKeys, 0).regions()).isEqualTo(1);
    assertThat(cut(Layout.parse("salt(3) + key:bytes"), 0).regions()).isEqualTo(3);
    assertThatThrownBy(() -> cut(plainKeys, 10))
        .isInstanceOf(SplitException.class)
        .hasMessageContaining("regions=10 rows=3");
  }
}
