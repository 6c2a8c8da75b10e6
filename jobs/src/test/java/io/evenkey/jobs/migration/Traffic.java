/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.jobs.schedule.Milliseconds;
import io.evenkey.layout.bytes.ByteText;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write to a table while it is migrated, and know what the servers acknowledged:
 * chains of rows that lead from one to the one before, rows that are written over and deleted,
 * counters, values that only change from one to the next, and versions at explicit times. Each
 * client reads what it has written, too.
 */
final class Traffic implements Closeable {
  /** The family that clients write to. */
  static final ColumnFamilyDescriptor FAMILY =
      ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("d"))
          .setMaxVersions(Integer.MAX_VALUE)
          .build();

  private static final byte[] F = Bytes.toBytes("d");
  private static final byte[] LINK = Bytes.toBytes("link");
  private static final byte[] VALUE = Bytes.toBytes("value");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] STEP = Bytes.toBytes("step");
  private static final int OWN_ROWS = 12;
  private static final int SHARED_ROWS = 3;

  /** So short that a client which hangs fails its test. */
  private static final int OPERATION_MS = 60_000;

  /** Else a few clients take all of a small machine, and a migration none of it. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A round asks for each shared row: with 20 ms, it took a sixth of the processors' time. */
  private static final long READ_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Configuration configuration;
  private final TableName table;
  private final String prefix;
  private final List<Client> clients = new ArrayList<>();
  private final Map<String, AtomicLong> counted = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> maybeCounted = new ConcurrentHashMap<>();
  private final AtomicLong readRows = new AtomicLong();
  private @Nullable Thread reader;
  private volatile boolean over;
  private volatile @Nullable Throwable wrong;

  Traffic(Connection plain, TableName table) {
    this(plain.getConfiguration(), table, "", OPERATION_MS);
  }

  /**
   * Clients to rows of their own.
   *
   * @param prefix the prefix of the keys of all their rows
   * @param operationMs the longest time of an operation
   */
  Traffic(Configuration plain, TableName table, String prefix, int operationMs) {
    this.configuration = new Configuration(plain);
    this.prefix = prefix;
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, operationMs);
    this.table = table;
  }

  /** One more client, which begins at once. */
  Client start(long seed) throws IOException {
    Client client = new Client(clients.size(), seed);
    clients.add(client);
    client.start();
    return client;
  }

  /**
   * A client that only reads what the others count up. No answer may be less than what was
   * acknowledged to any client, or read, before it asked.
   */
  void startReader() {
    reader = new Thread(this::read, "reader");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    Map<String, Long> seen = new HashMap<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table open = connection.getTable(table)) {
      while (!over) {
        for (int i = 0; i < SHARED_ROWS; i++) {
          read(open, i, seen);
        }
        LockSupport.parkNanos(READ_PAUSE_NANOS);
      }
    } catch (IOException | RuntimeException | AssertionError e) {
      wrong = e;
    }
  }

  private void read(Table open, int i, Map<String, Long> seen) {
    Map<String, byte[]> columns = Map.of("count" + i, COUNT, "step" + i, STEP);
    Map<String, Long> least = new HashMap<>();
    columns.forEach(
        (name, column) -> least.put(name, Math.max(sure(name), seen.getOrDefault(name, 0L))));
    Result row;
    try {
      row = open.get(new Get(shared(i)));
    } catch (IOException e) {
      // It says that it has not read.
      return;
    }
    columns.forEach(
        (name, column) -> {
          long found = found(row, column);
          assertThat(found).as("%s to a reader", name).isGreaterThanOrEqualTo(least.get(name));
          seen.put(name, found);
        });
    readRows.incrementAndGet();
  }

  private long sure(String name) {
    return counted.getOrDefault(name, new AtomicLong()).get();
  }

  private static long found(Result row, byte[] column) {
    byte[] value = row.getValue(F, column);
    return value == null ? 0 : Bytes.toLong(value);
  }

  /** The number of rows that the reader has read. */
  long readRows() {
    return readRows.get();
  }

  Client client(int number) {
    return clients.get(number);
  }

  /** The number of clients that were started. */
  int clients() {
    return clients.size();
  }

  /** The number of acknowledged writes. */
  long written() {
    return clients.stream().mapToLong(client -> client.written.get()).sum();
  }

  void isWell() {
    assertThat(wrong).isNull();
  }

  /** Ends all clients, and compares what is there with the answers that they got. */
  void check() throws Exception {
    over = true;
    for (Client client : clients) {
      client.join();
    }
    if (reader != null) {
      reader.join();
    }
    isWell();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table open = connection.getTable(table)) {
      for (Client client : clients) {
        client.check(open);
      }
      for (int i = 0; i < SHARED_ROWS; i++) {
        Result row = open.get(new Get(shared(i)));
        check(row, COUNT, "count" + i);
        check(row, STEP, "step" + i);
      }
      int rows = 0;
      byte[] before = new byte[0];
      try (ResultScanner scanner = open.getScanner(new Scan())) {
        for (Result row : scanner) {
          assertThat(Bytes.compareTo(before, row.getRow())).isNegative();
          before = row.getRow();
          rows++;
        }
      }
      assertThat(rows).isGreaterThan(SHARED_ROWS);
    }
  }

  private void check(Result row, byte[] column, String name) {
    long found = found(row, column);
    long sure = sure(name);
    long most = sure + maybeCounted.getOrDefault(name, new AtomicLong()).get();
    assertThat(found).as(name).isBetween(sure, most);
  }

  private byte[] shared(int i) {
    return Bytes.toBytes(prefix + "shared-" + i);
  }

  private static void add(Map<String, AtomicLong> counts, String name) {
    counts.computeIfAbsent(name, ignored -> new AtomicLong()).incrementAndGet();
  }

  @Override
  public void close() {
    over = true;
  }

  /** One client: a connection of its own, and a thread. */
  final class Client extends Thread {
    private final int number;
    private final SplittableRandom random;
    private final AtomicLong written = new AtomicLong();

    /** The values that a row may have: one value, or two after a write of unknown outcome. */
    private final Map<String, List<@Nullable String>> own = new TreeMap<>();

    /** Rows of versions at explicit times: of long ago, and of an hour from now. */
    private final List<TimedVersions> versions;

    private @Nullable String last;
    private int links;
    private volatile boolean dead;

    Client(int number, long seed) {
      super("client-" + number);
      this.number = number;
      this.random = new SplittableRandom(seed);
      this.versions =
          List.of(
              new TimedVersions(prefix + "old-" + number, 1_000),
              new TimedVersions(
                  prefix + "future-" + number, System.currentTimeMillis() + 3_600_000));
      setDaemon(true);
    }

    /** Stops in the middle of whatever it does, and says nothing any more. */
    void die() {
      dead = true;
      interrupt();
    }

    @Override
    public void run() {
      try (Connection connection = ConnectionFactory.createConnection(configuration);
          Table open = connection.getTable(table)) {
        while (!over && !dead) {
          act(open);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      } catch (IOException | RuntimeException | AssertionError e) {
        if (!dead) {
          wrong = e;
        }
      }
    }

    private void act(Table open) throws IOException {
      switch (random.nextInt(7)) {
        case 6 -> versions.get(random.nextInt(versions.size())).change(open, random, written);
        case 0 -> link(open);
        case 1 -> count(open);
        case 2 -> step(open);
        case 3 -> delete(open);
        default -> write(open);
      }
    }

    private void link(Table open) throws IOException {
      String key = prefix + "chain-" + number + "-" + links;
      Put put = new Put(Bytes.toBytes(key));
      put.addColumn(F, LINK, Bytes.toBytes(last == null ? "" : last));
      try {
        open.put(put);
      } catch (IOException e) {
        links++;
        return;
      }
      written.incrementAndGet();
      last = key;
      links++;
    }

    private void write(Table open) throws IOException {
      String key = ownRow();
      String value = number + "-" + written.get() + "-" + random.nextInt(1_000);
      Put put = new Put(Bytes.toBytes(key)).addColumn(F, VALUE, Bytes.toBytes(value));
      change(open, key, value, random.nextInt(8) == 0 ? null : put);
    }

    private void delete(Table open) throws IOException {
      change(open, ownRow(), null, null);
    }

    private String ownRow() {
      return prefix + "own-" + number + "-" + random.nextInt(OWN_ROWS);
    }

    private void change(Table open, String key, @Nullable String value, @Nullable Put put)
        throws IOException {
      byte[] row = Bytes.toBytes(key);
      List<@Nullable String> before = own.getOrDefault(key, nothing());
      try {
        if (put != null) {
          open.put(put);
        } else if (value == null) {
          open.delete(
              random.nextBoolean() ? new Delete(row) : new Delete(row).addColumns(F, VALUE));
        } else {
          open.mutateRow(
              new RowMutations(row)
                  .add(List.of(new Put(row).addColumn(F, VALUE, Bytes.toBytes(value)))));
        }
      } catch (IOException e) {
        List<@Nullable String> either = new ArrayList<>(before);
        either.add(value);
        own.put(key, either);
        return;
      }
      if (value == null) {
        Milliseconds.awaitNext();
      }
      written.incrementAndGet();
      List<@Nullable String> now = new ArrayList<>();
      now.add(value);
      own.put(key, now);
      check(open, key);
    }

    private List<@Nullable String> nothing() {
      List<@Nullable String> nothing = new ArrayList<>();
      nothing.add(null);
      return nothing;
    }

    private void count(Table open) {
      int i = random.nextInt(SHARED_ROWS);
      try {
        open.increment(new Increment(shared(i)).addColumn(F, COUNT, 1));
        add(counted, "count" + i);
        written.incrementAndGet();
      } catch (IOException e) {
        add(maybeCounted, "count" + i);
      }
    }

    private void step(Table open) throws IOException {
      int i = random.nextInt(SHARED_ROWS);
      byte[] row = shared(i);
      byte[] now = open.get(new Get(row).addColumn(F, STEP)).getValue(F, STEP);
      long next = now == null ? 1 : Bytes.toLong(now) + 1;
      Put put = new Put(row).addColumn(F, STEP, Bytes.toBytes(next));
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
      CheckAndMutate step =
          (now == null ? check.ifNotExists(F, STEP) : check.ifEquals(F, STEP, now)).build(put);
      try {
        if (open.checkAndMutate(step).isSuccess()) {
          add(counted, "step" + i);
          written.incrementAndGet();
        }
      } catch (IOException e) {
        add(maybeCounted, "step" + i);
      }
    }

    private void check(Table open, String key) throws IOException {
      byte[] value = open.get(new Get(Bytes.toBytes(key))).getValue(F, VALUE);
      assertThat(own.get(key))
          .as("acknowledged to client " + number + " for row " + key)
          .contains(value == null ? null : Bytes.toString(value));
    }

    private void check(Table open) throws IOException {
      for (String key : own.keySet()) {
        check(open, key);
      }
      for (TimedVersions row : versions) {
        row.check(open);
      }
      int length = 0;
      for (String at = last; at != null && !at.isEmpty(); ) {
        byte[] link = open.get(new Get(Bytes.toBytes(at))).getValue(F, LINK);
        assertThat(link).as("link " + at + " " + ByteText.hex(Bytes.toBytes(at))).isNotNull();
        at = Bytes.toString(link);
        length++;
      }
      assertThat(length).isLessThanOrEqualTo(links);
    }
  }
}
