/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static io.evenkey.client.internal.gather.GatheredTable.FAMILY;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.gather.GatherAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The options of a scan have the same effect whether region servers gather or the client does, and
 * an option that servers cannot serve is left to the client.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ServerGatherOptionsIT {
  private static final TableName NAME = TableName.valueOf("options");
  private static final byte[] OTHER = Bytes.toBytes("e");
  private static final String WATCHED = "watched";
  private static final int ROWS = 300;
  private static final int VERSIONS = 3;
  private static final int COLUMNS = 5;

  private static Connection onServers;
  private static Connection byClient;

  /** Remembers the scans of single regions by which a server gathers. */
  public static final class Observed implements RegionCoprocessor, RegionObserver {
    static final Queue<Scan> SCANS = new ConcurrentLinkedQueue<>();

    /** For HBase. */
    public Observed() {}

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan) {
      if (scan.getAttribute(WATCHED) != null
          && scan.getAttribute(GatherAttributes.REQUEST) == null) {
        SCANS.add(scan);
      }
    }
  }

  @BeforeAll
  static void create(Connection connection) throws IOException {
    onServers = GatheredTable.dropIn(connection, true);
    byClient = GatheredTable.dropIn(connection, false);
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(NAME).setCoprocessor(Observed.class.getName());
    for (byte[] family : List.of(FAMILY, OTHER)) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(VERSIONS).build());
    }
    GatheredTable.create(connection, table.build());
    List<Put> puts = new ArrayList<>();
    List<Delete> deletes = new ArrayList<>();
    for (int key = 0; key < ROWS; key++) {
      Put put = new Put(Bytes.toBytes(key));
      for (int i = 0; i < COLUMNS * VERSIONS; i++) {
        byte[] qualifier = Bytes.toBytes(i % COLUMNS);
        long version = 1L + i / COLUMNS;
        put.addColumn(FAMILY, qualifier, version, Bytes.toBytes(key * i));
        if (key % 2 == 0) {
          put.addColumn(OTHER, qualifier, version, qualifier);
        }
      }
      puts.add(put);
      if (key % 5 == 0) {
        deletes.add(new Delete(put.getRow(), 2));
      }
    }
    try (Table rows = byClient.getTable(NAME)) {
      rows.put(puts);
      rows.delete(deletes);
    }
  }

  @AfterAll
  static void close() throws IOException {
    onServers.close();
    byClient.close();
  }

  private static Map<String, UnaryOperator<Scan>> options() {
    Map<String, UnaryOperator<Scan>> options = new LinkedHashMap<>();
    options.put("none", scan -> scan);
    options.put("all versions", Scan::readAllVersions);
    options.put("two versions", scan -> scan.readVersions(2));
    options.put("time range", scan -> between(scan, 2, 3));
    options.put("versions of a time range", scan -> between(scan, 1, 3).readAllVersions());
    options.put(
        "time range of a family",
        scan -> scan.setColumnFamilyTimeRange(OTHER, 1, 2).readAllVersions());
    options.put("family", scan -> scan.addFamily(OTHER));
    options.put("column", scan -> scan.addColumn(OTHER, Bytes.toBytes(3)));
    options.put("columns of a row", scan -> scan.setMaxResultsPerColumnFamily(2));
    options.put("offset", scan -> scan.setRowOffsetPerColumnFamily(2));
    options.put(
        "families on demand", scan -> scan.setLoadColumnFamiliesOnDemand(!scan.isReversed()));
    options.put("caching", scan -> scan.setCaching(2));
    options.put("small answers", scan -> scan.setMaxResultSize(100));
    options.put("no block cache", scan -> scan.setCacheBlocks(false));
    options.put("pread", scan -> scan.setReadType(Scan.ReadType.PREAD));
    options.put("stream", scan -> scan.setReadType(Scan.ReadType.STREAM));
    options.put("uncommitted", scan -> scan.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    options.put("columns by a filter", scan -> scan.setFilter(qualifier(2)));
    options.put("first cell by a filter", scan -> scan.setFilter(new FirstKeyOnlyFilter()));
    options.put("rows by a filter", scan -> scan.setFilter(value()));
    return options;
  }

  private static Scan between(Scan scan, long from, long to) {
    try {
      return scan.setTimeRange(from, to);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static QualifierFilter qualifier(int number) {
    return new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes(number)));
  }

  private static SingleColumnValueFilter value() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            FAMILY, Bytes.toBytes(1), CompareOperator.GREATER, Bytes.toBytes(900));
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static Scan scan(UnaryOperator<Scan> option, boolean reversed) {
    Scan scan = new Scan().setLimit(20).setReversed(reversed);
    if (reversed) {
      // HBase refuses to read families on demand, its default, backwards with some filters.
      scan.setLoadColumnFamiliesOnDemand(false);
    }
    byte[] low = Bytes.toBytes(40);
    byte[] high = Bytes.toBytes(280);
    return option.apply(
        reversed
            ? scan.withStartRow(high).withStopRow(low, true)
            : scan.withStartRow(low).withStopRow(high, true));
  }

  private static List<String> text(List<Result> rows) {
    List<String> text = new ArrayList<>();
    for (Result row : rows) {
      row.listCells().forEach(cell -> text.add(CellUtil.toString(cell, true)));
    }
    return text;
  }

  private static List<String> gathered(String option, Callable<Scan> scan) throws IOException {
    try (Table table = onServers.getTable(NAME)) {
      return text(GatheredTable.gathered(option, table, scan));
    }
  }

  private static List<String> read(Connection connection, Scan scan) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      return text(GatheredTable.rows(table, scan));
    }
  }

  @Test
  void eachOptionHasTheSameEffectOnServersAndInTheClient() throws IOException {
    for (Map.Entry<String, UnaryOperator<Scan>> option : options().entrySet()) {
      for (boolean reversed : new boolean[] {false, true}) {
        assertThat(gathered(option.getKey(), () -> scan(option.getValue(), reversed)))
            .as("%s reversed=%s", option.getKey(), reversed)
            .isNotEmpty()
            .isEqualTo(read(byClient, scan(option.getValue(), reversed)));
      }
    }
  }

  @Test
  void optionsThatNeedAScannerForEachRangeAreLeftToTheClient() throws IOException {
    Map<String, UnaryOperator<Scan>> options = new LinkedHashMap<>();
    // Without batches and partial rows: where the last row of a limit comes in several answers, an
    // assertion of HBase's client fails, and with assertions on its scan does not complete.
    options.put("metrics", scan -> scan.setScanMetricsEnabled(true));
    options.put("raw cells", scan -> scan.setRaw(true));
    options.put("replicas", scan -> scan.setConsistency(Consistency.TIMELINE));
    // A list or another filter of filters is copied for each range, since it keeps a state.
    options.put(
        "rows by two filters", scan -> scan.setFilter(new FilterList(value(), qualifier(1))));
    options.put(
        "rows by a filter of all cells",
        scan ->
            scan.setFilter(
                new SkipFilter(
                    new ValueFilter(
                        CompareOperator.LESS, new BinaryComparator(Bytes.toBytes(3_000))))));
    for (Map.Entry<String, UnaryOperator<Scan>> option : options.entrySet()) {
      long asked = ScanMeters.gathered() + ScanMeters.ungathered();
      List<String> found = read(onServers, scan(option.getValue(), false));
      assertThat(ScanMeters.gathered() + ScanMeters.ungathered())
          .as(option.getKey())
          .isEqualTo(asked);
      assertThat(found)
          .as(option.getKey())
          .isNotEmpty()
          .isEqualTo(read(byClient, scan(option.getValue(), false)));
    }
  }

  @Test
  void aScanThatAsksForCursorsIsLeftToTheClient() throws IOException {
    long asked = ScanMeters.gathered() + ScanMeters.ungathered();
    Scan scan = scan(found -> found.setNeedCursorResult(true), false);
    List<Integer> keys = new ArrayList<>();
    try (Table table = onServers.getTable(NAME)) {
      for (Result row : GatheredTable.rows(table, scan)) {
        if (!row.isCursor()) {
          keys.add(Bytes.toInt(row.getRow()));
        }
      }
    }
    assertThat(keys).hasSize(20).isSorted().startsWith(40, 41);
    assertThat(ScanMeters.gathered() + ScanMeters.ungathered()).isEqualTo(asked);
  }

  /** The hints are of those that each region's scanner reads by. */
  @Test
  void theScannerOfEachRegionHasTheHintsOfTheScan() throws IOException {
    for (boolean cached : new boolean[] {true, false}) {
      Observed.SCANS.clear();
      List<String> rows =
          gathered(
              "hints",
              () -> {
                Scan scan = scan(found -> found.setCacheBlocks(cached), false);
                scan.setReadType(Scan.ReadType.PREAD).setAttribute(WATCHED, FAMILY);
                return scan;
              });
      assertThat(rows).isNotEmpty();
      assertThat(Observed.SCANS)
          .hasSizeGreaterThanOrEqualTo(7)
          .allSatisfy(
              of -> {
                assertThat(of.getCacheBlocks()).isEqualTo(cached);
                assertThat(of.getReadType()).isEqualTo(Scan.ReadType.PREAD);
              });
    }
  }
}
