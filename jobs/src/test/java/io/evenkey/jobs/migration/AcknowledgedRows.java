/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.failure.FencedException;
import io.evenkey.layout.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows in all regions of a table, whose values only grow, and what was acknowledged to the clients
 * that write them. Every reader of a row has to see no less than that: a client that writes, one
 * that has not used the table for a while, and one that uses it for the first time. Not
 * thread-safe.
 */
final class AcknowledgedRows implements Closeable {
  private static final byte[] D = LoadedTable.D;
  static final int ROWS = 12;

  private final Configuration configuration;
  private final TableName name;
  private final List<Connection> writing = new ArrayList<>();
  private final int[] writers = new int[ROWS];
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final long[] acknowledged = new long[ROWS];
  private long last;

  /**
   * Clients of a table, one to each bucket of the layout by which it is written: each of them
   * learns for itself that a region is closed.
   *
   * @param patience for how long an operation is repeated that is refused
   */
  AcknowledgedRows(Connection plain, TableName name, Layout layout, Duration patience)
      throws IOException {
    this.name = name;
    configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.setLong("evenkey.migration.wait.ms", patience.toMillis());
    for (int row = 0; row < ROWS; row++) {
      writers[row] = layout.physical(key(row))[0];
      while (writing.size() <= writers[row]) {
        writing.add(open());
      }
    }
  }

  private Connection open() throws IOException {
    return ConnectionFactory.createConnection(configuration);
  }

  private static byte[] key(int row) {
    return Bytes.toBytes("row-" + row);
  }

  /** Has clients read the table that do not use it again until they {@linkplain #read check it}. */
  void idle(int clients) throws IOException {
    for (int i = 0; i < clients; i++) {
      Connection connection = open();
      idle.add(connection);
      try (Table table = connection.getTable(name)) {
        table.get(new Get(key(0)));
      }
    }
  }

  /**
   * Writes all rows.
   *
   * @return how many of these writes were acknowledged
   */
  int write() throws IOException {
    int written = 0;
    last++;
    for (int row = 0; row < ROWS; row++) {
      try (Table table = writing.get(writers[row]).getTable(name)) {
        table.put(new Put(key(row)).addColumn(D, D, Bytes.toBytes(last)));
        acknowledged[row] = last;
        written++;
      } catch (FencedException e) {
        // It is not made.
      }
    }
    return written;
  }

  /**
   * Reads all rows by each kind of client; those that write read their own rows only.
   *
   * @return how many reads were refused for too long
   */
  int read() throws IOException {
    int refused = 0;
    for (int row = 0; row < ROWS; row++) {
      try (Table table = writing.get(writers[row]).getTable(name)) {
        refused += get(table, row, "the client that writes it");
      }
    }
    try (Connection first = open()) {
      refused += read(first, "a client that uses the table for the first time");
    }
    if (!idle.isEmpty()) {
      try (Connection before = idle.remove()) {
        refused += read(before, "a client that was idle");
      }
    }
    return refused;
  }

  private int read(Connection connection, String reader) throws IOException {
    int refused = 0;
    try (Table table = connection.getTable(name)) {
      for (int row = 0; row < ROWS; row++) {
        refused += get(table, row, reader);
      }
      int rows = 0;
      try (ResultScanner scanner =
          table.getScanner(new Scan().setStartStopRowForPrefixScan(Bytes.toBytes("row-")))) {
        for (Result result = scanner.next(); result != null; result = scanner.next()) {
          int row = Integer.parseInt(Bytes.toString(result.getRow()).substring("row-".length()));
          check(row, result, reader + " scans");
          rows++;
        }
        assertThat(rows).as(reader).isEqualTo(ROWS);
      } catch (FencedException e) {
        refused++;
      }
    }
    return refused;
  }

  private int get(Table table, int row, String reader) throws IOException {
    try {
      check(row, table.get(new Get(key(row))), reader + " gets");
      return 0;
    } catch (FencedException e) {
      return 1;
    }
  }

  private void check(int row, Result result, String reader) {
    byte[] value = result.getValue(D, D);
    assertThat(value == null ? 0 : Bytes.toLong(value))
        .as("%s row %d of %s", reader, row, name)
        .isGreaterThanOrEqualTo(acknowledged[row]);
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : idle) {
      connection.close();
    }
    for (Connection connection : writing) {
      connection.close();
    }
  }
}
