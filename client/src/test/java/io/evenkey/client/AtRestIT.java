/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.traffic.CountedPort;
import io.evenkey.client.traffic.RequestCounts;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cost, for a client, of a table that is not migrated: requests are counted as they are sent,
 * and connections to ZooKeeper as they are made.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class AtRestIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final int REGIONS = 4;
  private static final Layout LAYOUT = Layout.parse("salt(4) + key:bytes");

  private final List<AutoCloseable> opened = new ArrayList<>();
  private EmbeddedHBase hbase;
  private TableName name;

  @BeforeEach
  void remember(EmbeddedHBase shared, TestInfo test) {
    hbase = shared;
    name =
        TableName.valueOf(
            "rest_"
                + test.getTestMethod().orElseThrow().getName()
                + "_"
                + test.getDisplayName().replaceAll("\\W", ""));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private <T extends AutoCloseable> T opened(T one) {
    opened.add(0, one);
    return one;
  }

  private void create(boolean withLayout) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(D))
            .build();
    byte[][] splits = LAYOUT.splits(REGIONS).toArray();
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.createTable(withLayout ? TableLayout.with(table, LAYOUT) : table, splits);
    }
  }

  /** One client, and what it sends. */
  private record Client(
      Configuration configuration, RequestCounts requests, CountedPort zooKeeper) {
    Connection connect() throws IOException {
      return ConnectionFactory.createConnection(configuration);
    }

    AsyncConnection connectLater() throws IOException {
      return FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
    }

    /** Requests but those that locate regions. */
    Map<String, Integer> sent() {
      Map<String, Integer> sent = new TreeMap<>(requests.take());
      sent.keySet().removeIf(kind -> kind.endsWith(" meta"));
      return sent;
    }
  }

  private Client client(boolean dropIn, String check) throws IOException {
    Configuration configuration = hbase.configuration();
    CountedPort zooKeeper = opened(CountedPort.to(hbase.zooKeeperPort()));
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.port());
    if (dropIn) {
      configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    }
    if (check != null) {
      configuration.set(EvenkeyConnection.CHECK, check);
    }
    return new Client(configuration, RequestCounts.of(configuration), zooKeeper);
  }

  private static Put put(int i) {
    return new Put(row(i)).addColumn(D, D, Bytes.toBytes(i));
  }

  private static byte[] row(int i) {
    return new byte[] {(byte) (i % REGIONS), (byte) i, 'k'};
  }

  /** Some of everything. */
  private static void work(Table table) throws IOException {
    List<Put> puts = new ArrayList<>();
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      puts.add(put(i));
      gets.add(new Get(row(i)));
    }
    table.put(puts);
    table.put(put(3));
    table.delete(new Delete(row(40)));
    assertThat(table.get(gets)).noneMatch(Result::isEmpty);
    assertThat(table.get(new Get(row(3))).isEmpty()).isFalse();
    assertThat(scan(table, new Scan())).isEqualTo(16);
  }

  private static int scan(Table table, Scan scan) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }

  private static Map<String, Integer> plus(Map<String, Integer> counts, String kind, int more) {
    Map<String, Integer> sum = new TreeMap<>(counts);
    sum.merge(kind, more, Integer::sum);
    return sum;
  }

  @Test
  void plainTableCostsOneRequestAtFirstUseAndNoneLater() throws Exception {
    create(false);
    Client plain = client(false, null);
    Client dropIn = client(true, null);
    Connection theirs = opened(plain.connect());
    Connection ours = opened(dropIn.connect());
    try (Table their = theirs.getTable(name);
        Table our = ours.getTable(name)) {
      work(their);
      work(our);
      Map<String, Integer> first = plain.sent();
      assertThat(dropIn.sent()).isEqualTo(plus(first, "ClientService.Get", 1));
      for (int i = 0; i < 3; i++) {
        work(their);
        work(our);
        assertThat(dropIn.requests().take()).isEqualTo(plain.requests().take());
      }
      assertThat(dropIn.zooKeeper().made()).isEqualTo(plain.zooKeeper().made());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "background"})
  void tableWithALayoutCostsOneRequestAtFirstUse(String check) throws Exception {
    create(true);
    Client plain = client(false, null);
    opened(plain.connect()).getTable(TableName.valueOf("hbase:meta")).get(new Get(D));
    Client dropIn = client(true, check);
    Connection ours = opened(dropIn.connect());
    try (Table table = ours.getTable(name)) {
      table.put(put(1));
      if (check.equals("background")) {
        // One row of each bucket is looked at, by small scans.
        Map<String, Integer> all = new TreeMap<>();
        await()
            .atMost(Duration.ofMinutes(1))
            .until(
                () -> {
                  dropIn.sent().forEach((kind, sent) -> all.merge(kind, sent, Integer::sum));
                  return all.getOrDefault("ClientService.Scan", 0) >= 4;
                });
        awaitNoThreads();
        dropIn.sent().forEach((kind, sent) -> all.merge(kind, sent, Integer::sum));
        assertThat(all)
            .isEqualTo(
                Map.of("ClientService.Get", 1, "ClientService.Mutate", 1, "ClientService.Scan", 4));
      } else {
        assertThat(dropIn.sent())
            .isEqualTo(Map.of("ClientService.Get", 1, "ClientService.Mutate", 1));
      }
      table.put(put(2));
      assertThat(dropIn.sent()).isEqualTo(Map.of("ClientService.Mutate", 1));
      table.get(new Get(row(2)));
      assertThat(dropIn.sent()).isEqualTo(Map.of("ClientService.Get", 1));
      assertThat(scan(table, new Scan())).isEqualTo(2);
      assertThat(dropIn.sent()).isEqualTo(Map.of("ClientService.Scan", REGIONS));
      work(table);
      assertThat(dropIn.zooKeeper().made()).isEqualTo(plain.zooKeeper().made());
      assertThat(dropIn.zooKeeper().open()).isLessThanOrEqualTo(plain.zooKeeper().open());
    }
    awaitNoThreads();
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "background"})
  void asynchronousConnectionCostsTheSame(String check) throws Exception {
    create(true);
    Client plain = client(false, null);
    FutureUtils.get(
        opened(plain.connectLater()).getTable(TableName.META_TABLE_NAME).get(new Get(D)));
    Client dropIn = client(true, check);
    AsyncConnection ours = opened(dropIn.connectLater());
    AsyncTable<?> table = ours.getTable(name);
    FutureUtils.get(table.put(put(1)));
    awaitNoThreads();
    Map<String, Integer> first = dropIn.sent();
    assertThat(first.remove("ClientService.Scan")).isEqualTo(check.equals("off") ? null : 4);
    assertThat(first).isEqualTo(Map.of("ClientService.Get", 1, "ClientService.Mutate", 1));
    FutureUtils.get(table.put(put(2)));
    assertThat(dropIn.sent()).isEqualTo(Map.of("ClientService.Mutate", 1));
    assertThat(FutureUtils.get(table.scanAll(new Scan()))).hasSize(2);
    assertThat(dropIn.sent()).isEqualTo(Map.of("ClientService.Scan", REGIONS));
    assertThat(dropIn.zooKeeper().made()).isEqualTo(plain.zooKeeper().made());
    awaitNoThreads();
  }

  /** More of them by {@code -Devenkey.connections=N} and {@code -Devenkey.tables=N}. */
  @Test
  void manyConnectionsCostOneRequestForEachTableThatTheyUse() throws Exception {
    int connections = Integer.getInteger("evenkey.connections", 10);
    int tables = Integer.getInteger("evenkey.tables", 4);
    List<TableName> names = new ArrayList<>();
    for (int i = 0; i < tables; i++) {
      name = TableName.valueOf("rest_of_many_" + i);
      names.add(name);
      create(true);
    }
    Client dropIn = client(true, "off");
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      all.add(opened(dropIn.connect()));
    }
    Map<String, Integer> each = Map.of("ClientService.Get", connections * tables);
    getOfEach(all, names);
    assertThat(dropIn.sent()).isEqualTo(Map.of("ClientService.Get", 2 * connections * tables));
    int sessions = dropIn.zooKeeper().made();
    for (int round = 0; round < 3; round++) {
      getOfEach(all, names);
      assertThat(dropIn.requests().take()).isEqualTo(each);
    }
    assertThat(dropIn.zooKeeper().made()).isEqualTo(sessions);
    awaitNoThreads();
    System.out.printf(
        "%d connections, %d tables: first use %s; afterwards no request but the operations'%n",
        connections, tables, each);
  }

  private static void getOfEach(List<Connection> connections, List<TableName> tables)
      throws IOException {
    for (Connection connection : connections) {
      for (TableName one : tables) {
        try (Table table = connection.getTable(one)) {
          assertThat(table.get(new Get(row(1))).isEmpty()).isTrue();
        }
      }
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(thread -> thread.startsWith("evenkey-"))
        .toList();
  }

  private static void awaitNoThreads() {
    await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  @Test
  void scansThatAreOpenAreWatchedByOneThreadAndThenByNone() throws Exception {
    create(true);
    Connection ours = opened(client(true, null).connect());
    try (Table table = ours.getTable(name)) {
      work(table);
      awaitNoThreads();
      try (ResultScanner first = table.getScanner(new Scan());
          ResultScanner second = table.getScanner(new Scan())) {
        assertThat(first.next()).isNotNull();
        assertThat(second.next()).isNotNull();
        assertThat(threads()).containsOnlyOnce("evenkey-scans");
      }
      awaitNoThreads();
    }
  }
}
