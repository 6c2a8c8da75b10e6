/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(EmbeddedHBaseExtension.class)
class EvenkeyWriteIT {
  private static final Layout LAYOUT =
      Layout.parse("salt(4) + device:string + ts:timestamp desc + day:date + n:decimal");
  private static final String COLUMNS =
      "d:text=text, d:i16=i16:int16, d:i32=i32:int32, d:i64=i64:int64, d:f32=f32:float32,"
          + " e:f64=f64:float64, e:dec=dec:decimal, e:flag=flag:bool, e:raw=raw:bytes";
  private static final StructType SCHEMA =
      new StructType()
          .add("device", DataTypes.StringType)
          .add("ts", DataTypes.TimestampType)
          .add("day", DataTypes.DateType)
          .add("n", DataTypes.createDecimalType(38, 18))
          .add("text", DataTypes.StringType)
          .add("i16", DataTypes.ShortType)
          .add("i32", DataTypes.IntegerType)
          .add("i64", DataTypes.LongType)
          .add("f32", DataTypes.FloatType)
          .add("f64", DataTypes.DoubleType)
          .add("dec", DataTypes.createDecimalType(38, 18))
          .add("flag", DataTypes.BooleanType)
          .add("raw", DataTypes.BinaryType);

  private static LocalSpark spark;
  private static Connection connection;

  @TempDir private static Path work;

  @BeforeAll
  static void start(Connection shared) {
    connection = shared;
    spark = LocalSpark.on(shared);
  }

  @AfterAll
  static void close() {
    spark.close();
  }

  private static void create(String name) throws IOException {
    try (SpreadTables tables = SpreadTables.on(connection)) {
      tables.create(TableName.valueOf(name), LAYOUT, LAYOUT.splits(4), List.of("d", "e"));
    }
  }

  private static Dataset<Row> read(String name) {
    return spark.read(name).option("columns", COLUMNS).load();
  }

  private static Row row(int i) {
    boolean empty = i % 7 == 0;
    return RowFactory.create(
        "d" + i % 10,
        new Timestamp(1_700_000_000_000L + i),
        Date.valueOf("2026-01-01"),
        new BigDecimal(i + ".5").setScale(18),
        empty ? null : "t" + i,
        empty ? null : (Short) (short) i,
        empty ? null : (Integer) i,
        empty ? null : (Long) (long) i,
        empty ? null : (Float) (i / 2f),
        empty ? null : (Double) (i / 2.0),
        empty ? null : new BigDecimal("-" + i).setScale(18),
        empty ? null : (Boolean) (i % 2 == 0),
        empty ? null : new byte[] {(byte) i});
  }

