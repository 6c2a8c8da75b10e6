/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Executors that have Spark's own jars, the one of the data source, and HBase's shaded one. */
@Tag("long")
@ExtendWith(EmbeddedHBaseExtension.class)
class ShippedJarsIT {
  private static final TableIndex BY_NUMBER =
      TableIndex.parse("by_number events joining as \"salt(2) + n:int64\"");

  @TempDir private static Path work;

  @Test
  void executorsReadAndPutWithTheJarsThatAreShipped(Connection connection) throws Exception {
    writeAndRead(connection, "spark_shipped", Map.of("spark.jars", jars(",")), false);
  }

  @Test
  @Tag("deep")
  void executorsWriteFilesWithTheJarsOnTheirClassPath(Connection connection) throws Exception {
    writeAndRead(
        connection,
        "spark_class_path",
        Map.of("spark.executor.extraClassPath", jars(File.pathSeparator)),
        true);
  }

  private static void writeAndRead(
      Connection connection, String table, Map<String, Object> settings, boolean bulk)
      throws IOException {
    SparkHome.create();
    Layout layout = Layout.parse("salt(4) + name:string + n:int64");
    try (SpreadTables tables = SpreadTables.on(connection)) {
      tables.create(TableName.valueOf(table), layout, layout.splits(2), List.of("d"));
    }
    addIndex(connection, table);
    // Two workers of one core and 600 MB, each with an executor in a process of its own.
    try (LocalSpark spark = LocalSpark.on(connection, "local-cluster[2,1,600]", settings)) {
      Dataset<Row> rows =
          spark
              .session()
              .range(0, 400, 1, 3)
              .selectExpr("concat('n', id % 7) as name", "id as n", "id / 2.0D as half");
      spark
          .write(rows, table)
          .option("columns", "d:half=half:float64")
          .option("bulk", bulk)
          .option("work", work.toUri().toString())
          .mode("append")
          .save();
      Dataset<Row> read = spark.read(table).option("columns", "d:half=half:float64").load();
      assertThat(read.collectAsList()).containsExactlyInAnyOrderElementsOf(rows.collectAsList());
      assertThat(read.where("name = 'n3' and n < 100").count())
          .isEqualTo(rows.where("name = 'n3' and n < 100").count());
    }
    verifyIndex(connection, table);
  }

  private static void addIndex(Connection connection, String table) throws IOException {
    try (Registry registry = Registry.open(connection.getConfiguration())) {
      new IndexAddition(TableName.valueOf(table), BY_NUMBER, 0, 0)
          .run(connection, registry, IndexListener.NONE);
    }
  }

  private static void verifyIndex(Connection connection, String table) throws IOException {
    try (Registry registry = Registry.open(connection.getConfiguration())) {
      IndexReport report =
          IndexVerification.run(
              connection,
              registry,
              TableName.valueOf(table),
              BY_NUMBER.name(),
              false,
              IndexListener.NONE);
      assertThat(report.rows()).isEqualTo(400);
      assertThat(report.entries()).isEqualTo(400);
      assertThat(report.found().missing() + report.found().stale()).isZero();
    }
  }

  private static String jars(String between) throws IOException {
    try (Stream<Path> shipped = Files.list(Path.of(property("evenkey.spark.shipped")))) {
      return Stream.concat(Stream.of(property("evenkey.spark.jar")), shipped.map(Path::toString))
          .collect(Collectors.joining(between));
    }
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }
}
