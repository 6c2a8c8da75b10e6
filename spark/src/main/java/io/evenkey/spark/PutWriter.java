/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** Puts the rows of a task in batches. Not thread-safe. */
final class PutWriter implements DataWriter<InternalRow> {
  private final Closeable connection;
  private final SpreadMutator puts;
  private final RowEncoder encoder;

  /** The message that a task sends to the driver when it has put all of its rows. */
  record Done() implements WriterCommitMessage {}

  private PutWriter(Closeable connection, SpreadMutator puts, RowEncoder encoder) {
    this.connection = connection;
    this.puts = puts;
    this.encoder = encoder;
  }

  static PutWriter open(
      Configuration settings, TableName name, TableColumns columns, String anyFamily)
      throws IOException {
    Connection connection = ConnectionFactory.createConnection(settings);
    SpreadTables tables = SpreadTables.on(connection);
    Closeable both =
        () -> {
          try (connection) {
            tables.close();
          }
        };
    try {
      SpreadTable table = tables.open(name);
      RowEncoder encoder = new RowEncoder(table.layout().toString(), columns, anyFamily);
      return new PutWriter(both, table.mutator(), encoder);
    } catch (IOException | RuntimeException e) {
      try (both) {
        throw e;
      }
    }
  }

  @Override
  public void write(InternalRow row) throws IOException {
    puts.put(encoder.put(new Put(encoder.logicalKey(row)), encoder.cells(row)));
  }

  /** Returns when HBase has acknowledged all rows. */
  @Override
  public WriterCommitMessage commit() throws IOException {
    puts.flush();
    return new Done();
  }

  /** Leaves the rows that were put to the next attempt, which puts them again. */
  @Override
  public void abort() {}

  @Override
  public void close() throws IOException {
    try (connection) {
      puts.close();
    }
  }
}
