/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.validation;

import io.evenkey.advisor.evaluate.CostModel;
import io.evenkey.client.ScanOptions;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.gather.Gather;
import io.evenkey.client.internal.gather.Gathering;
import io.evenkey.client.select.SelectionExplanation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures the costs of reads on a cluster, on a temporary table of {@value #ROWS} small rows in
 * {@value #BUCKETS} buckets. The costs are medians, after a warm-up round. Stateless.
 */
public final class Calibration {
  private static final int ROWS = 100_000;
  private static final int BUCKETS = 16;
  private static final int GETS = 500;
  private static final int ROUNDS = 7;
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] VALUE = new byte[100];

  private Calibration() {}

  /** The name of this process's temporary table. */
  public static TableName table() {
    return TableName.valueOf("evenkey_calibration_" + ProcessHandle.current().pid());
  }

  /**
   * Measures.
   *
   * @param plain HBase's own connection; rows are physical
   * @param name the temporary table
   */
  public static CostModel of(Connection plain, TableName name) throws IOException {
    Layout layout = Layout.parse("salt(" + BUCKETS + ") + id:int64");
    Configuration ungathered = new Configuration(plain.getConfiguration());
    ungathered.setBoolean(Gather.ON_SERVERS, false);
    try (Connection other = ConnectionFactory.createConnection(ungathered);
        SpreadTables alone = SpreadTables.on(other);
        SpreadTables tables = SpreadTables.on(plain);
        Admin admin = plain.getAdmin()) {
      SpreadTable table = tables.create(name, layout, layout.splits(BUCKETS), List.of("d"));
      try {
        try (SpreadMutator writer = table.mutator()) {
          for (long id = 0; id < ROWS; id++) {
            writer.put(new Put(key(layout, id)).addColumn(FAMILY, FAMILY, VALUE));
          }
        }
        double get = median(GETS, i -> get(table, layout, i * (long) (ROWS / GETS)));
        SpreadTable ranges = alone.open(name);
        ScanOptions first = ScanOptions.all().atMost(1);
        double byRange = median(ROUNDS * 20, i -> read(ranges, first));
        double byServer = median(ROUNDS * 20, i -> read(table, first));
        SelectionExplanation firstRow = table.select().limit(1).explain();
        // A scan of the first row opens every bucket; its time beyond that of a get is theirs.
        double request = Math.max(0, byRange - get) / (BUCKETS - 1);
        double further = (firstRow.servers() - 1) * request;
        double forwards = median(ROUNDS, i -> read(table, ScanOptions.all()));
        double backwards = median(ROUNDS, i -> read(table, ScanOptions.all().backwards()));
        return new CostModel(
            get,
            request,
            firstRow.gathering().equals(Gathering.ON_SERVERS.code())
                ? Double.valueOf(Math.max(0, byServer - get - further) / BUCKETS)
                : null,
            forwards / ROWS,
            Math.max(1, backwards / forwards));
      } finally {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    }
  }

  private static byte[] key(Layout layout, long id) {
    return layout.logicalKey(Values.of("id", id));
  }

  private static void get(SpreadTable table, Layout layout, long id) throws IOException {
    if (table.get(new Get(key(layout, id))).isEmpty()) {
      throw new EvenkeyException(
          "row of the calibration is gone: table=" + table.name() + " id=" + id);
    }
  }

  private static void read(SpreadTable table, ScanOptions options) throws IOException {
    try (ResultScanner rows = table.scan(KeyRange.all(), options)) {
      while (rows.next() != null) {
        // Measured by the clock.
      }
    }
  }

  @FunctionalInterface
  private interface Work {
    void run(int round) throws IOException;
  }

  /** Milliseconds. */
  private static double median(int rounds, Work work) throws IOException {
    double[] times = new double[rounds];
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < rounds; i++) {
        long start = System.nanoTime();
        work.run(i);
        times[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    Arrays.sort(times);
    return times[rounds / 2];
  }
}
