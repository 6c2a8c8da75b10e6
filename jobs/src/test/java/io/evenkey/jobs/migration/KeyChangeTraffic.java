/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.jobs.history.Found;
import io.evenkey.jobs.history.History;
import io.evenkey.jobs.history.Read;
import io.evenkey.jobs.history.Verdict;
import io.evenkey.jobs.history.Write;
import io.evenkey.jobs.schedule.Milliseconds;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Clients that put, change and delete orders, each by its own numbers, by the row key that the
 * table has, and clients that read all orders. All is recorded. A client that is refused because
 * the row key was changed opens the table again, and stops if that is refused, too.
 */
final class KeyChangeTraffic implements AutoCloseable {
  static final Layout BY_NUMBER = Layout.parse("salt(4) + id:int64");
  static final Layout BY_CUSTOMER = Layout.parse("salt(3, customer) + customer:string + id:int64");
  static final String CUSTOMER_COLUMN = "customer=d:customer";

  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] CUSTOMER = Bytes.toBytes("customer");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final int NUMBERS = 60;

  /** The first of the numbers that orders get from {@link #goBeyond} on. */
  static final int BEYOND = 100_000;

  private static final int RETURNING_CUSTOMERS = 4;

  /** A client waits for a migration that was killed in the write pause. */
  private static final int PATIENCE_MS = 300_000;

  /** Between two operations of a client, which leaves processor time to the table's servers. */
  private static final long WRITE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long READ_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** An order. */
  private record Order(String customer, String amount) {}

  private final TableName name;
  private final SpreadTables tables;
  private final Map<Long, Order> orders = new ConcurrentHashMap<>();

  /** Orders of which the last write has no answer: it may be done at any time. */
  private final Set<Long> unsure = ConcurrentHashMap.newKeySet();

  /** The customer by whom each order was last put, if its row is to stay where it is. */
  private final Map<Long, String> kept = new ConcurrentHashMap<>();

  private final boolean keepsKeys;
  private final Arrivals arrivals = new Arrivals();
  private final History history = new History();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong customers = new AtomicLong();
  private final List<Thread> clients = new ArrayList<>();
  private volatile boolean beyond;
  private volatile boolean closed;
  private volatile boolean dead;
  private volatile @Nullable Throwable failure;

  private KeyChangeTraffic(TableName name, SpreadTables tables, boolean keepsKeys) {
    this.name = name;
    this.tables = tables;
    this.keepsKeys = keepsKeys;
  }

  /** Clients that do not say which key they use: they stop when it is changed. */
  static KeyChangeTraffic byOneKey(Connection plain, TableName name) {
    return new KeyChangeTraffic(name, SpreadTables.on(plain), false);
  }

  /** Clients that go on by the other key when it is changed. */
  static KeyChangeTraffic byFields(Connection plain, TableName name) throws IOException {
    return new KeyChangeTraffic(name, tablesByFields(plain), false);
  }

  /** Clients that go on by the other key, and leave each order with its customer. */
  static KeyChangeTraffic keepingKeys(Connection plain, TableName name) throws IOException {
    return new KeyChangeTraffic(name, tablesByFields(plain), true);
  }

  /** What the writes of these clients give the table's peer. */
  Arrivals arrivals() {
    return arrivals;
  }

  /** The tables of an application that names rows by fields. */
  static SpreadTables tablesByFields(Connection plain) throws IOException {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(DeclaredKeys.OF_ALL_TABLES, DeclaredKeys.BY_FIELDS);
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, PATIENCE_MS);
    configuration.setInt("evenkey.migration.wait.ms", PATIENCE_MS);
    return SpreadTables.on(ConnectionFactory.createConnection(configuration));
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

  static boolean isByCustomer(SpreadTable table) {
    return table.layout().key().indexOf("customer") >= 0;
  }

  private static byte[] key(SpreadTable table, String customer, long id) {
    return isByCustomer(table) ? key(customer, id) : key(id);
  }

  /** What a client does with a table until it is closed. */
  @FunctionalInterface
  interface Work {
    void on(SpreadTable table) throws IOException;
  }

  /** Starts a client that writes. */
  void start(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int client = clients.size();
    begin(
        "orders-" + client,
        table -> {
          long first = beyond && random.nextBoolean() ? BEYOND : 0;
          change(table, first + (long) client * NUMBERS + random.nextInt(NUMBERS), random);
          LockSupport.parkNanos(WRITE_PAUSE_NANOS);
        });
  }

  /** From now on, clients write orders of later numbers as well. */
  void goBeyond() {
    beyond = true;
  }

  /** Starts a client that reads. */
  void startReader() {
    begin(
        "reader",
        table -> {
          read(table);
          LockSupport.parkNanos(READ_PAUSE_NANOS);
        });
  }

  /** Starts a client that works with the table again and again. */
  void begin(String client, Work work) {
    Thread thread = new Thread(() -> run(work), client);
    clients.add(thread);
    thread.start();
  }

  private void run(Work work) {
    try {
      while (!closed) {
        goOn(tables.open(name), work);
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      if (!dead && !says(e, "row key of the table was changed by a migration")) {
        failure = e;
      }
    }
  }

  private void goOn(SpreadTable table, Work work) throws IOException {
    try {
      while (!closed) {
        work.on(table);
      }
    } catch (IOException | UncheckedIOException e) {
      if (!says(e, "row key of the table was changed while the application used it")) {
        throw e;
      }
    }
  }

  private static boolean says(Throwable failure, String problem) {
    return failure.getMessage() != null && failure.getMessage().contains(problem);
  }

  private void change(SpreadTable table, long id, SplittableRandom random) throws IOException {
    Order order = orders.get(id);
    if (unsure.contains(id)) {
      return;
    }
    if (order == null) {
      put(table, id, nextCustomer(table, id, random), "0");
    } else if (random.nextInt(4) == 0) {
      remove(table, id);
    } else if (random.nextBoolean()) {
      String customer = nextCustomer(table, id, random);
      if (!isByCustomer(table)) {
        Put given = new Put(key(id)).addColumn(D, CUSTOMER, Bytes.toBytes(customer));
        write(id, new Order(customer, order.amount), () -> table.put(given));
      } else if (customer.equals(order.customer) || random.nextInt(4) == 0) {
        remove(table, id);
        put(table, id, customer, order.amount);
      } else {
        give(table, id, customer);
      }
    } else {
      String amount = Integer.toString(random.nextInt(1_000));
      Put changed =
          new Put(key(table, order.customer, id)).addColumn(D, AMOUNT, Bytes.toBytes(amount));
      write(id, new Order(order.customer, amount), () -> table.put(changed));
    }
  }

  // During the migration, a row cannot return to a key that it had. Afterwards it can.
  private String nextCustomer(SpreadTable table, long id, SplittableRandom random) {
    if (keepsKeys && isByCustomer(table)) {
      return kept.computeIfAbsent(id, first -> "c" + customers.incrementAndGet());
    }
    return isByCustomer(table)
        ? "returning" + random.nextInt(RETURNING_CUSTOMERS)
        : "c" + customers.incrementAndGet();
  }

  /** The requests of one write. */
  @FunctionalInterface
  private interface Requests {
    void send() throws IOException;
  }

  private void write(long id, @Nullable Order after, Requests requests) throws IOException {
    String value = after == null ? null : after.customer + " " + after.amount;
    if (after != null) {
      kept.put(id, after.customer);
    }
    arrivals.give("" + id, value);
    long begin = history.now();
    try {
      requests.send();
    } catch (IOException e) {
      history.add(new Write("" + id, value, begin, Write.OPEN));
      orders.remove(id);
      unsure.add(id);
      throw e;
    }
    history.add(new Write("" + id, value, begin, history.now()));
    if (after == null) {
      orders.remove(id);
    } else {
      orders.put(id, after);
    }
    writes.incrementAndGet();
  }

  /** Puts an order. */
  void put(SpreadTable table, long id, String customer, String amount) throws IOException {
    Put put = order(key(table, customer, id), customer, amount);
    write(id, new Order(customer, amount), () -> table.put(put));
  }

  /** Removes an order. */
  void remove(SpreadTable table, long id) throws IOException {
    Delete delete = new Delete(key(table, orders.get(id).customer, id));
    write(id, null, () -> table.delete(delete));
    Milliseconds.awaitNext();
  }

  /**
   * Gives an order to another customer, by the key with the customer: for a moment, both have it.
   */
  void give(SpreadTable table, long id, String customer) throws IOException {
    Order order = orders.get(id);
    Put given = order(key(customer, id), customer, order.amount);
    Delete gone = new Delete(key(order.customer, id));
    write(
        id,
        new Order(customer, order.amount),
        () -> {
          table.put(given);
          table.delete(gone);
        });
    Milliseconds.awaitNext();
  }

  /** The number of acknowledged writes. */
  long writes() {
    if (failure != null) {
      throw new AssertionError("a client failed", failure);
    }
    return writes.get();
  }

  /** Waits until clients have made so many more writes. */
  void awaitWrites(int more) {
    long before = writes();
    await().atMost(Duration.ofMinutes(2)).until(() -> writes() > before + more);
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
  void stop() throws InterruptedException {
    closed = true;
    for (Thread client : clients) {
      client.join();
    }
    writes();
  }

  /** Stops all clients in the middle of what they do. */
  void die() throws InterruptedException {
    writes();
    dead = true;
    closed = true;
    for (Thread client : clients) {
      client.interrupt();
    }
    for (Thread client : clients) {
      client.join();
    }
  }

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

  /**
   * Reads all orders, in the order of the table's key, and each by the key that its columns give.
   */
  private void read(SpreadTable table) throws IOException {
    long begin = history.now();
    List<Found> found = found(table);
    history.add(new Read(begin, history.now(), found));
  }

  static List<Found> found(SpreadTable table) throws IOException {
    boolean byCustomer = isByCustomer(table);
    List<Found> found = new ArrayList<>();
    byte[] before = {};
    try (ResultScanner rows = table.scan(KeyRange.all(), new Scan())) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        Values key = table.layout().decodeLogical(row.getRow());
        String customer = Bytes.toString(row.getValue(D, CUSTOMER));
        if (byCustomer) {
          assertThat(key.get("customer")).isEqualTo(customer);
        }
        assertThat(Bytes.compareTo(before, row.getRow())).isNegative();
        before = row.getRow();
        found.add(
            new Found(
                "" + key.get("id"), customer + " " + Bytes.toString(row.getValue(D, AMOUNT))));
      }
    }
    return found;
  }

  /**
   * Checks that a table has all orders, and no others, while no client writes; and that all reads
   * before had what they were to have.
   *
   * @return the number of orders that reads had to have
   */
  long check(SpreadTable table) throws IOException {
    read(table);
    Verdict verdict = history.verdict();
    assertThat(verdict.breaches()).isEmpty();
    return verdict.decided();
  }

  /** The number of an order that is there. */
  long any() {
    return orders.keySet().iterator().next();
  }
}
