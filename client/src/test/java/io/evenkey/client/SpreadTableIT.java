/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(EmbeddedHBaseExtension.class)
class SpreadTableIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("v");
  private static final String FIELDS = "device:string + ts:int64";

  private Connection connection;
  private SpreadTables tables;
  private String test;

  @BeforeEach
  void open(Connection shared, TestInfo info) {
    connection = shared;
    tables = SpreadTables.on(shared);
    test = info.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private SpreadTable create(String line) throws IOException {
    Layout layout = Layout.parse(line);
    SplitPlan splits =
        layout.spread().prefix() == null
            ? SplitAlgorithm.UNIFORM.splits(3)
            : layout.splits(Math.min(6, layout.buckets().orElse(6)));
    String name = test + "_" + Integer.toHexString(line.hashCode());
    return tables.create(TableName.valueOf(name), layout, splits, List.of("d"));
  }

  /** Rows of random devices and times; the same for every layout of the same fields. */
  private static List<byte[]> load(SpreadTable table, int rows) throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    TreeSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    try (SpreadMutator mutator = table.mutator()) {
      for (int i = 0; i < rows; i++) {
        Values record = Values.of("device", "d" + random.nextInt(50)).and("ts", (long) i);
        byte[] key = table.layout().logicalKey(record);
        keys.add(key);
        mutator.put(new Put(key).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(i)));
      }
    }
    return new ArrayList<>(keys);
  }

  private static List<byte[]> keys(ResultScanner scanner) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    try (scanner) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        keys.add(row.getRow());
      }
    }
    return keys;
  }

  private static List<String> hex(List<byte[]> keys) {
    return keys.stream().map(ByteText::hex).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FIELDS,
        "salt(300) + " + FIELDS,
        "salt(16, device) + \"_\" + " + FIELDS,
        "md5(device)[0..2] + " + FIELDS,
        "salt(12, device; over=4, as=digits(2), sep=\"_\") + " + FIELDS,
        "salt(4, device; 12 from ts 1500, 30 from ts 2800) + " + FIELDS,
        "salt(5, random; as=letters, sep=\"-\") + " + FIELDS,
        "phoenix_salt(6) + " + FIELDS
      })
  void everySpreadReadsBackTheSameRowsInLogicalOrder(String line) throws IOException {
    SpreadTable table = create(line);
    List<byte[]> expected = load(table, 3000);
    assertThat(hex(keys(table.scan(KeyRange.all(), ScanOptions.all())))).isEqualTo(hex(expected));

    List<byte[]> backwards = new ArrayList<>(expected);
    Collections.reverse(backwards);
    assertThat(hex(keys(table.scan(KeyRange.all(), ScanOptions.all().backwards()))))
        .isEqualTo(hex(backwards));
    assertThat(hex(keys(table.scan(KeyRange.all(), ScanOptions.all().atMost(10)))))
        .isEqualTo(hex(expected.subList(0, 10)));

    KeyRange middle = KeyRange.of(expected.get(700), expected.get(1900));
    assertThat(hex(keys(table.scan(middle, ScanOptions.all()))))
        .isEqualTo(hex(expected.subList(700, 1900)));
    assertThat(hex(keys(table.scan(middle, ScanOptions.all().backwards().atMost(7)))))
        .isEqualTo(hex(backwards.subList(3000 - 1900, 3000 - 1900 + 7)));
    assertThat(keys(table.scan(KeyRange.none(), ScanOptions.all()))).isEmpty();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(1) + " + FIELDS,
        "salt(3) + " + FIELDS,
        "salt(16) + " + FIELDS,
        "salt(256) + " + FIELDS,
        "xxh3(device)[0..1]:bytes + " + FIELDS,
        "salt(4; 12 from ts 1000, 3 from ts 2500) + " + FIELDS,
        "salt(8; 24 from ts 1500) + ts:int64 + device:string",
        "hbasewd_salt(10) + " + FIELDS,
        "hbasewd_salt(7, rotating) + " + FIELDS
      })
  void otherSpreadsReadBackTheSameRowsToo(String line) throws IOException {
    everySpreadReadsBackTheSameRowsInLogicalOrder(line);
  }

  @Test
  void aGetUnderARandomSaltIsRefusedByName() throws IOException {
    SpreadTable table = create("salt(4, random) + " + FIELDS);
    byte[] key = load(table, 10).get(3);
    assertThatThrownBy(() -> table.get(new Get(key)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("random salt")
        .hasMessageContaining("salt(4, random)");
    assertThat(hex(keys(table.scan(KeyRange.point(key), ScanOptions.all()))))
        .containsExactly(ByteText.hex(key));
  }

  @Test
  void aGetFindsTheRowByItsLogicalKey() throws IOException {
    SpreadTable table = create("salt(16) + " + FIELDS);
    byte[] key = load(table, 500).get(123);
    Result row = table.get(new Get(key).addColumn(FAMILY, QUALIFIER));
    assertThat(row.getRow()).isEqualTo(key);
    assertThat(row.size()).isEqualTo(1);
    assertThat(table.get(new Get(key).addColumn(FAMILY, FAMILY)).isEmpty()).isTrue();
    byte[] absent = table.layout().logicalKey(Values.of("device", "absent").and("ts", 1L));
    assertThat(table.get(new Get(absent)).isEmpty()).isTrue();
  }

  @Test
  void aGetKeepsItsVersionsTimesAndFilter() throws IOException {
    SpreadTable table = create("salt(16) + " + FIELDS);
    byte[] key = load(table, 1).get(0);
    try (SpreadMutator mutator = table.mutator()) {
      mutator.put(new Put(key).addColumn(FAMILY, QUALIFIER, 100, Bytes.toBytes("old")));
    }
    Result old = table.get(new Get(key).setTimeRange(50, 150));
    assertThat(old.getValue(FAMILY, QUALIFIER)).isEqualTo(Bytes.toBytes("old"));
    assertThat(table.get(new Get(key).setTimeRange(5, 15)).isEmpty()).isTrue();
    Result exists = table.get(new Get(key).setCheckExistenceOnly(true));
    assertThat(exists.getExists()).isTrue();
    Result keyOnly = table.get(new Get(key).setFilter(new KeyOnlyFilter()));
    assertThat(keyOnly.getRow()).isEqualTo(key);
    assertThat(keyOnly.getValue(FAMILY, QUALIFIER)).isEmpty();
    assertThat(table.get(new Get(key).setFilter(new PrefixFilter(key))).isEmpty()).isFalse();
    assertThat(table.get(new Get(key).setFilter(new PrefixFilter(QUALIFIER))).isEmpty()).isTrue();
  }

  @Test
  void aCellIsAViewOverTheBytesThatHBaseReturned() throws IOException {
    SpreadTable table = create("salt(16) + " + FIELDS);
    byte[] key = load(table, 10).get(3);
    Cell cell = table.get(new Get(key)).rawCells()[0];
    assertThat(CellUtil.cloneRow(cell)).isEqualTo(key);
    assertThat(cell.getRowArray()).as("one array for row and value").isSameAs(cell.getValueArray());
    assertThat(CellUtil.cloneFamily(cell)).isEqualTo(FAMILY);
    assertThat(CellUtil.cloneQualifier(cell)).isEqualTo(QUALIFIER);
    assertThat(cell).asString().contains("/d:v/");
  }

  @Test
  void theRowsStoredAreThoseOfTheLayout() throws IOException {
    SpreadTable table = create("salt(16) + " + FIELDS);
    List<String> expected = new ArrayList<>();
    load(table, 300).forEach(key -> expected.add(ByteText.hex(table.layout().physical(key))));
    Collections.sort(expected);
    try (Table stored = connection.getTable(table.name())) {
      assertThat(hex(keys(stored.getScanner(new Scan())))).isEqualTo(expected);
    }
  }

  @Test
  void theTableIsCutAtItsBucketsAndCarriesItsLayout() throws IOException {
    SpreadTable table = create("salt(6, device) + " + FIELDS);
    try (Admin admin = connection.getAdmin()) {
      List<String> starts =
          admin.getRegions(table.name()).stream()
              .map(region -> ByteText.hex(region.getStartKey()))
              .sorted()
              .toList();
      assertThat(starts).containsExactly("", "01", "02", "03", "04", "05");
      TableDescriptor descriptor = admin.getDescriptor(table.name());
      assertThat(descriptor.getValue(TableLayout.LAYOUT)).isEqualTo("salt(6, device) + " + FIELDS);
    }
    assertThat(tables.open(table.name()).layout()).isEqualTo(table.layout());
  }

  @Test
  void aReversedKeyIsReadBackInStoredOrderButNotAsARange() throws IOException {
    SpreadTable table = create("reverse(id:digits(6)) + device:string");
    Layout layout = table.layout();
    List<byte[]> expected = new ArrayList<>();
    try (SpreadMutator mutator = table.mutator()) {
      for (int i = 0; i < 200; i++) {
        byte[] key = layout.logicalKey(Values.of("id", i).and("device", "d"));
        expected.add(key);
        mutator.put(new Put(key).addColumn(FAMILY, QUALIFIER, FAMILY));
      }
    }
    assertThatThrownBy(() -> table.scan(KeyRange.all(), ScanOptions.all()))
        .isInstanceOf(UnorderedScanException.class)
        .hasMessageContaining(table.name().getNameAsString())
        .hasMessageContaining("reverse(id:digits(6))");
    List<byte[]> stored = keys(table.scanStored());
    stored.sort(Arrays::compareUnsigned);
    assertThat(hex(stored)).isEqualTo(hex(expected));
    KeyRange one = layout.where("id = 7").ranges().get(0);
    assertThat(hex(keys(table.scan(one, ScanOptions.all()))))
        .containsExactly(ByteText.hex(expected.get(7)));
    assertThat(table.get(new Get(expected.get(7))).getRow()).isEqualTo(expected.get(7));
  }

  @Test
  void aScannerIsDoneOnceItIsClosed() throws IOException {
    SpreadTable table = create("salt(16) + " + FIELDS);
    load(table, 500);
    ResultScanner scanner = table.scan(KeyRange.all(), ScanOptions.all());
    assertThat(scanner.next()).isNotNull();
    scanner.close();
    assertThat(scanner.next()).isNull();
  }

  @Test
  void aRowTooLongForHBaseIsRefusedBeforeItIsSent() throws IOException {
    SpreadTable table = create("salt(16) + id:string");
    try (SpreadMutator mutator = table.mutator()) {
      Put longest = new Put(new byte[Short.MAX_VALUE]).addColumn(FAMILY, QUALIFIER, FAMILY);
      assertThatThrownBy(() -> mutator.put(longest))
          .hasMessageContaining("bytes=32768")
          .hasMessageContaining("HBase allows 32767");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"salt(16) + id:string", "id:string"})
  void theLongestRowIsReadAsItIsWritten(String line) throws IOException {
    SpreadTable table = create(line);
    int longest = Short.MAX_VALUE - table.layout().spread().width();
    String id = "q".repeat(longest);
    try (SpreadMutator mutator = table.mutator()) {
      for (int i = 0; i < 64; i++) {
        mutator.put(
            new Put(table.layout().logicalKey(Values.of("id", "p" + i)))
                .addColumn(FAMILY, QUALIFIER, FAMILY));
      }
    }
    // HBase's client does not find the region of so long a row, unless it knows it already.
    try (ResultScanner rows = table.scan(KeyRange.all(), ScanOptions.all())) {
      assertThat(rows).hasSize(64);
    }
    try (SpreadMutator mutator = table.mutator()) {
      mutator.put(
          new Put(table.layout().logicalKey(Values.of("id", id)))
              .addColumn(FAMILY, QUALIFIER, FAMILY));
    }
    String condition = "id = '" + id + "'";
    for (boolean reversed : new boolean[] {false, true}) {
      for (int limit : new int[] {0, 1}) {
        Selection selection = table.select().where(condition);
        selection = limit == 0 ? selection : selection.limit(limit);
        try (KeyedRows rows = (reversed ? selection.reversed() : selection).open()) {
          KeyedRow row = rows.next();
          assertThat(row).isNotNull();
          assertThat(row.get("id")).isEqualTo(id);
          assertThat(rows.next()).isNull();
        }
      }
    }
  }

  /**
   * HBase's client throws for such a row at first, and later waits for ever. It writes the row only
   * where it knows the region.
   */
  @Test
  void theLongestRowIsFoundByAClientThatKnowsNoRegion() throws IOException {
    SpreadTable table = create("salt(16) + id:string");
    int longest = Short.MAX_VALUE - table.layout().spread().width();
    byte[] key = table.layout().logicalKey(Values.of("id", "q".repeat(longest)));
    try (RegionLocator regions = connection.getRegionLocator(table.name());
        SpreadMutator mutator = table.mutator()) {
      assertThat(regions.getAllRegionLocations()).isNotEmpty();
      mutator.put(new Put(key).addColumn(FAMILY, QUALIFIER, FAMILY));
    }
    KeyRange only = KeyRange.of(key, KeyRange.successor(key));
    try (Connection fresh = ConnectionFactory.createConnection(connection.getConfiguration());
        SpreadTables others = SpreadTables.on(fresh);
        ResultScanner rows = others.open(table.name()).scan(only, ScanOptions.all())) {
      assertThat(rows).hasSize(1);
    }
  }

  @Test
  void aTableWithoutALayoutOrOfANewerFormatIsNotOpened() throws IOException {
    TableName plain = TableName.valueOf(test + "_plain");
    TableName newer = TableName.valueOf(test + "_newer");
    try (Admin admin = connection.getAdmin()) {
      TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(plain);
      builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"));
      admin.createTable(builder.build());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(newer)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .setValue(TableLayout.LAYOUT, "salt(16) + something:new")
              .setValue(TableLayout.FORMAT, "3")
              .build());
    }
    assertThatThrownBy(() -> tables.open(plain))
        .isInstanceOf(TableLayoutException.class)
        .hasMessageContaining("table without a layout: table=" + plain);
    assertThatThrownBy(() -> tables.open(newer))
        .isInstanceOf(TableLayoutException.class)
        .hasMessageContaining("found=3 understood=1,2");
    assertThatThrownBy(() -> tables.open(TableName.valueOf("nowhere")))
        .isInstanceOf(TableNotFoundException.class);
  }
}
