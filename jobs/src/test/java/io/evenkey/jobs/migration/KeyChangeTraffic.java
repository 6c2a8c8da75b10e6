/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Clients that put, change and delete orders, each by its own numbers, and the orders as they have
 * to be. A client that is refused because the row key was changed stops.
 */
final class KeyChangeTraffic implements AutoCloseable {
  static final Layout BY_NUMBER = Layout.parse("salt(4) + id:int64");
  static final Layout BY_CUSTOMER = Layout.parse("salt(3, customer) + customer:string + id:int64");
  static final String CUSTOMER_COLUMN = "customer=d:customer";

  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final int NUMBERS = 60;

  /** An order: its customer never has the order again once it was given to another one. */
  private record Order(String customer, String amount) {}

  private final TableName name;
  private final SpreadTables tables;
  private final Map<Long, Order> orders = new ConcurrentHashMap<>();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong customers = new AtomicLong();
  private final List<Thread> clients = new ArrayList<>();
  private volatile boolean closed;
  private volatile Throwable failure;

  KeyChangeTraffic(Connection plain, TableName name) {
    this.name = name;
    this.tables = SpreadTables.on(plain);
  }

  static byte[] key(long id) {
    return BY_NUMBER.logicalKey(Values.of(Map.of("id", id)));
  }

  static byte[] key(String customer, long id) {
    return BY_CUSTOMER.logicalKey(Values.of(Map.of("customer", customer, "id", id)));
  }

  static Put order(byte[] key, String customer, String amount) {
    return new Put(key)
        .addColumn(D, CUSTOMER, Bytes.toBytes(customer))
        .addColumn(D, AMOUNT, Bytes.toBytes(amount));
  }

  private String nextCustomer() {
    return "c" + customers.incrementAndGet();
  }

  void start(int client) {
    Thread thread = new Thread(() -> run(client), "orders-" + client);
    clients.add(thread);
    thread.start();
  }

  private void run(int client) {
    Random random = new Random(client);
    try {
      SpreadTable table = tables.open(name);
      while (!closed) {
        write(table, (long) client * NUMBERS + random.nextInt(NUMBERS), random);
        writes.incrementAndGet();
      }
    } catch (TableLayoutException e) {
      if (!e.getMessage().contains("row key of the table was changed by a migration")) {
        failure = e;
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  // The order is noted after it is acknowledged: a client that is refused has written nothing.
  private void write(SpreadTable table, long id, Random random) throws IOException {
    Order order = orders.get(id);
    byte[] key = key(id);
    if (order == null) {
      Order placed = new Order(nextCustomer(), "0");
      table.put(order(key, placed.customer, placed.amount));
      orders.put(id, placed);
    } else if (random.nextInt(4) == 0) {
      table.delete(new Delete(key));
      orders.remove(id);
      awaitNextMillisecond();
    } else if (random.nextBoolean()) {
      Order given = new Order(nextCustomer(), order.amount);
      table.put(new Put(key).addColumn(D, CUSTOMER, Bytes.toBytes(given.customer)));
      orders.put(id, given);
    } else {
      Order changed = new Order(order.customer, Integer.toString(random.nextInt(1_000)));
      table.put(new Put(key).addColumn(D, AMOUNT, Bytes.toBytes(changed.amount)));
      orders.put(id, changed);
    }
  }

  // HBase hides what is put in the millisecond of a deletion.
  private static void awaitNextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }

  long writes() {
    if (failure != null) {
      throw new AssertionError("a client failed", failure);
    }
    return writes.get();
  }

  /** Waits until all clients were refused. */
  void awaitRefusals() throws InterruptedException {
    for (Thread client : clients) {
      client.join(60_000);
      assertThat(client.isAlive()).as("a client goes on with the key before").isFalse();
    }
    writes();
  }

  /** Stops all clients. */
  @Override
  public void close() throws IOException {
    closed = true;
    try {
      for (Thread client : clients) {
        client.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tables.close();
  }

  /** Checks that a table has all orders, and no others, in the order of its key. */
  void check(SpreadTable table) throws IOException {
    boolean byCustomer = table.layout().key().indexOf("customer") >= 0;
    Map<Long, Order> found = new TreeMap<>();
    byte[] before = {};
    try (ResultScanner rows = table.scan(KeyRange.all(), new Scan())) {
      for (Result row : rows) {
        Values key = table.layout().decodeLogical(row.getRow());
        String customer = Bytes.toString(row.getValue(D, CUSTOMER));
        if (byCustomer) {
          assertThat(key.get("customer")).isEqualTo(customer);
        }
        assertThat(Bytes.compareTo(before, row.getRow())).isNegative();
        before = row.getRow();
        Order twice =
            found.put(
                (Long) key.get("id"), new Order(customer, Bytes.toString(row.getValue(D, AMOUNT))));
        assertThat(twice).as("order " + key.get("id") + " is there twice").isNull();
      }
    }
    assertThat(found).isEqualTo(new TreeMap<>(orders));
  }

  /** Puts an order by the key that a table has now. */
  void put(SpreadTable table, long id, String customer, String amount) throws IOException {
    table.put(order(key(customer, id), customer, amount));
    orders.put(id, new Order(customer, amount));
  }

  /** Gives an order to another customer, by the key with the customer. */
  void give(SpreadTable table, long id, String customer) throws IOException {
    Order order = orders.get(id);
    table.put(order(key(customer, id), customer, order.amount));
    table.delete(new Delete(key(order.customer, id)));
    orders.put(id, new Order(customer, order.amount));
  }

  /** Removes an order, by the key with the customer. */
  void remove(SpreadTable table, long id) throws IOException {
    table.delete(new Delete(key(orders.remove(id).customer, id)));
  }

  /** The number of an order that is there. */
  long any() {
    return orders.keySet().iterator().next();
  }

  String customerOf(long id) {
    return orders.get(id).customer;
  }
}
