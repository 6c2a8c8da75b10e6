/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** A table without a salt, with the same number of equal regions, and HBase's own client. */
final class PlainSide implements ComparedStore {
  private static final TableName TABLE = TableName.valueOf("bench_plain");

  private final DataBlockEncoding encoding;
  private final Connection connection;
  private final CreatedTables created;

  PlainSide(Configuration configuration, DataBlockEncoding encoding) throws IOException {
    this.encoding = encoding;
    this.connection = ConnectionFactory.createConnection(configuration);
    this.created = new CreatedTables(connection);
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
  public void fill(BenchRows rows, int buckets) throws IOException {
    created.create(
        HBaseTables.table(TABLE.getNameAsString(), encoding), HBaseTables.splits(rows, buckets));
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
    created.drop();
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      created.drop();
    }
  }
}
