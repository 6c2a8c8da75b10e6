package io.evenkey.benchmarks;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The drop-in connection beside HBase's own with rows salted by hand, on one HBase in one run: the
 * same operations, by turns, so that whatever else the machine does falls on both.
 *
 * <p>{@code java -cp benchmarks/target/benchmarks.jar io.evenkey.benchmarks.Overhead}
 */
public final class Overhead {
  private static final int BUCKETS = 16;
  private static final int ROUNDS = Integer.getInteger("evenkey.rounds", 30);
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] VALUE = new byte[100];

  private Overhead() {}

  /**
   * A table and how its rows are written.
   *
   * @param salted what the application has to write for a key
   */
  private record Side(Connection connection, Table table, UnaryOperator<byte[]> salted)
      implements AutoCloseable {
    byte[] row(byte[] key) {
      return salted.apply(key);
    }

    @Override
    public void close() throws IOException {
      table.close();
      connection.close();
    }
  }

  /** An operation on a number of keys. */
  private interface Operation {
    void run(Side side, List<byte[]> keys) throws IOException;
  }

  private static byte[] saltedByHand(byte[] key) {
    byte[] row = new byte[key.length + 1];
    row[0] = (byte) Math.floorMod(Arrays.hashCode(key), BUCKETS);
    System.arraycopy(key, 0, row, 1, key.length);
    return row;
  }

  /**
   * Runs the comparison and prints a table of ratios; above 1, the drop-in connection is faster.
   */
  public static void main(String[] arguments) throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).start()) {
      Layout layout = Layout.parse("salt(" + BUCKETS + ") + key:bytes");
      try (Side plain = plain(hbase, layout);
          Side dropIn = dropIn(hbase, layout)) {
        System.out.println("| operation | drop-in / by hand | half of the rounds between |");
        System.out.println("| --- | ---: | --- |");
        compare("Put", 1_000, plain, dropIn, Overhead::put);
        compare("Get", 1_000, plain, dropIn, Overhead::get);
        compare("Put, lists of 100", 10_000, plain, dropIn, Overhead::putLists);
        compare("Get, lists of 100", 5_000, plain, dropIn, Overhead::getLists);
        compare("BufferedMutator", 20_000, plain, dropIn, Overhead::mutate);
      }
    }
  }

  private static TableDescriptor table(String name) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .build();
  }

  private static Side plain(EmbeddedHBase hbase, Layout layout) throws IOException {
    Connection connection = ConnectionFactory.createConnection(hbase.configuration());
    TableDescriptor table = table("by_hand");
    connection.getAdmin().createTable(table, layout.splits(BUCKETS).toArray());
    return new Side(connection, connection.getTable(table.getTableName()), Overhead::saltedByHand);
  }

  private static Side dropIn(EmbeddedHBase hbase, Layout layout) throws IOException {
    Configuration configuration = hbase.configuration();
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    Connection connection = ConnectionFactory.createConnection(configuration);
    TableDescriptor table = TableLayout.with(table("drop_in"), layout);
    connection.getAdmin().createTable(table, layout.splits(BUCKETS).toArray());
    return new Side(connection, connection.getTable(table.getTableName()), key -> key);
  }

  private static void compare(String name, int size, Side plain, Side dropIn, Operation operation)
      throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    double[] ratios = new double[ROUNDS];
    // As many again before it counts, for the compiler.
    for (int round = -ROUNDS; round < ROUNDS; round++) {
      List<byte[]> keys = keys(random, size);
      long ours;
      long theirs;
      if (round % 2 == 0) {
        ours = nanos(operation, dropIn, keys);
        theirs = nanos(operation, plain, keys);
      } else {
        theirs = nanos(operation, plain, keys);
        ours = nanos(operation, dropIn, keys);
      }
      if (round >= 0) {
        ratios[round] = (double) theirs / ours;
      }
    }
    Arrays.sort(ratios);
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %.3f | %.3f – %.3f |",
            name,
            ratios[ROUNDS / 2],
            ratios[ROUNDS / 4],
            ratios[ROUNDS * 3 / 4]));
  }

  private static long nanos(Operation operation, Side side, List<byte[]> keys) throws IOException {
    long start = System.nanoTime();
    operation.run(side, keys);
    return System.nanoTime() - start;
  }

  private static List<byte[]> keys(SplittableRandom random, int size) {
    List<byte[]> keys = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      keys.add(Bytes.toBytes(String.format("device-%09d", random.nextInt(100_000))));
    }
    return keys;
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  private static void put(Side side, List<byte[]> keys) throws IOException {
    for (byte[] key : keys) {
      side.table().put(put(side.row(key)));
    }
  }

  private static void get(Side side, List<byte[]> keys) throws IOException {
    for (byte[] key : keys) {
      check(side.table().get(new Get(side.row(key))));
    }
  }

  // What an application does with a row; a key that nobody has written is as good.
  private static void check(Result result) {
    if (!result.isEmpty() && result.getValue(FAMILY, QUALIFIER).length != VALUE.length) {
      throw new IllegalStateException("not what was written: " + result);
    }
  }

  private static void putLists(Side side, List<byte[]> keys) throws IOException {
    for (int i = 0; i < keys.size(); i += 100) {
      List<Put> puts = new ArrayList<>(100);
      keys.subList(i, i + 100).forEach(key -> puts.add(put(side.row(key))));
      side.table().put(puts);
    }
  }

  private static void getLists(Side side, List<byte[]> keys) throws IOException {
    for (int i = 0; i < keys.size(); i += 100) {
      List<Get> gets = new ArrayList<>(100);
      keys.subList(i, i + 100).forEach(key -> gets.add(new Get(side.row(key))));
      for (Result result : side.table().get(gets)) {
        check(result);
      }
    }
  }

  private static void mutate(Side side, List<byte[]> keys) throws IOException {
    try (BufferedMutator mutator = side.connection().getBufferedMutator(side.table().getName())) {
      for (byte[] key : keys) {
        mutator.mutate(put(side.row(key)));
      }
    }
  }
}
