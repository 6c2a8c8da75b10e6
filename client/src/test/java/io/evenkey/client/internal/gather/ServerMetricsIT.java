/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the guard of region servers counts, under the names of {@code docs/observe.md}. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ServerMetricsIT {
  private static final String BEAN =
      "Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.Region."
          + "CP_io.evenkey.server.guard.LayoutGuard";
  private static final byte[] D = Bytes.toBytes("d");

  private static long metric(String name) throws JMException {
    try {
      return ((Number)
              ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(BEAN), name))
          .longValue();
    } catch (AttributeNotFoundException | InstanceNotFoundException e) {
      // Nothing has been counted yet.
      return 0;
    }
  }

  @Test
  void refusalsAndGathersAreInHBasesMetrics(Connection plain) throws Exception {
    TableName name = TableName.valueOf("serverMetrics");
    Layout layout = Layout.parse("salt(16) + n:int64");
    long refused = metric("RefusedForeign");
    long rows = metric("GatherRows");
    long gathers = metric("GatherTime_num_ops");
    try (SpreadTables tables = SpreadTables.on(plain);
        Table unstamped = plain.getTable(name)) {
      SpreadTable table = tables.create(name, layout, layout.splits(4), List.of("d"));
      for (long n = 0; n < 20; n++) {
        table.put(new Put(layout.logicalKey(Values.of("n", n))).addColumn(D, D, D));
      }
      assertThat(table.select().limit(10).stream()).hasSize(10);
      assertThatThrownBy(() -> unstamped.put(new Put(D).addColumn(D, D, D)))
          .hasMessageContaining("does not fit the table's layout");
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(metric("RefusedForeign")).isGreaterThan(refused);
              assertThat(metric("GatherRows")).isGreaterThanOrEqualTo(rows + 10);
              assertThat(metric("GatherTime_num_ops")).isGreaterThan(gathers);
            });
    assertThat(metric("GatherTime_max")).isPositive();
  }
}
