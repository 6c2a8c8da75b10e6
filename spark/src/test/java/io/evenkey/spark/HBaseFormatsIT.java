/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableOutputFormat;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import scala.Tuple2;

/** HBase's own input and output formats in Spark, which know nothing of layouts. */
@ExtendWith(EmbeddedHBaseExtension.class)
class HBaseFormatsIT {
  private static final Layout LAYOUT = Layout.parse("salt(4) + key:bytes");
  private static final Layout OTHER = Layout.parse("salt(3) + key:bytes");

  @Test
  void tasksInOneProcessReadAndWriteByLogicalKeys(Connection connection) throws Exception {
    writeAndRead(connection, settings("local[2]"), TableName.valueOf("spark_local"));
  }

  @Test
  @Tag("long")
  void tasksOfExecutorsReadAndWriteByLogicalKeys(Connection connection) throws Exception {
    // Two workers of one core and 600 MB, each with an executor in a process of its own.
    SparkConf spark =
        settings("local-cluster[2,1,600]")
            .set("spark.executor.memory", "512m")
            .setJars(SparkHome.create().jarsToShip(HBaseFormatsIT.class));
    writeAndRead(connection, spark, TableName.valueOf("spark_executors"));
  }

  private static SparkConf settings(String master) {
    return new SparkConf()
        .setMaster(master)
        .setAppName("evenkey")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.driver.host", "127.0.0.1");
  }

  private static void writeAndRead(Connection connection, SparkConf spark, TableName name)
      throws Exception {
    Configuration settings = new Configuration(connection.getConfiguration());
    settings.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    settings.set("hbase.client.async.connection.impl", "io.evenkey.client.EvenkeyAsyncConnection");
    try (SpreadTables tables = SpreadTables.on(connection);
        JavaSparkContext context = new JavaSparkContext(spark)) {
      SpreadTable created = tables.create(name, LAYOUT, LAYOUT.splits(4), List.of("d"));

      Configuration output = new Configuration(settings);
      output.set(TableOutputFormat.OUTPUT_TABLE, name.getNameAsString());
      output.setClass(
          MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, TableOutputFormat.class, OutputFormat.class);
      context
          .parallelize(IntStream.range(0, 1_000).boxed().toList(), 3)
          .mapToPair(i -> new Tuple2<>(new ImmutableBytesWritable(), put(i)))
          .saveAsNewAPIHadoopDataset(output);

      Configuration input = new Configuration(settings);
      input.set(TableInputFormat.INPUT_TABLE, name.getNameAsString());
      JavaPairRDD<ImmutableBytesWritable, Result> all = rows(context, input);
      assertThat(all.getNumPartitions()).isEqualTo(4);
      assertThat(all.keys().map(HBaseFormatsIT::text).collect())
          .containsExactlyInAnyOrderElementsOf(keys(0, 1_000));
      for (List<String> partition : all.keys().map(HBaseFormatsIT::text).glom().collect()) {
        assertThat(partition).isNotEmpty().isSorted();
      }

      input.set(TableInputFormat.SCAN_ROW_START, "row-0250");
      input.set(TableInputFormat.SCAN_ROW_STOP, "row-0300");
      JavaPairRDD<ImmutableBytesWritable, Result> some = rows(context, input);
      assertThat(some.keys().map(HBaseFormatsIT::text).collect())
          .containsExactlyInAnyOrderElementsOf(keys(250, 300));
      assertStored(connection, created.name());

      try (Admin admin = connection.getAdmin()) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
      tables.create(name, OTHER, OTHER.splits(3), List.of("d"));
      // From its lineage, by splits of the table that was.
      assertThatThrownBy(some::count)
          .hasMessageContaining("layout=" + LAYOUT)
          .hasMessageContaining("layout_in_use=" + OTHER + "; ")
          .hasMessageContaining("begin the job again");
    }
  }

  private static void assertStored(Connection plain, TableName name) throws Exception {
    List<String> stored = new ArrayList<>();
    Set<Byte> salts = new HashSet<>();
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        byte[] logical = LAYOUT.logical(row.getRow());
        assertThat(LAYOUT.physical(logical)).isEqualTo(row.getRow());
        salts.add(row.getRow()[0]);
        stored.add(Bytes.toString(logical));
      }
    }
    assertThat(stored).containsExactlyInAnyOrderElementsOf(keys(0, 1_000));
    assertThat(salts).hasSize(4);
  }

  private static JavaPairRDD<ImmutableBytesWritable, Result> rows(
      JavaSparkContext context, Configuration input) {
    return context.newAPIHadoopRDD(
        input, TableInputFormat.class, ImmutableBytesWritable.class, Result.class);
  }

  // A static method, so that no test object is sent to tasks.
  private static Mutation put(int i) {
    return new Put(Bytes.toBytes(key(i)))
        .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes(i));
  }

  private static String text(ImmutableBytesWritable key) {
    return Bytes.toString(key.copyBytes());
  }

  private static List<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(HBaseFormatsIT::key).toList();
  }

  private static String key(int i) {
    return "row-%04d".formatted(i);
  }
}
