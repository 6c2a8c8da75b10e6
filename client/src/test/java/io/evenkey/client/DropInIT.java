/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.client.RandomWork.FAMILY;
import static io.evenkey.client.RandomWork.FIELDS;
import static io.evenkey.client.RandomWork.KEYS;
import static io.evenkey.client.RandomWork.QUALIFIERS;
import static io.evenkey.client.RandomWork.action;
import static io.evenkey.client.RandomWork.actions;
import static io.evenkey.client.RandomWork.filter;
import static io.evenkey.client.RandomWork.key;
import static io.evenkey.client.RandomWork.scan;
import static io.evenkey.client.RowActions.run;
import static io.evenkey.client.RowActions.seen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.client.failure.UnsupportedFilterException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.table.LogicalTable;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same code on a plain table by HBase's own connection and on a spread table by ours: whatever
 * comes back has to be the same.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class DropInIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);
  private static final int ACTIONS = Boolean.getBoolean("evenkey.deep") ? 1_000 : 250;
  private static final int SCANS = Boolean.getBoolean("evenkey.deep") ? 400 : 80;

  private Connection plain;
  private Connection dropIn;
  private String test;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    Configuration configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
    test = info.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
  }

  private Table plainTable(String line) throws IOException {
    TableName name = TableName.valueOf(test + "_plain_" + Integer.toHexString(line.hashCode()));
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).build())
              .build());
    }
    return plain.getTable(name);
  }

  private Table spreadTable(String line) throws IOException {
    TableName name = TableName.valueOf(test + "_" + Integer.toHexString(line.hashCode()));
    Layout layout = Layout.parse(line);
    try (Admin admin = dropIn.getAdmin()) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).build())
                  .build(),
              layout),
          layout.splits(Math.min(4, layout.buckets().orElse(4))).toArray());
    }
    Table table = dropIn.getTable(name);
    assertThat(table).isInstanceOf(LogicalTable.class);
    return table;
  }

  @Test
  void anAdminIsOfHBasesOwnClassAndOfItsConnection() throws IOException {
    try (Admin admin = dropIn.getAdmin()) {
      assertThat(admin).isInstanceOf(HBaseAdmin.class);
      assertThat(admin.getConnection()).isSameAs(dropIn);
    }
  }

  // HBase's REST server closes a table when it has opened a scanner of it.
  @Test
  void scannersGoOnWhenTheirTableIsClosed() throws IOException {
    String line = "salt(4) + key:bytes";
    for (TableName name : List.of(plainTable(line).getName(), spreadTable(line).getName())) {
      try (ResultScanner scanner = begunAndItsTableClosed(name)) {
        assertThat(scanner.next(20)).as(name.getNameAsString()).hasSize(19);
      }
    }
  }

  private ResultScanner begunAndItsTableClosed(TableName name) throws IOException {
    try (Table table = dropIn.getTable(name)) {
      for (int i = 10; i < 30; i++) {
        table.put(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, FAMILY));
      }
      ResultScanner scanner = table.getScanner(new Scan().setCaching(2));
      assertThat(scanner.next()).isNotNull();
      return scanner;
    }
  }

  private static List<String> all(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        rows.add(seen(row));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(4) + " + FIELDS,
        "salt(6, device; over=3, as=digits(2), sep=\"_\") + " + FIELDS,
        "salt(3, device; over=2, 7 from ts 6) + " + FIELDS,
        "md5(device)[0..1] + " + FIELDS
      })
  void randomOperationsGiveTheSameAsOnAPlainTable(String line) throws Exception {
    try (Table expected = plainTable(line);
        Table actual = spreadTable(line)) {
      for (int i = 1; i <= ACTIONS; i++) {
        String ours = run(actual, action(new SplittableRandom(SEED + i), i));
        String theirs = run(expected, action(new SplittableRandom(SEED + i), i));
        assertThat(ours).as("action %d", i).isEqualTo(theirs);
      }
      batches(expected, actual);
      SplittableRandom random = new SplittableRandom(SEED);
      for (int i = 0; i < 100; i++) {
        Get get = new Get(key(random)).readVersions(3);
        if (random.nextInt(3) == 0) {
          get.setFilter(
              new RowFilter(
                  CompareOperator.EQUAL, new BinaryPrefixComparator(Bytes.toBytes("d2"))));
        }
        assertThat(seen(actual.get(get))).as("%s", get).isEqualTo(seen(expected.get(get)));
        assertThat(actual.exists(get)).isEqualTo(expected.exists(get));
      }
      for (int i = 0; i < SCANS; i++) {
        Scan scan = scan(random);
        if (scan.getBatch() <= 0 && !scan.isReversed() && random.nextBoolean()) {
          scan.setFilter(filter(random));
        }
        assertThat(all(actual, scan)).as("scan %d: %s", i, scan).isEqualTo(all(expected, scan));
      }
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(7, device) + " + FIELDS,
        "salt(3; 7 from ts 4, 2 from ts 8) + " + FIELDS,
        "salt(12, device, ts / 3; over=2) + " + FIELDS,
        "phoenix_salt(5) + " + FIELDS
      })
  void randomOperationsGiveTheSameOnOtherSpreadsToo(String line) throws Exception {
    randomOperationsGiveTheSameAsOnAPlainTable(line);
  }

  private static void batches(Table expected, Table actual) throws Exception {
    for (int i = 0; i < 20; i++) {
      long time = 1000 + 10L * i;
      Object[] ours = new Object[6];
      Object[] theirs = new Object[6];
      actual.batch(actions(SEED + i, time), ours);
      expected.batch(actions(SEED + i, time), theirs);
      for (int j = 0; j < ours.length; j++) {
        assertThat(seen(ours[j])).as("batch %d action %d", i, j).isEqualTo(seen(theirs[j]));
      }
    }
  }

  @Test
  void underARandomSaltAGetAsksAllBuckets() throws Exception {
    try (Table table = spreadTable("salt(4, random) + " + FIELDS)) {
      byte[] row = key(new SplittableRandom(1));
      for (long time = 1; time <= 40; time++) {
        byte[] qualifier = QUALIFIERS[(int) (time % 2)];
        table.put(new Put(row, time).addColumn(FAMILY, qualifier, Bytes.toBytes(time)));
      }
      Result result = table.get(new Get(row).readVersions(3));
      assertThat(result.getRow()).isEqualTo(row);
      assertThat(result.getColumnCells(FAMILY, QUALIFIERS[0]).stream().map(Cell::getTimestamp))
          .containsExactly(40L, 38L, 36L);
      assertThat(result.getColumnCells(FAMILY, QUALIFIERS[1]).stream().map(Cell::getTimestamp))
          .containsExactly(39L, 37L, 35L);
      assertThat(Bytes.toLong(table.get(new Get(row)).getValue(FAMILY, QUALIFIERS[0])))
          .isEqualTo(40);
      byte[] other = key(new SplittableRandom(77));
      assertThat(table.exists(List.of(new Get(row), new Get(other)))).containsExactly(true, false);
      assertThat(table.get(List.of(new Get(other), new Get(row)))[1].isEmpty()).isFalse();
      Get bad = new Get(row).addFamily(Bytes.toBytes("none"));
      for (ThrowingCallable read :
          List.<ThrowingCallable>of(() -> table.get(bad), () -> table.get(List.of(bad)))) {
        assertThatThrownBy(read)
            .isInstanceOfSatisfying(
                RetriesExhaustedWithDetailsException.class,
                e -> assertThat(e.getRow(0)).isSameAs(bad));
      }
      for (Row action :
          List.of(
              new Delete(row),
              new Increment(row).addColumn(FAMILY, QUALIFIERS[0], 1),
              new Append(row).addColumn(FAMILY, QUALIFIERS[0], row))) {
        assertThatThrownBy(() -> run(table, action))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("random salt");
      }
    }
  }

  @Test
  void failuresNameTheCallersOwnActions() throws Exception {
    try (Table table = spreadTable("salt(4) + " + FIELDS)) {
      byte[] row = key(new SplittableRandom(1));
      Put good = new Put(row).addColumn(FAMILY, QUALIFIERS[0], QUALIFIERS[1]);
      Put bad = new Put(row).addColumn(Bytes.toBytes("none"), QUALIFIERS[0], QUALIFIERS[1]);
      Object[] results = new Object[2];
      assertThatThrownBy(() -> table.batch(List.of(good, bad), results))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              e -> {
                assertThat(e.getNumExceptions()).isEqualTo(1);
                assertThat(e.getRow(0)).isSameAs(bad);
              });
      assertThat(results[0]).isInstanceOf(Result.class);
      assertThat(results[1]).isInstanceOf(Throwable.class);

      List<String> failed = Collections.synchronizedList(new ArrayList<>());
      BufferedMutatorParams params =
          new BufferedMutatorParams(table.getName())
              .listener((e, m) -> failed.add(ByteText.hex(e.getRow(0).getRow())));
      try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
        mutator.mutate(good);
        mutator.mutate(bad);
        mutator.flush();
      }
      assertThat(failed).containsExactly(ByteText.hex(row));
      assertThat(table.get(new Get(row)).getValue(FAMILY, QUALIFIERS[0])).isEqualTo(QUALIFIERS[1]);
    }
  }

  @Test
  void operationsThatASpreadTableCannotDoAreRefusedByName() throws Exception {
    try (Table table = spreadTable("salt(4) + " + FIELDS)) {
      for (Filter filter :
          List.of(
              new RowFilter(CompareOperator.EQUAL, new SubstringComparator("d")),
              new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("\\Ad.*")),
              new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("^a|b")),
              new WhileMatchFilter(new PrefixFilter(Bytes.toBytes("d1"))),
              new FilterList(FilterList.Operator.MUST_PASS_ONE, new PageFilter(3)))) {
        assertThatThrownBy(() -> table.getScanner(new Scan().setFilter(filter)))
            .isInstanceOf(UnsupportedFilterException.class)
            .hasMessageContaining("Filter");
      }
    }
  }

  @Test
  void theMetricsOfAScanAreTheSumsOverItsRanges() throws Exception {
    try (Table table = spreadTable("salt(4) + " + FIELDS)) {
      for (int i = 0; i < 50; i++) {
        table.put(
            new Put(KEYS.logicalKey(Values.of("device", "d").and("ts", (long) i)))
                .addColumn(FAMILY, QUALIFIERS[0], QUALIFIERS[1]));
      }
      try (ResultScanner scanner = table.getScanner(new Scan().setScanMetricsEnabled(true))) {
        int rows = 0;
        while (scanner.next() != null) {
          rows++;
        }
        assertThat(rows).isEqualTo(50);
        assertThat(scanner.getScanMetrics().countOfRowsScanned.get()).isEqualTo(50);
        assertThat(scanner.getScanMetrics().countOfRegions.get()).isEqualTo(4);
      }
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        assertThat(scanner.next()).isNotNull();
        assertThat(scanner.getScanMetrics()).isNull();
      }
    }
  }

  @Test
  void aScanOutlivesASplitOfARegionUnderIt() throws Exception {
    String line = "salt(4) + " + FIELDS;
    try (Table table = spreadTable(line);
        Admin admin = plain.getAdmin()) {
      List<byte[]> keys = new ArrayList<>();
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        byte[] key = KEYS.logicalKey(Values.of("device", "d" + i % 9).and("ts", (long) i));
        keys.add(key);
        puts.add(new Put(key).addColumn(FAMILY, QUALIFIERS[0], new byte[200]));
      }
      table.put(puts);
      keys.sort(Bytes.BYTES_COMPARATOR);
      admin.flush(table.getName());
      List<String> seen = new ArrayList<>();
      try (ResultScanner scanner =
          table.getScanner(new Scan().setCaching(10).setMaxResultSize(4000))) {
        for (Result row : scanner) {
          seen.add(ByteText.hex(row.getRow()));
          if (seen.size() == 500) {
            split(admin, table.getName(), Layout.parse(line).physical(keys.get(1500)));
          }
        }
      }
      assertThat(seen).isEqualTo(keys.stream().map(ByteText::hex).toList());
    }
  }

  private static void split(Admin admin, TableName name, byte[] row) throws Exception {
    RegionInfo region = null;
    for (RegionInfo candidate : admin.getRegions(name)) {
      region = candidate.containsRow(row) ? candidate : region;
    }
    admin.splitRegionAsync(region.getRegionName(), row).get();
  }

  @Test
  void rowsOfATableWithoutALayoutStayAsTheyAre() throws Exception {
    try (Table table = plainTable("");
        Table same = dropIn.getTable(table.getName())) {
      byte[] row = Bytes.toBytes("row");
      same.put(new Put(row).addColumn(FAMILY, row, row));
      assertThat(table.get(new Get(row)).getRow()).isEqualTo(row);
      assertThat(same.get(new Get(row)).value()).isEqualTo(row);
    }
  }

  @Test
  void aTableMayBeOpenedBeforeItExists() throws Exception {
    String line = "salt(3) + " + FIELDS;
    TableName name = TableName.valueOf(test + "_" + Integer.toHexString(line.hashCode()));
    byte[] row = key(new SplittableRandom(2));
    try (Table early = dropIn.getTable(name)) {
      assertThatThrownBy(() -> early.get(new Get(row)))
          .isInstanceOf(org.apache.hadoop.hbase.TableNotFoundException.class);
      Put put = new Put(row).addColumn(FAMILY, QUALIFIERS[0], QUALIFIERS[1]);
      Throwable ofHBase = catchThrowable(() -> plain.getTable(name).put(List.of(put)));
      assertThatThrownBy(() -> early.put(List.of(put))).hasSameClassAs(ofHBase);
      Object[] results = new Object[1];
      assertThatThrownBy(() -> early.batch(List.of(put), results)).hasSameClassAs(ofHBase);
      assertThat(results[0]).isInstanceOf(org.apache.hadoop.hbase.TableNotFoundException.class);
      spreadTable(line).close();
      early.put(new Put(row).addColumn(FAMILY, QUALIFIERS[0], QUALIFIERS[1]));
      try (Table late = dropIn.getTable(name);
          ResultScanner stored = plain.getTable(name).getScanner(FAMILY)) {
        assertThat(late.exists(new Get(row))).isTrue();
        assertThat(stored.next().getRow()).isEqualTo(Layout.parse(line).physical(row));
      }
    }
  }
}
