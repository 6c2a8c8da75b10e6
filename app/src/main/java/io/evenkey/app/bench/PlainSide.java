package io.evenkey.app.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/** A table without a salt, cut into as many regions of as many rows, and HBase's own client. */
final class PlainSide implements Side {
  private static final TableName TABLE = TableName.valueOf("bench_plain");

  private final Connection connection;

  PlainSide(Configuration configuration) throws IOException {
    this.connection = ConnectionFactory.createConnection(configuration);
  }

  @Override
  public String name() {
    return "plain";
  }

  @Override
  public boolean can(Task task) {
    return true;
  }

  @Override
  public void fill(Rows rows, int buckets) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          HBaseTables.table(TABLE.getNameAsString()), HBaseTables.splits(rows, buckets));
    }
    HBaseTables.fill(connection, TABLE, rows);
  }

  @Override
  public RowScan scan(Task task, KeyRange range, boolean measured) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return new ResultScan(table.getScanner(HBaseTables.scan(task, range, measured)));
    }
  }

  @Override
  public void drop() throws IOException {
    HBaseTables.drop(connection, List.of(TABLE));
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
