/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Flink SQL by Apache Flink's HBase connector, which passes {@code properties.*} on to HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
class FlinkIT {
  private static final int ROWS = 40;

  @Test
  void sqlSeesLogicalKeys(EmbeddedHBase hbase) throws Exception {
    SpreadRows rows = SpreadRows.create(hbase, "flink");
    TableEnvironment sql = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    declare(sql, "items", hbase, rows, "");
    declare(sql, "items_async", hbase, rows, ", 'lookup.async' = 'true'");

    String values =
        IntStream.range(0, ROWS)
            .mapToObj(i -> "('%s', ROW('v%d'))".formatted(SpreadRows.key(i), i))
            .collect(Collectors.joining(", "));
    sql.executeSql("INSERT INTO items VALUES " + values).await();
    rows.assertStored(SpreadRows.keys(0, ROWS));

    assertThat(column(sql, "SELECT rowkey FROM items"))
        .containsExactlyInAnyOrderElementsOf(SpreadRows.keys(0, ROWS));
    assertThat(column(sql, "SELECT rowkey FROM items WHERE rowkey BETWEEN 'row-10' AND 'row-19'"))
        .containsExactlyInAnyOrderElementsOf(SpreadRows.keys(10, 20));
    assertThat(column(sql, join("items_async"))).containsExactlyInAnyOrder("v7", "v21");

    // The connector's lookup that waits wants a table of HBase's own class.
    assertThatThrownBy(() -> column(sql, join("items")))
        .rootCause()
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("io.evenkey.client.internal.table.LogicalTable cannot be cast")
        .hasMessageContaining("org.apache.hadoop.hbase.client.HTable");
  }

  private static void declare(
      TableEnvironment sql, String name, EmbeddedHBase hbase, SpreadRows rows, String more) {
    Configuration settings = SpreadRows.settings(hbase);
    sql.executeSql(
        """
        CREATE TABLE %s (rowkey STRING, d ROW<q STRING>, PRIMARY KEY (rowkey) NOT ENFORCED) WITH (
          'connector' = 'hbase-2.2',
          'table-name' = '%s',
          'zookeeper.quorum' = '%s',
          'properties.hbase.zookeeper.property.clientPort' = '%s',
          'properties.hbase.client.connection.impl' = '%s',
          'properties.hbase.client.async.connection.impl' = '%s'%s)
        """
            .formatted(
                name,
                rows.name(),
                settings.get(HConstants.ZOOKEEPER_QUORUM),
                settings.get(HConstants.ZOOKEEPER_CLIENT_PORT),
                settings.get("hbase.client.connection.impl"),
                settings.get("hbase.client.async.connection.impl"),
                more));
  }

  /** Looks three rows up by their keys, one of which is not there. */
  private static String join(String table) {
    return """
    SELECT i.d.q
    FROM (SELECT k, PROCTIME() AS asked FROM (VALUES ('row-07'), ('row-21'), ('row-99')) AS t(k)) AS w
    JOIN %s FOR SYSTEM_TIME AS OF w.asked AS i ON i.rowkey = w.k
    """
        .formatted(table);
  }

  @SuppressWarnings("try") // the iterator's close may be interrupted
  private static List<String> column(TableEnvironment sql, String query) throws Exception {
    List<String> values = new ArrayList<>();
    try (CloseableIterator<Row> found = sql.executeSql(query).collect()) {
      found.forEachRemaining(row -> values.add((String) row.getField(0)));
    }
    return values;
  }
}