  private static Dataset<Row> rows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(i));
    }
    return spark.session().createDataFrame(rows, SCHEMA).repartition(3);
  }

  private static List<String> shown(Dataset<Row> rows) {
    return rows.withColumn("raw", functions.hex(functions.col("raw"))).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsThatAreWrittenAreReadAgain(boolean bulk) throws Exception {
    String name = "spark_write_" + bulk;
    create(name);
    Dataset<Row> written = rows(300);
    spark
        .write(written, name)
        .option("columns", COLUMNS)
        .option("bulk", bulk)
        .option("work", work.toUri().toString())
        .mode("append")
        .save();
    assertThat(shown(read(name))).isEqualTo(shown(written));
    assertStoredUnderTheirSalt(name, 300);
    assertThat(work).isEmptyDirectory();
  }

  private static void assertStoredUnderTheirSalt(String name, int rows) throws IOException {
    int stored = 0;
    try (Table table = connection.getTable(TableName.valueOf(name));
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        assertThat(LAYOUT.physical(LAYOUT.logical(row.getRow()))).isEqualTo(row.getRow());
        stored++;
      }
    }
    assertThat(stored).isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void taskThatFailsIsRunAgainAndRowsAreThereOnce(boolean bulk) throws Exception {
    String name = "spark_retry_" + bulk;
    create(name);
    Dataset<Row> rows = rows(200);
    UDF1<String, String> flaky =
        text -> {
          if (TaskContext.get().attemptNumber() == 0 && "t150".equals(text)) {
            throw new IllegalStateException("first attempt");
          }
          return text;
        };
    Dataset<Row> failing =
        rows.withColumn(
            "text", functions.udf(flaky, DataTypes.StringType).apply(functions.col("text")));
    spark
        .write(failing, name)
        .option("columns", COLUMNS)
        .option("bulk", bulk)
        .option("work", work.toUri().toString())
        .mode("append")
        .save();
    assertThat(shown(read(name))).isEqualTo(shown(rows));
    assertStoredUnderTheirSalt(name, 200);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nullInTheKeyNamesColumnAndRow(boolean bulk) throws Exception {
    String name = "spark_null_" + bulk;
    create(name);
    Dataset<Row> rows =
        rows(20)
            .withColumn(
                "ts", functions.when(functions.col("i32").notEqual(8), functions.col("ts")));
    assertThatThrownBy(
            () ->
                spark
                    .write(rows.where("i32 = 8"), name)
                    .option("columns", COLUMNS)
                    .option("bulk", bulk)
                    .option("work", work.toUri().toString())
                    .mode("append")
                    .save())
        .hasStackTraceContaining("row that has no key: column=ts row={device=d8, ts=null,")
        .hasStackTraceContaining("problem=null in a field of the key");
    assertThat(read(name).count()).isZero();
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void bulkWriteLoadsAllRowsOrNone() throws Exception {
    create("spark_bulk_none");
    Dataset<Row> rows =
        rows(100)
            .withColumn(
                "device",
                functions.when(functions.col("i32").notEqual(50), functions.col("device")));
    assertThatThrownBy(
            () ->
                spark
                    .write(rows, "spark_bulk_none")
                    .option("columns", COLUMNS)
                    .option("bulk", true)
                    .option("work", work.toUri().toString())
                    .mode("append")
                    .save())
        .hasStackTraceContaining("column=device");
    assertThat(read("spark_bulk_none").count()).isZero();
    assertThat(work).isEmptyDirectory();
  }

  @Test
  void bulkWriteMakesRowsOfTheSameKeyOne() throws Exception {
    create("spark_bulk_twice");
    Dataset<Row> rows = rows(50);
    spark
        .write(rows.union(rows).repartition(4), "spark_bulk_twice")
        .option("columns", COLUMNS)
        .option("bulk", true)
        .option("work", work.toUri().toString())
        .mode("append")
        .save();
    assertThat(shown(read("spark_bulk_twice"))).isEqualTo(shown(rows));
  }

  @Test
  void rowWithoutAValueIsARow() throws Exception {
    create("spark_keys");
    Dataset<Row> keys = rows(20).select("device", "ts", "day", "n");
    spark.write(keys, "spark_keys").mode("append").save();
    assertThat(spark.read("spark_keys").load().count()).isEqualTo(20);
    assertThat(read("spark_keys").where("text is null").count()).isEqualTo(20);
  }

  @Test
  void columnsThatDoNotFitAreRefused() throws Exception {
    create("spark_columns");
    assertThatThrownBy(() -> spark.write(rows(1), "spark_columns").mode("append").save())
        .hasMessageContaining("text");
    assertThatThrownBy(
            () ->
                spark
                    .write(rows(1).drop("device"), "spark_columns")
                    .option("columns", COLUMNS)
                    .mode("append")
                    .save())
        .hasMessageContaining("device");
    assertThat(read("spark_columns").count()).isZero();
  }

  @Test
  void overwriteIsRefused() throws Exception {
    create("spark_overwrite");
    Dataset<Row> rows = rows(1).select("device", "ts", "day", "n");
    assertThatThrownBy(() -> spark.write(rows, "spark_overwrite").mode("overwrite").save())
        .hasMessageContaining("evenkey spark_overwrite")
        .hasMessageContaining("truncate");
  }

  @Test
  void layoutThatChoosesBucketsAtRandomIsRefused() throws Exception {
    Layout free = Layout.parse("salt(4, random) + device:string");
    try (SpreadTables tables = SpreadTables.on(connection)) {
      tables.create(TableName.valueOf("spark_free"), free, free.splits(2), List.of("d"));
    }
    assertThatThrownBy(
            () -> spark.write(rows(1).select("device"), "spark_free").mode("append").save())
        .hasMessageContaining("chooses the bucket of a row at random: table=spark_free");
  }

  @Test
  void bulkWriteWithoutADirectoryIsRefused() throws Exception {
    create("spark_no_work");
    assertThatThrownBy(
            () ->
                spark
                    .write(rows(1).select("device", "ts", "day", "n"), "spark_no_work")
                    .option("bulk", true)
                    .mode("append")
                    .save())
        .hasMessageContaining("no directory for HFiles: table=spark_no_work");
  }

  @Test
  void statementOfSqlInsertsRows() throws Exception {
    create("spark_insert");
    spark
        .session()
        .sql(
            "CREATE TEMPORARY VIEW inserted USING evenkey "
                + spark.options("spark_insert", "d:i32=i32:int32"));
    spark
        .session()
        .sql(
            "INSERT INTO inserted VALUES ('d1', timestamp'2026-01-01', date'2026-01-01', 1, 5),"
                + " ('d2', timestamp'2026-01-01', date'2026-01-01', 2.5, null)");
    assertThat(spark.session().sql("SELECT device, i32 FROM inserted ORDER BY 1").collectAsList())
        .containsExactly(RowFactory.create("d1", 5), RowFactory.create("d2", null));
  }
}
