package io.evenkey.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.filter.UnsupportedFilterException;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedHBaseExtension.class)
class MetersIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void listen() {
    Metrics.addRegistry(registry);
  }

  @AfterEach
  void stop() {
    Metrics.removeRegistry(registry);
  }

  private double operations(String table, String operation) {
    return registry
        .get("evenkey.operations")
        .tag("table", table)
        .tag("operation", operation)
        .functionCounter()
        .count();
  }

  @Test
  void clientsCountWhatTheyDo(Connection plain) throws Exception {
    TableName name = TableName.valueOf("meters");
    Layout layout = Layout.parse("salt(4) + key:bytes");
    try (SpreadTables tables = SpreadTables.on(plain)) {
      tables.create(name, layout, layout.splits(2), List.of("d"));
    }
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    double returnedBefore = returned();
    try (Connection dropIn = ConnectionFactory.createConnection(configuration);
        Table table = dropIn.getTable(name)) {
      for (int i = 0; i < 1_000; i++) {
        table.put(new Put(Bytes.toBytes("k" + i)).addColumn(FAMILY, FAMILY, FAMILY));
      }
      table.get(List.of(new Get(Bytes.toBytes("k1")), new Get(Bytes.toBytes("k2"))));
      table.delete(new Delete(Bytes.toBytes("k1")));
      try (ResultScanner rows = table.getScanner(new Scan().setLimit(10))) {
        assertThat(rows.next(20)).hasSize(10);
      }
      Scan refused = new Scan().setFilter(new OwnFilter());
      assertThatThrownBy(() -> table.getScanner(refused))
          .isInstanceOf(UnsupportedFilterException.class);
    }

    assertThat(operations("meters", "put")).isEqualTo(1_000);
    assertThat(operations("meters", "get")).isEqualTo(2);
    assertThat(operations("meters", "delete")).isEqualTo(1);
    assertThat(operations("meters", "append")).isZero();
    assertThat(registry.get("evenkey.writes.skew").tag("table", "meters").gauge().value())
        .isCloseTo(1, within(0.2));
    assertThat(registry.get("evenkey.scan.fanout").summary().max()).isEqualTo(4);
    assertThat(returned() - returnedBefore).isEqualTo(10);
    assertThat(registry.get("evenkey.scan.rows.fetched").functionCounter().count())
        .isGreaterThanOrEqualTo(returned());
    assertThat(registry.get("evenkey.refused").tag("operation", "filter").counter().count())
        .isPositive();
  }

  /** One that nobody knows. */
  private static final class OwnFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  private double returned() {
    ScanMeters.returned(0);
    return registry.get("evenkey.scan.rows.returned").functionCounter().count();
  }
}
