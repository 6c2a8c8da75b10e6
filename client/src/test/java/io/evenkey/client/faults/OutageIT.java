/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * The work of clients while ZooKeeper or the master is down: as much as HBase's own client,
 * measured by turns. {@code -Devenkey.outage.seconds=300} makes it longer.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class OutageIT {
  private static final int SECONDS = Integer.getInteger("evenkey.outage.seconds", 4);
  private static final byte[] D = Bytes.toBytes("d");
  private static final Layout LAYOUT = Layout.parse("salt(4) + key:bytes");
  private static final int ROWS = 200;

  private static EmbeddedHBase hbase;

  private Configuration dropIn;
  private TableName spread;
  private TableName plain;
  private Connection ours;
  private Connection theirs;
  private AsyncConnection ourAsync;
  private AsyncConnection theirAsync;

  @BeforeAll
  static void start() throws IOException {
    hbase =
        EmbeddedHBase.temporary()
            .servers(2)
            .settings(Map.of(HConstants.ZK_SESSION_TIMEOUT, "600000"))
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    hbase.close();
  }

  @BeforeEach
  void open(TestInfo test) throws IOException {
    String name = test.getTestMethod().orElseThrow().getName();
    spread = TableName.valueOf(name);
    plain = TableName.valueOf(name + "_plain");
    create(spread, true);
    create(plain, false);
    dropIn = hbase.configuration();
    dropIn.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    dropIn.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    ours = ConnectionFactory.createConnection(dropIn);
    theirs = ConnectionFactory.createConnection(hbase.configuration());
    ourAsync = FutureUtils.get(ConnectionFactory.createAsyncConnection(dropIn));
    theirAsync = FutureUtils.get(ConnectionFactory.createAsyncConnection(hbase.configuration()));
    fill(ours, spread);
    fill(theirs, plain);
  }

  @AfterEach
  void close() throws IOException {
    ours.close();
    theirs.close();
    ourAsync.close();
    theirAsync.close();
  }

  private static void create(TableName name, boolean withLayout) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
            .build();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createTable(
          withLayout ? TableLayout.with(table, LAYOUT) : table, LAYOUT.splits(4).toArray());
    }
  }

  private static byte[] row(int i) {
    return new byte[] {(byte) (i % 4), (byte) i, 'k'};
  }

  private static Put put(int i) {
    return new Put(row(i % ROWS)).addColumn(D, D, Bytes.toBytes(i));
  }

  private static Get get(int i) {
    return new Get(row(i % ROWS));
  }

  private static void fill(Connection connection, TableName name) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(put(i));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  /** Some operations of one client. */
  @FunctionalInterface
  private interface Work {
    void make(int i) throws IOException;
  }

  private static Work of(Table table) {
    return i -> {
      table.put(put(i));
      assertThat(Bytes.toInt(table.get(get(i)).getValue(D, D))).isEqualTo(i);
    };
  }

  private static Work of(AsyncTable<?> table) {
    return i -> {
      FutureUtils.get(table.put(put(i)));
      Result read = FutureUtils.get(table.get(get(i)));
      assertThat(Bytes.toInt(read.getValue(D, D))).isEqualTo(i);
    };
  }

  /**
   * The ratio of the rates of two clients.
   *
   * @param all by the time that all operations took
   * @param median by the median time of an operation, which other processes disturb less
   */
  private record Ratio(double all, double median) {
    static Ratio of(Work one, Work other, int seconds) throws IOException {
      List<Work> sides = List.of(one, other);
      List<List<Long>> nanos = List.of(new ArrayList<>(), new ArrayList<>());
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      for (int number = 0; number % 4 != 0 || System.nanoTime() < end; number++) {
        // A, B, B, A: what becomes slower with time becomes so for both.
        int side = number % 4 == 0 || number % 4 == 3 ? 0 : 1;
        long begun = System.nanoTime();
        sides.get(side).make(number);
        nanos.get(side).add(System.nanoTime() - begun);
      }
      return new Ratio(
          (double) sum(nanos.get(1)) / sum(nanos.get(0)),
          (double) median(nanos.get(1)) / median(nanos.get(0)));
    }

    private static long sum(List<Long> nanos) {
      return nanos.stream().mapToLong(Long::longValue).sum();
    }

    private static long median(List<Long> nanos) {
      return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.3f (median %.3f)", all, median);
    }
  }

  /** The rate of our client over that of HBase's own, once by each interface. */
  private Ratio[] measured(String without, int seconds) throws IOException {
    try (Table our = ours.getTable(spread);
        Table their = theirs.getTable(plain)) {
      Ratio[] ratios = {
        Ratio.of(of(our), of(their), seconds),
        Ratio.of(of(ourAsync.getTable(spread)), of(theirAsync.getTable(plain)), seconds)
      };
      System.out.printf(
          Locale.ROOT,
          "outage: without=%s seconds=%d rate over HBase's: synchronous=%s asynchronous=%s%n",
          without,
          seconds,
          ratios[0],
          ratios[1]);
      return ratios;
    }
  }

  private void compare(String without) throws IOException {
    for (Ratio ratio : measured(without, SECONDS)) {
      assertThat(ratio.median()).isGreaterThanOrEqualTo(0.5);
    }
    try (Table our = ours.getTable(spread)) {
      assertThat(rows(our)).isEqualTo(ROWS);
    }
    assertThat(FutureUtils.get(ourAsync.getTable(spread).scanAll(new Scan()))).hasSize(ROWS);
  }

  private static int rows(Table table) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  /** A table or connection that was not used before the outage. */
  private void otherTableIsFound(TableName other) throws IOException {
    try (Table table = ours.getTable(other)) {
      table.put(put(1));
      assertThat(rows(table)).isEqualTo(1);
    }
    FutureUtils.get(ourAsync.getTable(other).put(put(2)));
  }

  private TableName other() throws IOException {
    TableName other = TableName.valueOf(spread + "_other");
    create(other, true);
    return other;
  }

  @Tag("ci")
  @Test
  void operationsGoOnWithoutZooKeeper() throws IOException {
    measured("nothing", 2);
    TableName other = other();
    Configuration byServers = new Configuration(dropIn);
    byServers.set(
        HConstants.CLIENT_CONNECTION_REGISTRY_IMPL_CONF_KEY,
        "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    byServers.set(
        "hbase.client.bootstrap.servers",
        hbase.servers().stream()
            .map(server -> server.getAddress().toString())
            .collect(Collectors.joining(",")));
    hbase.stopZooKeeper();
    try {
      compare("ZooKeeper");
      otherTableIsFound(other);
      try (Connection opened = ConnectionFactory.createConnection(byServers);
          Table table = opened.getTable(spread)) {
        table.put(put(7));
        assertThat(table.get(get(7)).isEmpty()).isFalse();
        assertThat(rows(table)).isEqualTo(ROWS);
      }
      try (AsyncConnection opened =
          FutureUtils.get(ConnectionFactory.createAsyncConnection(byServers))) {
        assertThat(FutureUtils.get(opened.getTable(spread).scanAll(new Scan()))).hasSize(ROWS);
      }
    } finally {
      hbase.startZooKeeper();
    }
  }

  @Tag("ci")
  @Test
  void operationsGoOnWithoutTheMaster() throws IOException {
    measured("nothing", 2);
    TableName other = other();
    hbase.stopMaster();
    try {
      compare("master");
      otherTableIsFound(other);
    } finally {
      hbase.startMaster();
    }
  }
}
