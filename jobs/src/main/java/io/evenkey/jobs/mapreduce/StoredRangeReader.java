/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.TableLayoutException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableRecordReader;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * HBase's reader of a range of stored rows, as long as the table is what it was when the job made
 * the range. A region server with the guard refuses others' scans by itself; one without would give
 * rows of another layout. Not thread-safe.
 */
final class StoredRangeReader extends TableRecordReader {
  private final Connection connection;
  private final SpreadTables tables;
  private final TableName table;
  private final TableName generation;
  private final String layout;

  private StoredRangeReader(
      Connection connection, TableName table, TableName generation, String layout) {
    this.connection = connection;
    this.tables = SpreadTables.on(connection);
    this.table = table;
    this.generation = generation;
    this.layout = layout;
  }

  /**
   * Opens the reader of a split.
   *
   * @param plain the job's configuration, for connections of HBase's own
   */
  static StoredRangeReader open(EvenkeySplit split, Configuration plain) throws IOException {
    TableSplit range = (TableSplit) split.physical();
    TableName generation = range.getTable();
    Configuration unchecked = new Configuration(plain);
    // The rows are compared with the layout as they are read.
    unchecked.set(EvenkeyConnection.CHECK, "off");
    Connection connection = ConnectionFactory.createConnection(unchecked);
    try {
      StoredRangeReader reader =
          new StoredRangeReader(
              connection,
              TableName.valueOf(plain.get(TableInput.TABLE, generation.getNameAsString())),
              generation,
              split.layout());
      Scan scan = range.getScan();
      reader.setScan(scan.withStartRow(range.getStartRow()).withStopRow(range.getEndRow()));
      reader.setTable(connection.getTable(generation));
      return reader;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context)
      throws IOException, InterruptedException {
    tables.checkMade(table, generation, layout);
    try {
      super.initialize(split, context);
    } catch (DoNotRetryIOException e) {
      throw named(e);
    }
  }

  @Override
  public boolean nextKeyValue() throws IOException, InterruptedException {
    try {
      return super.nextKeyValue();
    } catch (DoNotRetryIOException e) {
      throw named(e);
    }
  }

  private IOException named(DoNotRetryIOException failure) {
    try {
      tables.checkMade(table, generation, layout);
    } catch (TableLayoutException e) {
      e.addSuppressed(failure);
      return e;
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  @Override
  public void close() {
    super.close();
    try {
      tables.close();
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
