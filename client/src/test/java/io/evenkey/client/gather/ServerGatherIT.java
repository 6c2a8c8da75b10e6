package io.evenkey.client.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.metrics.ScanMeters;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Short scans that region servers gather give what a sorted map gives. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ServerGatherIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS = 3_000;

  @Test
  void shortScansGiveTheFirstRowsInOrder(Connection connection) throws IOException {
    for (String line :
        List.of("salt(16) + n:int64", "salt(64, n) + n:int64", "md5(n)[0..2] + n:int64")) {
      TableName name = TableName.valueOf("gather_" + line.replaceAll("[^a-z0-9]", "_"));
      TreeMap<Long, Long> rows = new TreeMap<>();
      SplittableRandom random = new SplittableRandom(7);
      Layout layout = Layout.parse(line);
      try (SpreadTables tables = SpreadTables.on(connection)) {
        SpreadTable table = tables.create(name, layout, layout.splits(7), List.of("d"));
        try (SpreadMutator mutator = table.mutator()) {
          for (int i = 0; i < ROWS; i++) {
            long n = random.nextLong(100_000);
            rows.put(n, (long) i);
            mutator.put(
                new Put(layout.logicalKey(Values.of("n", n)))
                    .addColumn(FAMILY, FAMILY, i + 1L, Bytes.toBytes((long) i)));
          }
        }
      }
      Configuration dropIn = new Configuration(connection.getConfiguration());
      dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
      try (Connection own = ConnectionFactory.createConnection(dropIn);
          AsyncConnection async = FutureUtils.get(ConnectionFactory.createAsyncConnection(dropIn));
          Table table = own.getTable(name)) {
        long gathered = ScanMeters.gathered();
        long ungathered = ScanMeters.ungathered();
        for (int i = 0; i < 60; i++) {
          long from = random.nextLong(100_000);
          long to = from + random.nextLong(20_000) + 1;
          int limit = 1 + random.nextInt(i % 3 == 0 ? 500 : 12);
          boolean reversed = random.nextBoolean();
          List<Long> expected = new ArrayList<>();
          var part = rows.subMap(from, true, to, false);
          for (long n : reversed ? part.descendingKeySet() : part.keySet()) {
            if (expected.size() < limit) {
              expected.add(n);
            }
          }
          assertThat(scan(table, layout, from, to, limit, reversed))
              .as("%s from=%d to=%d limit=%d reversed=%s", line, from, to, limit, reversed)
              .isEqualTo(expected);
          List<Result> later =
              FutureUtils.get(
                  async.getTable(name).scanAll(scan(layout, from, to, limit, reversed)));
          assertThat(later.stream().map(row -> n(layout, row)).toList()).isEqualTo(expected);
        }
        // A region that moves, or a busy server, has the client gather.
        assertThat(ScanMeters.gathered() - gathered).as(line).isGreaterThan(100);
        assertThat(ScanMeters.gathered() - gathered + ScanMeters.ungathered() - ungathered)
            .as(line)
            .isEqualTo(120);
      }
    }
  }

  private static List<Long> scan(
      Table table, Layout layout, long from, long to, int limit, boolean reversed)
      throws IOException {
    List<Long> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan(layout, from, to, limit, reversed))) {
      for (Result row : scanner) {
        found.add(n(layout, row));
      }
    }
    return found;
  }

  private static long n(Layout layout, Result row) {
    return (Long) layout.decode(layout.physical(row.getRow())).get("n");
  }

  private static Scan scan(Layout layout, long from, long to, int limit, boolean reversed) {
    byte[] low = layout.logicalKey(Values.of("n", from));
    byte[] high = layout.logicalKey(Values.of("n", to));
    Scan scan = new Scan().setLimit(limit);
    return reversed
        ? scan.setReversed(true).withStartRow(high, false).withStopRow(low, true)
        : scan.withStartRow(low).withStopRow(high);
  }
}
