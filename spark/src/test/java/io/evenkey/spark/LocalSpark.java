/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Spark in this process, and the data source on a test's HBase. To be closed. */
record LocalSpark(SparkSession session, Configuration hbase) implements AutoCloseable {
  private static final String[] SETTINGS = {
    HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.ZOOKEEPER_ZNODE_PARENT
  };

  static LocalSpark on(Connection connection) {
    // A task that fails is run again, as on a cluster.
    return on(connection, "local[2, 2]", Map.of());
  }

  /**
   * Spark with executors.
   *
   * @param settings of Spark, such as the jars that executors get
   */
  static LocalSpark on(Connection connection, String master, Map<String, Object> settings) {
    SparkSession session =
        SparkSession.builder()
            .master(master)
            .config(settings)
            .config("spark.executor.memory", "512m")
            .appName("evenkey")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "2")
            // To compile each small query takes longer than to run it.
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.sql.adaptive.enabled", "false")
            .getOrCreate();
    return new LocalSpark(session, connection.getConfiguration());
  }

  DataFrameReader read(String table) {
    DataFrameReader reader = session.read().format("evenkey").option("table", table);
    for (String setting : SETTINGS) {
      reader.option(setting, hbase.get(setting));
    }
    return reader;
  }

  DataFrameWriter<Row> write(Dataset<Row> rows, String table) {
    DataFrameWriter<Row> writer = rows.write().format("evenkey").option("table", table);
    for (String setting : SETTINGS) {
      writer.option(setting, hbase.get(setting));
    }
    return writer;
  }

  /** The same options as SQL spells them. */
  String options(String table, String columns) {
    StringBuilder options =
        new StringBuilder("OPTIONS (table '" + table + "', columns '" + columns + "'");
    for (String setting : SETTINGS) {
      options.append(", `").append(setting).append("` '").append(hbase.get(setting)).append("'");
    }
    return options.append(")").toString();
  }

  @Override
  public void close() {
    session.close();
  }
}
