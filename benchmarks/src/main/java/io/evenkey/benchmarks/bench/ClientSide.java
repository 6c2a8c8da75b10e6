/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.internal.gather.Gather;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/**
 * Evenkey's table, read by a client that has no region server gather rows: as on servers without
 * Evenkey's module.
 */
final class ClientSide implements ComparedStore {
  static final String NAME = "client";

  private final Connection connection;

  ClientSide(Configuration configuration) throws IOException {
    Configuration alone = EvenkeySide.dropIn(configuration);
    alone.setBoolean(Gather.ON_SERVERS, false);
    this.connection = ConnectionFactory.createConnection(alone);
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
  public void fill(BenchRows rows, int buckets) {}

  @Override
  public RowScan scan(Task task, KeyRange range, boolean measured) throws IOException {
    try (Table table = connection.getTable(EvenkeySide.WHOLE)) {
      return new ResultScan(table.getScanner(HBaseTables.scan(task, range, measured)));
    }
  }

  @Override
  public void drop() {}

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
