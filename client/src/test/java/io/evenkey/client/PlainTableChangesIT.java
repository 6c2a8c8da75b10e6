/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A table that gets a layout, another one, or none, while clients that only read have it open. Each
 * way to read is that of a client of its own, so that no other one has found the change before.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class PlainTableChangesIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final Layout SALTED = Layout.parse("salt(4) + key:bytes");
  private static final Layout HASHED = Layout.parse("md5(key)[0..1] + key:bytes");
  private static final Layout AS_STORED = Layout.parse("key:bytes");
  private static final CheckAndMutate SAME =
      CheckAndMutate.newBuilder(Bytes.toBytes("b")).ifEquals(D, D, D).build(put("b"));

  private Connection plain;
  private TableName name;
  private Configuration configuration;
  private final Map<Read, Client> clients = new LinkedHashMap<>();

  /** A way to read a table of the rows a and b, and what it gives. */
  private record Read(String name, Object expected, Call call) {
    private interface Call {
      Object on(Client client) throws Exception;
    }

    boolean isAsynchronous() {
      return name.startsWith("async");
    }

    boolean isOfSpreadTable() {
      return name.startsWith("spread");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Read OPEN_SCANNER = new Read("open scanner", "b", Client::next);

  private static final List<Read> READS =
      List.of(
          new Read("get", false, client -> client.table.get(get("b")).isEmpty()),
          new Read("exists", true, client -> client.table.exists(get("b"))),
          new Read("gets", false, client -> client.table.get(List.of(get("b")))[0].isEmpty()),
          new Read("exist", true, client -> client.table.exists(List.of(get("b")))[0]),
          new Read("check", true, client -> client.table.checkAndMutate(SAME).isSuccess()),
          new Read(
              "checks",
              true,
              client -> client.table.checkAndMutate(List.of(SAME)).get(0).isSuccess()),
          new Read("batch", false, Client::batch),
          new Read("callback", false, Client::callback),
          new Read("scan", List.of("a", "b"), client -> rows(client.table.getScanner(new Scan()))),
          OPEN_SCANNER,
          new Read(
              "async get", false, client -> FutureUtils.get(client.later.get(get("b"))).isEmpty()),
          new Read(
              "async check",
              true,
              client -> FutureUtils.get(client.later.checkAndMutate(SAME)).isSuccess()),
          new Read("async batch", false, Client::batchLater),
          new Read(
              "async scan", List.of("a", "b"), client -> rows(client.later.getScanner(new Scan()))),
          new Read(
              "async all",
              List.of("a", "b"),
              client -> rows(FutureUtils.get(client.later.scanAll(new Scan())))),
          new Read("spread get", false, client -> client.spread.get(get("b")).isEmpty()),
          new Read(
              "spread scan",
              List.of("a", "b"),
              client -> rows(client.spread.scan(KeyRange.all(), ScanOptions.all()))));

  /** A client that has the table open. */
  private static final class Client implements AutoCloseable {
    private final Connection dropIn;
    private final Table table;
    private final @Nullable AsyncConnection async;
    private final @Nullable AsyncTable<AdvancedScanResultConsumer> later;
    private @Nullable ResultScanner begun;
    private @Nullable SpreadTable spread;

    Client(Configuration configuration, TableName name, boolean asynchronous) throws IOException {
      dropIn = ConnectionFactory.createConnection(configuration);
      table = dropIn.getTable(name);
      async =
          asynchronous
              ? FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration))
              : null;
      later = async == null ? null : async.getTable(name);
    }

    /** As HBase's own scanner, it goes on behind the row that it has read last. */
    Object next() throws IOException {
      if (begun == null) {
        begun = table.getScanner(new Scan().setCaching(1).setAsyncPrefetch(false));
      }
      return Bytes.toStringBinary(begun.next().getRow());
    }

    Object batch() throws Exception {
      Object[] results = new Object[1];
      table.batch(List.of(PlainTableChangesIT.get("b")), results);
      return ((Result) results[0]).isEmpty();
    }

    Object callback() throws Exception {
      List<Boolean> empty = new ArrayList<>();
      table.batchCallback(
          List.of(PlainTableChangesIT.get("b")),
          new Object[1],
          (byte[] region, byte[] row, Result result) -> empty.add(result.isEmpty()));
      return empty.get(empty.size() - 1);
    }

    Object batchLater() throws Exception {
      List<Get> gets = List.of(PlainTableChangesIT.get("b"));
      return FutureUtils.get(later.<Result>batch(gets).get(0)).isEmpty();
    }

    @Override
    public void close() throws IOException {
      if (begun != null) {
        begun.close();
      }
      table.close();
      if (async != null) {
        async.close();
      }
      dropIn.close();
    }
  }

  @BeforeEach
  void open(Connection shared, TestInfo test) throws IOException {
    plain = shared;
    name = TableName.valueOf("changed_" + test.getTestMethod().orElseThrow().getName());
    configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
  }

  @AfterEach
  void close() throws IOException {
    for (Client client : clients.values()) {
      client.close();
    }
  }

  private void create(@Nullable Layout layout) throws IOException {
    createEmpty(layout);
    write(put("a"), put("b"));
  }

  private void createEmpty(@Nullable Layout layout) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .build();
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(layout == null ? table : TableLayout.with(table, layout));
    }
  }

  /** As a client that has not used the table before. */
  private void write(Put... puts) throws IOException {
    try (Connection knowing = ConnectionFactory.createConnection(configuration);
        Table now = knowing.getTable(name)) {
      now.put(List.of(puts));
    }
  }

  /** Each client has learned what the table is, and one has begun to scan. */
  private void use(Predicate<Read> used) throws Exception {
    for (Read read : READS) {
      if (used.test(read)) {
        Client client = new Client(configuration, name, read.isAsynchronous());
        clients.put(read, client);
        if (read.isOfSpreadTable()) {
          client.spread = SpreadTables.on(plain).open(name);
        }
        read.call().on(client);
      }
    }
  }

  private void assertFound() {
    clients.forEach(
        (read, client) ->
            assertThatCode(() -> assertThat(read.call().on(client)).isEqualTo(read.expected()))
                .as(read.name())
                .doesNotThrowAnyException());
  }

  private void assertFollowed(@Nullable Layout before, @Nullable Layout after) throws Exception {
    create(before);
    use(before == null ? read -> !read.isOfSpreadTable() : read -> true);
    drop();
    create(after);
    assertFound();
  }

  private void drop() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(D, D, D);
  }

  private static Get get(String key) {
    return new Get(Bytes.toBytes(key));
  }

  private static List<String> rows(Iterable<Result> results) {
    List<String> rows = new ArrayList<>();
    results.forEach(row -> rows.add(Bytes.toStringBinary(row.getRow())));
    return rows.stream().sorted().toList();
  }

  private static List<String> rows(ResultScanner opened) throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = opened) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    return rows(rows);
  }

  @Test
  void readsFollowAPlainTableThatIsRecreatedWithALayout() throws Exception {
    assertFollowed(null, SALTED);
  }

  @Tag("long")
  @Test
  void readsFollowATableThatIsRecreatedWithoutItsLayout() throws Exception {
    assertFollowed(SALTED, null);
  }

  @Tag("long")
  @Test
  void readsFollowATableThatIsRecreatedWithAnotherLayout() throws Exception {
    assertFollowed(SALTED, HASHED);
  }

  @Tag("long")
  @Test
  void readsFollowATableOfRowsAsTheyAreThatIsRecreatedWithASalt() throws Exception {
    assertFollowed(AS_STORED, SALTED);
  }

  @Tag("long")
  @Test
  void readsFollowAPlainTableWhoseNameGetsTheCloneOfOneWithALayout() throws Exception {
    create(SALTED);
    String snapshot = "salted_" + name.getQualifierAsString();
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot(snapshot, name);
      drop();
      create(null);
      use(read -> !read.isOfSpreadTable());
      drop();
      admin.cloneSnapshot(snapshot, name);
      admin.deleteSnapshot(snapshot);
    }
    assertFound();
  }

  @Test
  void readsOfStoredRowsFailOnceALayoutIsRecordedForThem() throws Exception {
    createEmpty(null);
    byte[] a = SALTED.physical(Bytes.toBytes("a"));
    byte[] b = SALTED.physical(Bytes.toBytes("b"));
    write(new Put(a).addColumn(D, D, D), new Put(b).addColumn(D, D, D));
    Set<String> some = Set.of("get", "scan", "open scanner", "async get", "async scan");
    use(read -> some.contains(read.name()));
    try (Registry registry = Registry.open(plain.getConfiguration())) {
      TableCheck.of(plain, registry, name, 10).adopt(plain, registry, SALTED);
    }
    clients.forEach(
        (read, client) ->
            assertThatThrownBy(() -> read.call().on(client))
                .as(read.name())
                .isInstanceOf(TableLayoutException.class)
                .hasMessageContaining("while the application used it"));
  }

  private interface Write {
    void of(Client client, byte[] key) throws Exception;
  }

  private static final Map<String, Write> WRITES =
      Map.of(
          "put", (client, key) -> client.table.put(new Put(key).addColumn(D, D, D)),
          "puts", (client, key) -> client.table.put(List.of(new Put(key).addColumn(D, D, D))),
          "buffer",
              (client, key) -> {
                try (BufferedMutator buffer =
                    client.dropIn.getBufferedMutator(client.table.getName())) {
                  buffer.mutate(new Put(key).addColumn(D, D, D));
                }
              },
          "batch",
              (client, key) ->
                  client.table.batch(List.of(new Put(key).addColumn(D, D, D)), new Object[1]),
          "mutations",
              (client, key) ->
                  client.table.mutateRow(RowMutations.of(List.of(new Put(key).addColumn(D, D, D)))),
          "check",
              (client, key) ->
                  client.table.checkAndMutate(
                      CheckAndMutate.newBuilder(key)
                          .ifNotExists(D, D)
                          .build(new Put(key).addColumn(D, D, D))),
          "async put",
              (client, key) -> FutureUtils.get(client.later.put(new Put(key).addColumn(D, D, D))));

  /** The guard would take a write that names nothing, since this row is one of the new layout. */
  @Test
  void aWriterThatKnewTheTableAsPlainMakesRowsOfTheLayout() throws Exception {
    Map<String, Client> writers = new LinkedHashMap<>();
    createEmpty(null);
    try {
      for (String way : WRITES.keySet()) {
        Client client = new Client(configuration, name, way.startsWith("async"));
        writers.put(way, client);
        client.table.put(put("before"));
        if (client.later != null) {
          FutureUtils.get(client.later.put(put("before")));
        }
      }
      drop();
      createEmpty(SALTED);
      List<String> expected = new ArrayList<>();
      for (Map.Entry<String, Client> writer : writers.entrySet()) {
        byte[] key = SALTED.physical(Bytes.toBytes(writer.getKey()));
        expected.add(Bytes.toStringBinary(SALTED.physical(key)));
        WRITES.get(writer.getKey()).of(writer.getValue(), key);
      }
      try (Table stored = plain.getTable(name)) {
        assertThat(rows(stored.getScanner(new Scan())))
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    } finally {
      for (Client client : writers.values()) {
        client.close();
      }
    }
  }
}
