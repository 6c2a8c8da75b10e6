/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Operations of an application that uses only HBase's API, on a salted table. */
final class DropInTables implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final int ROWS = 40;

  private final Connection connection;
  private final AsyncConnection async;
  private final TableName name;

  private DropInTables(Connection connection, AsyncConnection async, TableName name) {
    this.connection = connection;
    this.async = async;
    this.name = name;
  }

  /** Connects, and creates the table. */
  static DropInTables open(Configuration configuration, TableName name) throws Exception {
    Connection connection = ConnectionFactory.createConnection(configuration);
    create(connection, name);
    return new DropInTables(
        connection,
        ConnectionFactory.createAsyncConnection(configuration).get(1, TimeUnit.MINUTES),
        name);
  }

  private static void create(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Expected.equal("connection of an admin", connection, admin.getConnection());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
  }

  /** Creates another table. */
  void create(TableName other) throws IOException {
    create(connection, other);
  }

  /** Uses the synchronous connection. */
  void use() throws Exception {
    try (Table table = connection.getTable(name);
        BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < ROWS / 2; i++) {
        table.put(put(i));
      }
      for (int i = ROWS / 2; i < ROWS; i++) {
        mutator.mutate(put(i));
      }
      mutator.flush();
      Expected.equal("get", 7, value(table.get(new Get(key(7)))));
      Expected.equal("ordered scan", keys(0, ROWS), scanned(table, new Scan()));
      Expected.equal("rows counted by a scan", (long) ROWS, counted(table));
      Expected.equal(
          "scan of a range",
          keys(10, 20),
          scanned(table, new Scan().withStartRow(key(10)).withStopRow(key(20))));
      Expected.equal(
          "filtered scan",
          keys(30, ROWS),
          scanned(table, new Scan().setFilter(new PrefixFilter(Bytes.toBytes("row-3")))));
      Expected.equal(
          "scan by a fuzzy filter",
          List.of("row-05", "row-15", "row-25", "row-35"),
          scanned(table, new Scan().setFilter(fuzzy("row-?5"))));
      table.increment(counted(5));
      Expected.equal(
          "increment", 10L, Bytes.toLong(table.increment(counted(5)).getValue(FAMILY, COUNT)));
      Object[] results = new Object[3];
      table.batch(List.of(new Get(key(1)), put(ROWS), new Get(key(2))), results);
      Expected.equal("batch, first", 1, value((Result) results[0]));
      Expected.equal("batch, last", 2, value((Result) results[2]));
      Expected.equal("checkAndMutate", true, check(table, 3, 3, 33));
      Expected.equal("checkAndMutate that fails", false, check(table, 3, 3, 34));
      Expected.equal("value after it", 33, value(table.get(new Get(key(3)))));
      failures(table);
      Expected.equal("name in the descriptor", name, table.getDescriptor().getTableName());
      Expected.equal("regions", 4, connection.getRegionLocator(name).getStartKeys().length);
    }
  }

  /** One action of several fails, and the results say which. */
  private static void failures(Table table) throws Exception {
    Object[] results = new Object[3];
    Put foreign = new Put(key(1)).addColumn(Bytes.toBytes("none"), Q, Q);
    try {
      table.batch(List.of(new Get(key(1)), foreign, new Get(key(2))), results);
      throw new IllegalStateException("batch with an unknown family did not fail");
    } catch (RetriesExhaustedException e) {
      Expected.equal("first of a failed batch", 1, value((Result) results[0]));
      Expected.equal("failure in a batch", true, results[1] instanceof Throwable);
      Expected.equal("last of a failed batch", 2, value((Result) results[2]));
    }
    Set<String> rows = ConcurrentHashMap.newKeySet();
    table.batchCallback(
        List.of(new Get(key(3)), new Get(key(4))),
        new Object[2],
        (region, row, result) -> rows.add(Bytes.toString(row)));
    Expected.equal("rows of a callback", Set.of("row-03", "row-04"), rows);
  }

  private static FuzzyRowFilter fuzzy(String pattern) {
    byte[] mask = new byte[pattern.length()];
    mask[pattern.indexOf('?')] = 1;
    return new FuzzyRowFilter(new ArrayList<>(List.of(new Pair<>(Bytes.toBytes(pattern), mask))));
  }

  /** Calls coprocessors, by the types of HBase 3.0. */
  void useEndpoints() throws IOException {
    try (Table table = connection.getTable(name)) {
      Endpoints.use(table, async.getTable(name), key(1));
    }
  }

  /** Uses a table with an index through both connections. */
  void useIndexed(TableName indexed) throws Exception {
    IndexedTables.use(connection, async, indexed);
  }

  /** Uses the asynchronous connection. */
  void useAsync() throws Exception {
    AsyncTable<?> table = async.getTable(name);
    table.put(put(ROWS + 1)).get(1, TimeUnit.MINUTES);
    Result row = table.get(new Get(key(ROWS + 1))).get(1, TimeUnit.MINUTES);
    Expected.equal("asynchronous get", ROWS + 1, value(row));
    List<String> seen = new ArrayList<>();
    for (Result each : table.scanAll(new Scan()).get(1, TimeUnit.MINUTES)) {
      seen.add(Bytes.toString(each.getRow()));
    }
    Expected.equal("asynchronous scan", keys(0, ROWS + 2), seen);
    try (var mutator = async.getBufferedMutator(name)) {
      var written = mutator.mutate(put(ROWS + 2));
      mutator.flush();
      written.get(1, TimeUnit.MINUTES);
    }
  }

  /** Continues with the same connections, which still use the previous generation. */
  void useMigrated() throws Exception {
    try (Table table = connection.getTable(name)) {
      table.put(put(ROWS + 3));
      Expected.equal("get after the migration", 33, value(table.get(new Get(key(3)))));
      Expected.equal(
          "count after the migration",
          15L,
          Bytes.toLong(table.increment(counted(5)).getValue(FAMILY, COUNT)));
      Expected.equal("scan after the migration", keys(0, ROWS + 4), scanned(table, new Scan()));
    }
    async.getTable(name).put(put(ROWS + 4)).get(1, TimeUnit.MINUTES);
  }

  private static boolean check(Table table, int row, int expected, int value) throws IOException {
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(key(row))
                .ifEquals(FAMILY, Q, Bytes.toBytes(expected))
                .build(new Put(key(row)).addColumn(FAMILY, Q, Bytes.toBytes(value))))
        .isSuccess();
  }

  private static Increment counted(long by) {
    return new Increment(key(5)).addColumn(FAMILY, COUNT, by);
  }

  private static Put put(int i) {
    return new Put(key(i)).addColumn(FAMILY, Q, Bytes.toBytes(i));
  }

  private static int value(Result row) {
    return Bytes.toInt(row.getValue(FAMILY, Q));
  }

  private static List<String> scanned(Table table, Scan scan) throws IOException {
    List<String> keys = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(row -> keys.add(Bytes.toString(row.getRow())));
    }
    return keys;
  }

  private static long counted(Table table) throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan().setScanMetricsEnabled(true))) {
      while (scanner.next() != null) {
        // Only the metrics are needed.
      }
      return scanner.getScanMetrics().countOfRowsScanned.get();
    }
  }

  private static List<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> Bytes.toString(key(i))).toList();
  }

  private static byte[] key(int i) {
    return Bytes.toBytes("row-%02d".formatted(i));
  }

  @Override
  public void close() throws IOException {
    async.close();
    connection.close();
  }
}
