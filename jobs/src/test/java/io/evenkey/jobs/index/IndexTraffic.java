/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.EvenkeyFailure;
import io.evenkey.client.future.Futures;
import io.evenkey.client.select.IndexedRows;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.jobs.index.history.Found;
import io.evenkey.jobs.index.history.History;
import io.evenkey.jobs.index.history.Read;
import io.evenkey.jobs.index.history.Verdict;
import io.evenkey.jobs.index.history.Write;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Clients of a table that gets and loses an index: four of them put and delete rows, each in its
 * own way, and one reads the whole index whenever it may. All is recorded.
 */
final class IndexTraffic implements AutoCloseable {
  static final Layout LAYOUT = Layout.parse("salt(4) + id:int64");
  static final byte[] D = Bytes.toBytes("d");
  static final byte[] CUSTOMER = Bytes.toBytes("customer");

  private static final int ROWS_OF_CLIENT = 150;
  private static final int CUSTOMERS = 7;

  private final TableName name;
  private final Connection connection;
  private final AsyncConnection async;
  private final SpreadTables tables;
  private final History history = new History();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  IndexTraffic(Connection plain, TableName name, SplittableRandom random) throws IOException {
    this.name = name;
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    this.connection = ConnectionFactory.createConnection(configuration);
    this.async = Futures.get(ConnectionFactory.createAsyncConnection(configuration));
    this.tables = SpreadTables.on(plain);
    Table table = connection.getTable(name);
    BufferedMutator mutator = connection.getBufferedMutator(name);
    start(0, random.split(), mutation -> mutate(table, mutation));
    start(1, random.split(), mutation -> table.batch(List.of(mutation), new Object[1]));
    start(
        2,
        random.split(),
        mutation -> {
          mutator.mutate(mutation);
          mutator.flush();
        });
    start(
        3,
        random.split(),
        mutation ->
            Futures.get(
                mutation instanceof Put put
                    ? async.getTable(name).put(put)
                    : async.getTable(name).delete((Delete) mutation)));
    begin(this::readAll);
  }

  private static void mutate(Table table, Mutation mutation) throws IOException {
    if (mutation instanceof Put put) {
      table.put(put);
    } else {
      table.delete((Delete) mutation);
    }
  }

  @FunctionalInterface
  private interface Client {
    void write(Mutation mutation) throws Exception;
  }

  private void start(int number, SplittableRandom random, Client client) {
    begin(
        () -> {
          while (!stopped.get()) {
            long id = (long) number * ROWS_OF_CLIENT + random.nextInt(ROWS_OF_CLIENT);
            write(id, random.nextInt(3) == 0, client);
          }
        });
  }

  private void write(long id, boolean deletes, Client client) throws Exception {
    byte[] row = LAYOUT.logicalKey(Values.of("id", id));
    String customer = "c" + id % CUSTOMERS;
    Mutation mutation =
        deletes ? new Delete(row) : new Put(row).addColumn(D, CUSTOMER, Bytes.toBytes(customer));
    long begin = history.now();
    client.write(mutation);
    history.add(new Write("" + id, deletes ? null : customer, begin, history.now()));
    writes.incrementAndGet();
  }

  private void readAll() throws IOException {
    while (!stopped.get()) {
      try {
        read();
      } catch (IOException e) {
        // It is not there yet, or not any more; or it was replaced.
        if (EvenkeyFailure.in(e).filter(known -> known.code().equals("index")).isEmpty()) {
          throw e;
        }
      }
    }
  }

  /** Reads the whole index once, and records that. */
  void read() throws IOException {
    List<Found> found = new ArrayList<>();
    long begin = history.now();
    try (IndexedRows rows = tables.open(name).select().by("by_customer").open()) {
      for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
        found.add(new Found("" + row.getLong("id"), row.getString("customer")));
      }
    }
    history.add(new Read(begin, history.now(), found));
    reads.incrementAndGet();
  }

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private void begin(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                failures.add(e);
              }
            });
    threads.add(thread);
    thread.start();
  }

  /** The number of writes that were acknowledged. */
  int writes() {
    return writes.get();
  }

  /** The number of whole reads. */
  int reads() {
    return reads.get();
  }

  /** Fails if a client has failed. */
  void isWell() {
    assertThat(failures).isEmpty();
  }

  /** Ends the clients. */
  void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Decides the reads by the writes. */
  Verdict verdict() {
    return history.verdict(
        Comparator.comparing(Found::value).thenComparing(found -> Long.parseLong(found.row())));
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tables.close();
    async.close();
    connection.close();
  }
}
