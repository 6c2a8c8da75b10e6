/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Hand-written fan-out: an HBase scanner for each bucket of Evenkey's table, opened one after
 * another, and a priority queue of their next rows.
 */
final class NaiveSide implements ComparedStore {
  static final String NAME = "naive";

  private final Connection connection;
  private int buckets;

  NaiveSide(Configuration configuration) throws IOException {
    this.connection = ConnectionFactory.createConnection(configuration);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean can(Task task) {
    return !task.affine();
  }

  /** Reads the tables that Evenkey has written. */
  @Override
  public void fill(BenchRows rows, int count) {
    buckets = count;
  }

  @Override
  public RowScan scan(Task task, KeyRange range, boolean measured) throws IOException {
    try (Table table = connection.getTable(EvenkeySide.WHOLE)) {
      List<ResultScanner> scanners = new ArrayList<>(buckets);
      for (int bucket = 0; bucket < buckets; bucket++) {
        KeyRange physical = range.under(new byte[] {(byte) bucket});
        Scan scan = HBaseTables.scan(task, physical, measured);
        scanners.add(table.getScanner(scan));
      }
      return new Merge(scanners, task);
    }
  }

  /** The next row of a bucket. */
  private record Head(Result row, ResultScanner from) {}

  private static final class Merge implements RowScan {
    private static final int KEY_OFFSET = 1;

    private final List<ResultScanner> scanners;
    private final PriorityQueue<Head> heads;
    private long left;

    Merge(List<ResultScanner> scanners, Task task) throws IOException {
      this.scanners = scanners;
      int direction = task.reversed() ? -1 : 1;
      this.heads = new PriorityQueue<>((a, b) -> direction * compare(a.row, b.row));
      this.left = task.limit() == 0 ? Long.MAX_VALUE : task.limit();
      for (ResultScanner scanner : scanners) {
        add(scanner);
      }
    }

    private static int compare(Result a, Result b) {
      Cell x = a.rawCells()[0];
      Cell y = b.rawCells()[0];
      return Arrays.compareUnsigned(
          x.getRowArray(),
          x.getRowOffset() + KEY_OFFSET,
          x.getRowOffset() + x.getRowLength(),
          y.getRowArray(),
          y.getRowOffset() + KEY_OFFSET,
          y.getRowOffset() + y.getRowLength());
    }

    private void add(ResultScanner scanner) throws IOException {
      Result row = scanner.next();
      if (row != null) {
        heads.add(new Head(row, scanner));
      }
    }

    @Override
    public long next() throws IOException {
      Head first = left == 0 ? null : heads.poll();
      if (first == null) {
        return END;
      }
      left--;
      if (left > 0) {
        add(first.from);
      }
      return ResultScan.mixed(first.row, KEY_OFFSET);
    }

    @Override
    public @Nullable ScanMetrics metrics() {
      ScanMetrics sum = new ScanMetrics();
      for (ResultScanner scanner : scanners) {
        ScanMetrics metrics = scanner.getScanMetrics();
        if (metrics != null) {
          metrics.getMetricsMap(false).forEach(sum::addToCounter);
        }
      }
      return sum;
    }

    @Override
    public void close() {
      scanners.forEach(ResultScanner::close);
    }
  }

  @Override
  public void drop() {}

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
