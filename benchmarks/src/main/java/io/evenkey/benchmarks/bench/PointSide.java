/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.report.heat.counters.WriteTrace;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;

/** A table, and the row key that an application writes for a key. Not thread-safe. */
final class PointSide implements Closeable {
  private final String name;
  private final Connection connection;
  private final CreatedTables created;
  private final Admin admin;
  private final Table table;
  private final BufferedMutator mutator;
  private final UnaryOperator<byte[]> row;
  private final ExecutorService writers = Executors.newFixedThreadPool(PointTask.THREADS);

  private PointSide(
      String name,
      Connection connection,
      CreatedTables created,
      TableDescriptor table,
      UnaryOperator<byte[]> row)
      throws IOException {
    this.name = name;
    this.connection = connection;
    this.created = created;
    this.admin = connection.getAdmin();
    this.table = connection.getTable(table.getTableName());
    this.mutator = connection.getBufferedMutator(table.getTableName());
    this.row = row;
  }

  /**
   * Creates the table and connects to it.
   *
   * @param splits its split keys, or null for one region
   * @param row maps a key to the row key that the application writes
   */
  static PointSide create(
      String name,
      Configuration configuration,
      TableDescriptor table,
      byte @Nullable [][] splits,
      UnaryOperator<byte[]> row)
      throws IOException {
    Connection connection = ConnectionFactory.createConnection(configuration);
    CreatedTables created = new CreatedTables(connection);
    try {
      created.create(table, splits);
      return new PointSide(name, connection, created, table, row);
    } catch (IOException | RuntimeException e) {
      try (connection) {
        created.drop();
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  String name() {
    return name;
  }

  /** Starts to count the table's writes. */
  WriteTrace trace() throws IOException {
    return WriteTrace.of(admin, table.getName());
  }

  private Put put(BenchRows rows, int number) {
    return HBaseTables.put(row.apply(rows.key(number)), rows.value(number));
  }

  /** Runs the task for these rows. */
  void run(PointTask task, BenchRows rows, int[] numbers) throws IOException {
    switch (task.how()) {
      case BUFFERED -> {
        for (int number : numbers) {
          mutator.mutate(put(rows, number));
        }
        mutator.flush();
      }
      case BUFFERED_TOGETHER -> {
        bufferTogether(rows, numbers);
        mutator.flush();
      }
      case PUT -> {
        for (int number : numbers) {
          table.put(put(rows, number));
        }
      }
      case PUT_LIST -> {
        for (int from = 0; from < numbers.length; from += PointTask.LIST) {
          List<Put> puts = new ArrayList<>(PointTask.LIST);
          for (int i = from; i < from + PointTask.LIST; i++) {
            puts.add(put(rows, numbers[i]));
          }
          table.put(puts);
        }
      }
      case GET -> {
        for (int number : numbers) {
          check(number, table.get(new Get(row.apply(rows.key(number)))));
        }
      }
      case GET_LIST -> {
        for (int from = 0; from < numbers.length; from += PointTask.LIST) {
          List<Get> gets = new ArrayList<>(PointTask.LIST);
          for (int i = from; i < from + PointTask.LIST; i++) {
            gets.add(new Get(row.apply(rows.key(numbers[i]))));
          }
          Result[] results = table.get(gets);
          for (int i = 0; i < results.length; i++) {
            check(numbers[from + i], results[i]);
          }
        }
      }
    }
  }

  /** Each thread buffers every eighth row. */
  private void bufferTogether(BenchRows rows, int[] numbers) throws IOException {
    List<CompletableFuture<Void>> threads = new ArrayList<>(PointTask.THREADS);
    for (int thread = 0; thread < PointTask.THREADS; thread++) {
      int first = thread;
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = first; i < numbers.length; i += PointTask.THREADS) {
                    mutator.mutate(put(rows, numbers[i]));
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              writers));
    }
    for (CompletableFuture<Void> thread : threads) {
      FutureUtils.get(thread);
    }
  }

  private void check(int number, Result result) throws IOException {
    byte[] value = result.getValue(HBaseTables.FAMILY, HBaseTables.QUALIFIER);
    if (value == null || value.length != BenchRows.VALUE_BYTES) {
      throw new IOException(name + " did not return the row that was written: row=" + number);
    }
  }

  @Override
  public void close() throws IOException {
    try (connection;
        admin;
        table) {
      writers.shutdown();
      try {
        mutator.close();
      } finally {
        created.drop();
      }
    }
  }
}
