/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits and merges of clones, by the names of the tables that they are clones of. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MisreadLinksIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final int ROWS = 26;

  private final Connection connection;
  private Admin admin;

  MisreadLinksIT(Connection connection) {
    this.connection = connection;
  }

  @BeforeEach
  void open() throws IOException {
    admin = connection.getAdmin();
  }

  @AfterEach
  void close() throws IOException {
    admin.close();
  }

  private static byte[] row(int i) {
    return new byte[] {(byte) ('a' + i)};
  }

  /** A clone of a table of this name, of three regions. */
  private TableName cloned(String name, String clone) throws IOException {
    TableName source = TableName.valueOf(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(source)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
            .build(),
        new byte[][] {row(9), row(17)});
    try (Table table = connection.getTable(source)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(row(i)).addColumn(D, D, D));
      }
      table.put(puts);
    }
    admin.flush(source);
    TableName target = TableName.valueOf(clone);
    admin.snapshot(clone, source);
    admin.cloneSnapshot(clone, target);
    admin.deleteSnapshot(clone);
    admin.disableTable(source);
    admin.deleteTable(source);
    return target;
  }

  private int rows(TableName table) throws IOException {
    int rows = 0;
    try (Table opened = connection.getTable(table);
        ResultScanner scanner = opened.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows += row.size();
      }
    }
    return rows;
  }

  private void split(TableName table) throws IOException, InterruptedException, ExecutionException {
    admin.splitRegionAsync(admin.getRegions(table).get(0).getEncodedNameAsBytes(), row(5)).get();
  }

  /** Merges the last two regions. */
  private void merge(TableName table) throws IOException, InterruptedException, ExecutionException {
    List<RegionInfo> regions = admin.getRegions(table);
    int last = regions.size() - 1;
    admin
        .mergeRegionsAsync(
            new byte[][] {
              regions.get(last - 1).getEncodedNameAsBytes(),
              regions.get(last).getEncodedNameAsBytes()
            },
            false)
        .get();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"a1", "2024", "cafe.orders", "feeds"})
  void theDaughtersOfACloneOfAGenerationOpen(String table) throws Exception {
    TableName clone = cloned(DerivedTable.generation(table, 2), "clone_of_" + table);
    split(clone);
    merge(clone);
    assertThat(admin.getRegions(clone)).hasSize(3);
    assertThat(rows(clone)).isEqualTo(ROWS);
  }

  @Test
  void aCloneWhoseLinksAreMisreadIsSplitAndMergedAfterACompaction() throws Exception {
    TableName clone = cloned("feed.g2", "clone_of_feed");
    assertThatThrownBy(() -> split(clone))
        .hasMessageContaining("region cannot be split: table=clone_of_feed region=")
        .hasMessageContaining("file=feed.g2=")
        .hasMessageContaining("run major_compact 'clone_of_feed' first");
    assertThatThrownBy(() -> merge(clone))
        .hasMessageContaining("region cannot be merged: table=clone_of_feed region=")
        .hasMessageContaining("major_compact");
    assertThat(rows(clone)).isEqualTo(ROWS);
    admin.majorCompact(clone);
    // Until the compaction is done, and what it has read is archived, as it is at a close.
    await().atMost(1, TimeUnit.MINUTES).ignoreExceptions().until(() -> tried(clone));
    assertThat(rows(clone)).isEqualTo(ROWS);
  }

  /** HBase links the files whose rows all go to one half. */
  @Tag("long")
  @Test
  void aTableOfAnApplicationWithSuchANameIsSplitAgainAfterACompaction() throws Exception {
    TableName name = TableName.valueOf("cafe.orders");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
            .build());
    try (Table table = connection.getTable(name)) {
      for (int i = 0; i < 10; i++) {
        table.put(new Put(row(i)).addColumn(D, D, D));
      }
    }
    admin.flush(name);
    byte[] whole = admin.getRegions(name).get(0).getEncodedNameAsBytes();
    admin.splitRegionAsync(whole, row(17)).get();
    assertThatThrownBy(() -> split(name))
        .hasMessageContaining("region cannot be split: table=cafe.orders region=")
        .hasMessageContaining("run major_compact 'cafe.orders' first");
    assertThat(rows(name)).isEqualTo(10);
    admin.majorCompact(name);
    await().atMost(1, TimeUnit.MINUTES).ignoreExceptions().until(() -> tried(name));
    assertThat(rows(name)).isEqualTo(10);
  }

  private boolean tried(TableName table) throws Exception {
    int regions = admin.getRegions(table).size();
    admin.disableTable(table);
    admin.enableTable(table);
    split(table);
    return admin.getRegions(table).size() == regions + 1;
  }
}
