/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Readers that scan between the boundaries of regions, as Flink's and Spark's connectors do. */
@ExtendWith(EmbeddedHBaseExtension.class)
class RegionRangesIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");

  @Test
  void scansBetweenRegionBoundariesGiveEachRowOnce(EmbeddedHBase hbase) throws Exception {
    SpreadRows rows = SpreadRows.create(hbase, "ranges");
    List<String> keys = new ArrayList<>(List.of("\0", "\1", "\1a", "\2", "\3z", "\4"));
    keys.addAll(SpreadRows.keys(0, 40));
    try (Connection connection = ConnectionFactory.createConnection(SpreadRows.settings(hbase));
        Table table = connection.getTable(rows.name());
        RegionLocator locator = connection.getRegionLocator(rows.name())) {
      for (String key : keys) {
        table.put(new Put(Bytes.toBytes(key)).addColumn(FAMILY, FAMILY, FAMILY));
      }
      Pair<byte[][], byte[][]> boundaries = locator.getStartEndKeys();
      assertThat(boundaries.getFirst().length).isEqualTo(4);
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < boundaries.getFirst().length; i++) {
        Scan scan =
            new Scan()
                .withStartRow(boundaries.getFirst()[i])
                .withStopRow(boundaries.getSecond()[i]);
        try (ResultScanner scanner = table.getScanner(scan)) {
          for (Result row : scanner) {
            seen.add(Bytes.toString(row.getRow()));
          }
        }
      }
      assertThat(seen).isEqualTo(keys);
    }
    rows.assertStored(keys);
  }
}
