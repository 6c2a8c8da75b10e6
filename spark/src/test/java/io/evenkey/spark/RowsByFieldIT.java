/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
class RowsByFieldIT {
  private static final String LINE = "salt(8, device) + device:string + ts:int64 desc";
  private static final byte[] FAMILY = Bytes.toBytes("d");

  @Test
  void sparkReadsAndWritesSpreadTables(Connection connection) throws Exception {
    Layout layout = Layout.parse(LINE);
    Layout counts = Layout.parse("salt(4) + device:string");
    Map<String, Long> expected = new TreeMap<>();
    SparkConf settings =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("evenkey")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1");
    try (SpreadTables tables = SpreadTables.on(connection);
        JavaSparkContext spark = new JavaSparkContext(settings)) {
      SpreadTable from =
          tables.create(TableName.valueOf("spark_from"), layout, layout.splits(4), List.of("d"));
      SpreadTable into =
          tables.create(TableName.valueOf("spark_into"), counts, counts.splits(2), List.of("d"));
      try (SpreadMutator writer = from.mutator()) {
        for (long i = 0; i < 2_000; i++) {
          String device = "dev" + i % 37;
          byte[] key = layout.logicalKey(Values.of(Map.of("device", device, "ts", i)));
          writer.put(new Put(key).addColumn(FAMILY, FAMILY, Bytes.toBytes(i)));
          if (i >= 500 && i < 1_500) {
            expected.merge(device, 1L, Long::sum);
          }
        }
      }
      String where = "ts >= 500 and ts < 1500";

      assertThat(
              RowsByField.count(
                  spark, connection.getConfiguration(), from.name(), where, LINE, "device"))
          .isEqualTo(expected);

      RowsByField.countInto(
          spark, connection.getConfiguration(), from.name(), where, LINE, "device", into.name());
      Map<String, Long> written = new TreeMap<>();
      try (ResultScanner rows = into.scan(KeyRange.all(), ScanOptions.all())) {
        for (Result row = rows.next(); row != null; row = rows.next()) {
          written.put(
              Bytes.toString(row.getRow()),
              Bytes.toLong(row.getValue(FAMILY, Bytes.toBytes("rows"))));
        }
      }
      assertThat(written).isEqualTo(expected);
    }
  }
}
