/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class EvenkeyDataSourceIT {
  private static final String TABLE = "spark_readings";
  private static final String COLUMNS = "d:amount=amount:float64, e:state=state";
  private static final Layout LAYOUT =
      Layout.parse("salt(4, device) + device:string + ts:timestamp desc");
  private static final int DEVICES = 10;
  private static final int READINGS = 30;

  private static LocalSpark spark;

  @BeforeAll
  static void write(Connection connection) throws Exception {
    try (SpreadTables tables = SpreadTables.on(connection)) {
      SpreadTable table =
          tables.create(TableName.valueOf(TABLE), LAYOUT, LAYOUT.splits(2), List.of("d", "e"));
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < DEVICES * READINGS; i++) {
        puts.add(put(i));
      }
      table.put(puts);
    }
    spark = LocalSpark.on(connection);
  }

  private static String device(int i) {
    return "d" + i % DEVICES;
  }

  private static long millis(int i) {
    return 1_700_000_000_000L + i / DEVICES;
  }

  /** Every third row has no amount, every fifth no state; every fifteenth none of both. */
  private static Put put(int i) {
    byte[] key = LAYOUT.logicalKey(Values.of(Map.of("device", device(i), "ts", millis(i))));
    Put put = new Put(key).addColumn(Bytes.toBytes("d"), Bytes.toBytes("large"), new byte[2_000]);
    if (i % 3 != 0) {
      put.addColumn(Bytes.toBytes("d"), Bytes.toBytes("amount"), Bytes.toBytes(i / 2.0));
    }
    if (i % 5 != 0) {
      put.addColumn(Bytes.toBytes("e"), Bytes.toBytes("state"), Bytes.toBytes("s" + i % 7));
    }
    return put;
  }

  private static Row expected(int i) {
    return RowFactory.create(
        device(i),
        new Timestamp(millis(i)),
        i % 3 == 0 ? null : (Double) (i / 2.0),
        i % 5 == 0 ? null : "s" + i % 7);
  }

  private static List<Row> expected() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < DEVICES * READINGS; i++) {
      rows.add(expected(i));
    }
    return rows;
  }

  @AfterAll
  static void close() {
    spark.close();
  }

  private static Dataset<Row> table() {
    return spark.read(TABLE).option("columns", COLUMNS).load();
  }

  @Test
  void columnsAreTheFieldsOfTheKeyAndThenTheMappedOnes() {
    assertThat(table().schema())
        .isEqualTo(
            new StructType()
                .add("device", DataTypes.StringType)
                .add("ts", DataTypes.TimestampType)
                .add("amount", DataTypes.DoubleType)
                .add("state", DataTypes.StringType));
  }

  @Test
  void readHasEveryRowOnceWithNullWhereThereIsNoCell() {
    assertThat(table().collectAsList()).containsExactlyInAnyOrderElementsOf(expected());
  }

  @Test
  void rowsAreTheSameWhicheverColumnsAreWanted() {
    int rows = DEVICES * READINGS;
    assertThat(table().count()).isEqualTo(rows);
    assertThat(table().select("ts").collectAsList()).hasSize(rows);
    assertThat(table().select("amount").collectAsList())
        .hasSize(rows)
        .filteredOn(row -> row.isNullAt(0))
        .hasSize(rows / 3);
    assertThat(table().where("state is null").count()).isEqualTo(rows / 5);
    assertThat(table().where("state is not null").count()).isEqualTo(rows - rows / 5);
    assertThat(table().where("amount > 10 and state = 's3'").count())
        .isEqualTo(expected().stream().filter(EvenkeyDataSourceIT::isLargeS3).count());
  }

  private static boolean isLargeS3(Row row) {
    return !row.isNullAt(2) && row.getDouble(2) > 10 && "s3".equals(row.get(3));
  }

  @Test
  void serversSendTheCellsOfWantedColumnsAlone(Connection connection) throws Exception {
    assertThat(sent("device")).isEqualTo("first key only");
    assertThat(plan(table().select("amount"))).contains("cells d:amount or first cell");
    assertThat(plan(table().where("amount > 10").select("device", "amount")))
        .contains("cells d:amount ");

    Scan keys = new Scan();
    new RequestedCells(List.of(), false).addTo(keys);
    assertThat(bytes(connection, keys)).isLessThan(DEVICES * READINGS * 100L);
    Scan all = new Scan();
    assertThat(bytes(connection, all)).isGreaterThan(DEVICES * READINGS * 2_000L);
  }

  private static String sent(String columns) {
    String plan = plan(table().select(columns));
    return plan.replaceAll("(?s).*, cells (.*) RuntimeFilters.*", "$1");
  }

  /** The bytes that servers send for a scan, as HBase's client counts them. */
  private static long bytes(Connection connection, Scan scan) throws Exception {
    scan.setScanMetricsEnabled(true);
    try (Table stored = connection.getTable(TableName.valueOf(TABLE));
        ResultScanner scanner = stored.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        assertThat(row.isEmpty()).isFalse();
      }
      return scanner.getScanMetrics().countOfBytesInResults.get();
    }
  }

  @Test
  void partitionIsTheBucketOfARegionInTheOrderOfItsKeys() {
    Dataset<Row> rows = table();
    List<List<Row>> partitions = rows.toJavaRDD().glom().collect();
    assertThat(partitions).hasSize(4);
    for (List<Row> partition : partitions) {
      assertThat(partition)
          .isSortedAccordingTo(
              (a, b) ->
                  a.getString(0).equals(b.getString(0))
                      ? b.getTimestamp(1).compareTo(a.getTimestamp(1))
                      : a.getString(0).compareTo(b.getString(0)));
    }
  }

  @Test
  void sparkDoesNotSortAPartitionAgain() {
    Dataset<Row> sorted = table().sortWithinPartitions("device");
    assertThat(plan(sorted)).doesNotContain("Sort ");
    assertThat(plan(table().sortWithinPartitions("ts"))).contains("Sort ");
    assertThat(plan(table().select("ts").sortWithinPartitions("ts"))).contains("Sort ");
  }

  @Test
  void manyValuesAreFewPartitions() {
    Dataset<Row> some = table().where("device in ('d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7')");
    assertThat(some.toJavaRDD().getNumPartitions()).isLessThanOrEqualTo(4);
    assertThat(some.count()).isEqualTo(7 * READINGS);
  }

  @Test
  void conditionOnTheHashedFieldReadsOnePartition() {
    Dataset<Row> one = table().where("device = 'd3' and ts >= '2023-11-14 22:13:20.020'");
    assertThat(one.toJavaRDD().getNumPartitions()).isEqualTo(1);
    assertThat(one.count()).isEqualTo(10);
  }

  @Test
  void conditionThatNoRowFulfilsReadsNoPartition() {
    Dataset<Row> none = table().where("device > 'b' and device < 'a'");
    assertThat(none.toJavaRDD().getNumPartitions()).isZero();
    assertThat(none.count()).isZero();
  }

  @Test
  void limitReadsSoManyRowsOfAPartition() {
    assertThat(plan(table().limit(3))).contains("limit 3 per partition");
    assertThat(table().limit(3).collectAsList()).hasSize(3);
    // Spark evaluates this one, and does not know how many rows it drops.
    assertThat(plan(table().where("amount > 10").limit(3))).doesNotContain("per partition");
  }

  @Test
  void firstRowsInTheOrderOfTheKeyAreReadAlone() {
    Dataset<Row> first = table().orderBy("device").limit(40);
    assertThat(plan(first)).contains("limit 40 per partition");
    assertThat(first.collectAsList().stream().map(row -> row.getString(0)).distinct())
        .containsExactly("d0", "d1");
    assertThat(plan(table().orderBy("ts").limit(3))).doesNotContain("per partition");
    assertThat(plan(table().orderBy(functions.col("device").desc()).limit(3)))
        .doesNotContain("per partition");
  }

  @Test
  void viewOfSqlReadsTheTable() {
    spark
        .session()
        .sql("CREATE TEMPORARY VIEW readings USING evenkey " + spark.options(TABLE, COLUMNS));
    Row row =
        spark
            .session()
            .sql("SELECT count(*), count(amount), max(ts) FROM readings WHERE device = 'd4'")
            .first();
    assertThat(row)
        .isEqualTo(
            RowFactory.create(
                (long) READINGS,
                expected().stream().filter(r -> "d4".equals(r.get(0)) && !r.isNullAt(2)).count(),
                new Timestamp(millis(DEVICES * READINGS - 1))));
  }

  @Test
  void schemaOfTheUserIsASelectionOfColumns() {
    Dataset<Row> rows =
        spark.read(TABLE).option("columns", COLUMNS).schema("state string, device string").load();
    assertThat(rows.columns()).containsExactly("state", "device");
    assertThat(rows.where("device = 'd2'").count()).isEqualTo(READINGS);
  }

  @Test
  void schemaThatTheTableDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> spark.read(TABLE).schema("device string, color string").load())
        .hasMessageContaining("schema has a column that the table does not have: column=color");
    assertThatThrownBy(() -> spark.read(TABLE).schema("device int").load())
        .hasMessageContaining("column=device schema=INT table=STRING");
  }

  @Test
  void optionsThatAreWrongAreRefused() {
    assertThatThrownBy(() -> spark.session().read().format("evenkey").load())
        .hasMessageContaining("no table: set the option table");
    assertThatThrownBy(() -> spark.read(TABLE).option("colums", "d:a").load())
        .hasMessageContaining("unknown option: option=colums");
    assertThatThrownBy(() -> spark.read(TABLE).option("columns", "amount").load())
        .hasMessageContaining("not a column: amount");
    assertThatThrownBy(() -> spark.read(TABLE).option("columns", "d:a=device").load())
        .hasMessageContaining("two columns of one name: name=device");
    assertThatThrownBy(() -> spark.read(TABLE).option("columns", "f:a").load())
        .hasMessageContaining("column of a family that the table does not have: column=f:a");
  }

  @Test
  void tableWithoutALayoutIsRefused(Connection connection) throws Exception {
    TableName plain = TableName.valueOf("spark_plain");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(plain)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
    }
    assertThatThrownBy(() -> spark.read("spark_plain").load())
        .hasMessageContaining("spark_plain")
        .hasMessageContaining("layout");
  }

  @Test
  void valueOfAnotherTypeNamesColumnAndRow() {
    Dataset<Row> rows = spark.read(TABLE).option("columns", "d:amount=amount:int32").load();
    assertThatThrownBy(() -> rows.where("device = 'd1'").collectAsList())
        .hasStackTraceContaining("column=amount type=INT row=")
        .hasStackTraceContaining("8 bytes, not 4 as int32");
  }

  private static String plan(Dataset<Row> rows) {
    return rows.queryExecution().executedPlan().toString();
  }
}
