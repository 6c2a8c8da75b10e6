/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.failure.IndexRefusedException;
import io.evenkey.client.internal.gather.Gather;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.index.IndexKey;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What an application sets in its requests arrives at region servers with every request that
 * Evenkey makes of them, whatever path it takes.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class CarriedSettingsIT {
  private static final TableIndex BY_CUSTOMER =
      TableIndex.parse(
          "by_customer mutable public as"
              + " \"salt(3) + customer:string + seller:string + id:int64\" from"
              + " customer=d:customer covering d:amount");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final int ORDERS = 40;
  private static final int PRIORITY = 7;
  private static final String OF_REQUEST = "application";

  /** What the read of a row that a write leaves in part has not: writes have none. */
  private static final Set<String> OF_READS = Set.of("isolation level");

  private static final String OF_CALL = "call";
  private static final byte[] MARK = Bytes.toBytes("marked");

  private final Layout layout = IndexKey.of(IndexedTable.LAYOUT, BY_CUSTOMER).index().layout();
  private Connection plain;
  private TableName orders;
  private TableName entries;

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo test) throws IOException {
    plain = shared.connection();
    IndexedTable indexed =
        IndexedTable.create(plain, "carried_" + test.getTestMethod().orElseThrow().getName());
    orders = indexed.name();
    entries = indexed.createEntries(BY_CUSTOMER);
    indexed.add(BY_CUSTOMER);
    watch(orders);
    watch(entries);
    try (Connection dropIn = ConnectionFactory.createConnection(configuration());
        Table table = dropIn.getTable(orders)) {
      List<Put> puts = new ArrayList<>();
      for (int id = 0; id < ORDERS; id++) {
        puts.add(put(id));
      }
      table.put(puts);
    }
  }

  private void watch(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
              .setCoprocessor(SeenRequests.class.getName())
              .build());
    }
  }

  private Configuration configuration() {
    Configuration dropIn = IndexedTable.dropIn(plain.getConfiguration());
    dropIn.set(EvenkeyConnection.CHECK, "off");
    return dropIn;
  }

  private static Put put(int id) {
    return IndexedTable.order("s" + id % 5, id, "c" + id % 3)
        .addColumn(IndexedTable.D, AMOUNT, Bytes.toBytes("a" + id));
  }

  private static Put part(int id) {
    return new Put(key(id)).addColumn(IndexedTable.D, AMOUNT, Bytes.toBytes("b" + id));
  }

  private static byte[] key(int id) {
    return IndexedTable.key("s" + id % 5, id);
  }

  private byte[] entry(int id) {
    return layout.logicalKey(
        Values.of("customer", "c" + id % 3).and("seller", "s" + id % 5).and("id", (long) id));
  }

  /** A call of an application. */
  @FunctionalInterface
  private interface Call {
    void make() throws Exception;
  }

  private static <Q extends Query> Q marked(Q read) {
    read.setAttribute(OF_REQUEST, MARK);
    read.setId("id");
    read.setPriority(PRIORITY);
    read.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    read.setAuthorizations(new Authorizations("public"));
    read.setLoadColumnFamiliesOnDemand(true);
    return read;
  }

  private static Get get(byte[] row) {
    return marked(new Get(row)).setCacheBlocks(false);
  }

  private static Scan scan() {
    return marked(new Scan()).setCacheBlocks(false).setReadType(Scan.ReadType.PREAD);
  }

  private static <M extends Mutation> M marked(M write) {
    write.setAttribute(OF_REQUEST, MARK);
    write.setId("id");
    write.setPriority(PRIORITY);
    write.setCellVisibility(new CellVisibility("public"));
    write.setDurability(Durability.FSYNC_WAL);
    return write;
  }

  /** Checks the requests of a call, of which some come to each of the tables. */
  private void check(String path, Set<TableName> tables, Call call) throws Exception {
    check(path, tables, Set.of(), call);
  }

  /**
   * As above.
   *
   * @param lost what HBase's own client does not send on this path
   */
  private void check(String path, Set<TableName> tables, Set<String> lost, Call call)
      throws Exception {
    SeenRequests.forget();
    call.make();
    List<SeenRequests.Seen> seen = SeenRequests.all();
    assertThat(seen.stream().map(SeenRequests.Seen::table).collect(Collectors.toSet()))
        .as(path)
        .isEqualTo(tables);
    Set<String> lacks = new TreeSet<>();
    for (SeenRequests.Seen one : seen) {
      lacking(one).stream()
          .filter(setting -> !lost.contains(setting))
          .forEach(setting -> lacks.add(one + " is without " + setting));
    }
    assertThat(lacks).as(path).isEmpty();
  }

  private static List<String> lacking(SeenRequests.Seen seen) {
    List<String> lacks = new ArrayList<>();
    lack(lacks, Bytes.equals(MARK, seen.request().getAttribute(OF_REQUEST)), "attribute");
    lack(lacks, Bytes.equals(MARK, seen.attributes().get(OF_CALL)), "attribute of the call");
    lack(lacks, "id".equals(seen.request().getId()), "id");
    lack(lacks, seen.priority() == PRIORITY, "priority");
    if (seen.request() instanceof Query read) {
      boolean isAsked = read.getIsolationLevel() == IsolationLevel.READ_UNCOMMITTED;
      lacks.addAll(isAsked ? lackingOfRead(read) : OF_READS);
    } else {
      Mutation write = (Mutation) seen.request();
      lack(lacks, write.getDurability() == Durability.FSYNC_WAL, "durability");
      lack(lacks, visibility(write).equals("public"), "visibility");
    }
    return lacks;
  }

  private static String visibility(Mutation write) {
    try {
      CellVisibility visibility = write.getCellVisibility();
      return visibility == null ? "" : visibility.getExpression();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> lackingOfRead(Query read) {
    List<String> lacks = new ArrayList<>();
    try {
      Authorizations authorizations = read.getAuthorizations();
      lack(lacks, authorizations != null, "authorizations");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    lack(
        lacks,
        Boolean.TRUE.equals(read.getLoadColumnFamiliesOnDemandValue()),
        "families on demand");
    if (read instanceof Get get) {
      lack(lacks, !get.getCacheBlocks(), "cache blocks");
    } else {
      lack(lacks, !((Scan) read).getCacheBlocks(), "cache blocks");
    }
    return lacks;
  }

  private static void lack(List<String> lacks, boolean has, String setting) {
    if (!has) {
      lacks.add(setting);
    }
  }

  private static Table open(
      Connection connection, TableName table, @Nullable ExecutorService pool) {
    return connection.getTableBuilder(table, pool).setRequestAttribute(OF_CALL, MARK).build();
  }

  private static List<Result> all(Table table, Scan scan) throws IOException {
    List<Result> all = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(scan)) {
      rows.forEach(all::add);
    }
    return all;
  }

  @Test
  void aReadOfTheTableOfAnIndexIsMadeAsItsRequestSays() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (Connection connection = ConnectionFactory.createConnection(configuration());
        Table table = open(connection, entries, pool)) {
      assertThat(all(table, new Scan())).hasSize(ORDERS);
      Set<TableName> both = Set.of(orders, entries);
      check("scan", both, () -> assertThat(all(table, scan())).hasSize(ORDERS));
      check("short scan", both, () -> assertThat(all(table, scan().setLimit(3))).hasSize(3));
      check(
          "covered scan",
          both,
          () -> assertThat(all(table, scan().addColumn(IndexedTable.D, AMOUNT))).hasSize(ORDERS));
      check("get", both, () -> assertThat(table.get(get(entry(1))).isEmpty()).isFalse());
      check("exists", both, () -> assertThat(table.exists(get(entry(1)))).isTrue());
      check("no row", both, () -> assertThat(table.exists(get(entry(ORDERS)))).isFalse());
      check(
          "gets",
          both,
          () -> assertThat(table.get(List.of(get(entry(1)), get(entry(2))))).hasSize(2));
      check("batch", both, () -> table.batch(List.of(get(entry(1))), new Object[1]));
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void anAsynchronousReadOfTheTableOfAnIndexIsMadeAsItsRequestSays() throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(configuration()).get()) {
      AsyncTable<?> table =
          connection.getTableBuilder(entries).setRequestAttribute(OF_CALL, MARK).build();
      assertThat(table.scanAll(new Scan()).get()).hasSize(ORDERS);
      Set<TableName> both = Set.of(orders, entries);
      check("scan", both, () -> assertThat(table.scanAll(scan()).get()).hasSize(ORDERS));
      check("short scan", both, () -> table.scanAll(scan().setLimit(3)).get());
      check("get", both, () -> assertThat(table.get(get(entry(1))).get().isEmpty()).isFalse());
      check("gets", both, () -> table.getAll(List.of(get(entry(1)), get(entry(2)))).get());
      check(
          "scanner",
          both,
          () -> {
            try (ResultScanner rows = table.getScanner(scan())) {
              assertThat(rows.next()).isNotNull();
            }
          });
    }
  }

  @Test
  void aReadOfASpreadTableIsMadeAsItsRequestSays() throws Exception {
    for (boolean byServers : List.of(true, false)) {
      Configuration configuration = configuration();
      configuration.setBoolean(Gather.ON_SERVERS, byServers);
      try (Connection connection = ConnectionFactory.createConnection(configuration);
          Table table = open(connection, orders, null);
          AsyncConnection async = ConnectionFactory.createAsyncConnection(configuration).get()) {
        AsyncTable<?> later =
            async.getTableBuilder(orders).setRequestAttribute(OF_CALL, MARK).build();
        assertThat(all(table, new Scan())).hasSize(ORDERS);
        assertThat(later.scanAll(new Scan()).get()).hasSize(ORDERS);
        Set<TableName> only = Set.of(orders);
        // Of blocking batches only puts have it.
        Set<String> lost = Set.of("priority");
        String by = byServers ? "by servers: " : "by client: ";
        check(by + "scan", only, () -> assertThat(all(table, scan())).hasSize(ORDERS));
        check(by + "short", only, () -> assertThat(all(table, scan().setLimit(3))).hasSize(3));
        check(by + "get", only, () -> table.get(get(key(1))));
        check(by + "gets", only, lost, () -> table.get(List.of(get(key(1)), get(key(2)))));
        check(by + "exists", only, () -> table.exists(get(key(1))));
        check(by + "batch", only, lost, () -> table.batch(List.of(get(key(1))), new Object[1]));
        check(by + "later scan", only, () -> later.scanAll(scan()).get());
        check(by + "later short", only, () -> later.scanAll(scan().setLimit(3)).get());
        check(by + "later get", only, () -> later.get(get(key(1))).get());
        check(by + "later gets", only, () -> later.getAll(List.of(get(key(1)))).get());
      }
    }
  }

  @Test
  void aWriteToAnIndexedTableAndItsEntriesAreMadeAsItsRequestSays() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (Connection connection = ConnectionFactory.createConnection(configuration());
        Table table = open(connection, orders, pool);
        BufferedMutator mutator =
            connection.getBufferedMutator(
                new BufferedMutatorParams(orders).setRequestAttribute(OF_CALL, MARK))) {
      table.exists(new Get(key(1)));
      Set<TableName> both = Set.of(orders, entries);
      Set<TableName> row = Set.of(orders);
      check("put", both, OF_READS, () -> table.put(marked(put(1))));
      check("part", both, OF_READS, () -> table.put(marked(part(1))));
      check("puts", both, OF_READS, () -> table.put(List.of(marked(put(1)), marked(part(2)))));
      check("batch", both, OF_READS, () -> table.batch(List.of(marked(part(1))), new Object[1]));
      check(
          "puts, read by servers",
          both,
          OF_READS,
          () ->
              table.put(
                  List.of(
                      marked(part(1)),
                      marked(part(2)),
                      marked(part(3)),
                      marked(part(4)),
                      marked(part(5)))));
      check("delete", row, OF_READS, () -> table.delete(marked(new Delete(key(9)))));
      check(
          "increment",
          row,
          OF_READS,
          () -> table.increment(marked(new Increment(key(1)).addColumn(IndexedTable.D, COUNT, 1))));
      check(
          "append",
          row,
          OF_READS,
          () -> table.append(marked(new Append(key(1)).addColumn(IndexedTable.D, MARK, MARK))));
      check(
          "check and mutate",
          both,
          OF_READS,
          () ->
              table.checkAndMutate(
                  CheckAndMutate.newBuilder(key(1))
                      .ifNotExists(IndexedTable.D, Bytes.toBytes("none"))
                      .build(marked(part(1)))));
      check(
          "mutate row",
          row,
          OF_READS,
          () -> table.mutateRow(RowMutations.of(List.of(marked(new Delete(key(8)))))));
      check(
          "mutator",
          both,
          OF_READS,
          () -> {
            mutator.mutate(marked(part(1)));
            mutator.flush();
          });
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void anAsynchronousWriteToAnIndexedTableIsMadeAsItsRequestSays() throws Exception {
    try (AsyncConnection connection =
            ConnectionFactory.createAsyncConnection(configuration()).get();
        AsyncBufferedMutator mutator =
            connection
                .getBufferedMutatorBuilder(orders)
                .setRequestAttribute(OF_CALL, MARK)
                .build()) {
      AsyncTable<?> table =
          connection.getTableBuilder(orders).setRequestAttribute(OF_CALL, MARK).build();
      assertThat(table.exists(new Get(key(1))).get()).isTrue();
      Set<TableName> both = Set.of(orders, entries);
      check("put", both, OF_READS, () -> table.put(marked(put(1))).get());
      check("part", both, OF_READS, () -> table.put(marked(part(1))).get());
      check(
          "puts",
          both,
          OF_READS,
          () -> table.putAll(List.of(marked(put(1)), marked(part(2)))).get());
      check(
          "mutator",
          both,
          OF_READS,
          () -> {
            var done = mutator.mutate(marked(part(1)));
            mutator.flush();
            done.get();
          });
    }
  }

  @Test
  void theTableOfAnIndexIsNotReadOnReplicasNorByCursors() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(configuration());
        Table table = connection.getTable(entries)) {
      Scan stale = new Scan().setConsistency(Consistency.TIMELINE);
      assertThatThrownBy(() -> all(table, stale))
          .isInstanceOf(IndexRefusedException.class)
          .hasMessageContaining("option=consistency");
      assertThatThrownBy(() -> table.get(new Get(entry(1)).setConsistency(Consistency.TIMELINE)))
          .hasMessageContaining("option=consistency");
      assertThatThrownBy(() -> all(table, new Scan().setReplicaId(1)))
          .hasMessageContaining("option=replica");
      assertThatThrownBy(() -> all(table, new Scan().setNeedCursorResult(true)))
          .hasMessageContaining("option=cursor");
    }
  }
}
