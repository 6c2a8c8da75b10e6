/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.cluster.OrderJournal.Change;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An application as a process of its own: puts, changes and deletes orders by HBase's interfaces
 * until its standard input ends, as it does with the process that started it. One writer of four
 * has each order.
 */
final class OrderWriter {
  /** The exit code if the table has got another row key. */
  static final int REFUSED = 3;

  static final int WRITERS = 4;

  private static final int NEW_ORDERS = 2_000;

  // Two cores are shared with all servers. And HBase hides what is put in the millisecond of a
  // deletion.
  private static final long PAUSE_NANOS = 3_000_000;

  private final Table table;
  private final OrderKey key;
  private final OrderJournal journal;
  private final Random random;
  private final Map<Long, Order> orders = new HashMap<>();
  private int customers;
  private volatile boolean stopped;

  private OrderWriter(Table table, OrderKey key, OrderJournal journal, int number, int loaded) {
    this.table = table;
    this.key = key;
    this.journal = journal;
    this.random = new Random(number);
    for (long id = number; id < loaded; id += WRITERS) {
      orders.put(id, Order.loaded(id));
    }
  }

  /**
   * Writes.
   *
   * @param arguments the cluster's directory, the table, the number of its orders, the key by which
   *     this application names rows, the number of this writer, and the file of its journal
   */
  public static void main(String[] arguments) throws Exception {
    TableName name = TableName.valueOf(arguments[1]);
    int loaded = Integer.parseInt(arguments[2]);
    OrderKey key = OrderKey.valueOf(arguments[3]);
    int number = Integer.parseInt(arguments[4]);
    Configuration settings = SeparateCluster.attach(Path.of(arguments[0])).configuration();
    settings.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    if (key == OrderKey.BY_CUSTOMER) {
      // The release for the new key; the one before says nothing, as all applications.
      settings.set("evenkey.key." + name, key.fields());
    }
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Table table = connection.getTable(name);
        OrderJournal journal = OrderJournal.create(Path.of(arguments[5]))) {
      OrderWriter writer = new OrderWriter(table, key, journal, number, loaded);
      Thread watch = new Thread(writer::stopWithInput, "input-watch");
      watch.setDaemon(true);
      watch.start();
      while (!writer.stopped) {
        writer.write(
            (long) writer.random.nextInt((loaded + NEW_ORDERS) / WRITERS) * WRITERS + number);
        pause();
      }
    } catch (TableLayoutException e) {
      System.err.println(e.getMessage());
      System.exit(REFUSED);
    }
  }

  private void stopWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is sent.
      }
    } catch (IOException e) {
      // The same: there is no process to write for.
    }
    stopped = true;
  }

  private static void pause() {
    long end = System.nanoTime() + PAUSE_NANOS;
    for (long left = PAUSE_NANOS; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void write(long id) throws IOException {
    Order order = orders.get(id);
    if (order == null) {
      Order placed = new Order(id, nextCustomer(), "0");
      put(placed, placed.put(key));
    } else {
      switch (random.nextInt(8)) {
        case 0 -> delete(order);
        case 1, 2, 3 -> give(order.with(nextCustomer()), order);
        default -> change(order.withAmount(Integer.toString(random.nextInt(1_000))));
      }
    }
  }

  // Never one that an order had before: during a change of the row key no row can return to one.
  private String nextCustomer() {
    return String.format("c%02d-%d", random.nextInt(50), customers++);
  }

  private void give(Order given, Order before) throws IOException {
    if (key == OrderKey.BY_CUSTOMER) {
      delete(before);
      put(given, given.put(key));
    } else {
      put(
          given,
          new Put(key.of(given))
              .addColumn(Order.FAMILY, Order.CUSTOMER, Bytes.toBytes(given.customer())));
    }
  }

  private void change(Order changed) throws IOException {
    put(
        changed,
        new Put(key.of(changed))
            .addColumn(Order.FAMILY, Order.AMOUNT, Bytes.toBytes(changed.amount())));
  }

  private void put(Order order, Put put) throws IOException {
    journal.begins(new Change(order.id(), Optional.of(order)));
    table.put(put);
    journal.isDone();
    orders.put(order.id(), order);
  }

  private void delete(Order order) throws IOException {
    journal.begins(new Change(order.id(), Optional.empty()));
    table.delete(new Delete(key.of(order)));
    journal.isDone();
    orders.remove(order.id());
  }
}
