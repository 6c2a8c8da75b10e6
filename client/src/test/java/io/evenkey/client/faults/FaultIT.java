/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.faults;

import static io.evenkey.client.faults.Chains.FAMILY;
import static io.evenkey.client.faults.Chains.PREVIOUS;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.metrics.ScanMeters;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ForwardingConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writes and scans a spread table through the drop-in connections while servers die, regions split,
 * merge and move, sessions end and servers dawdle: no acknowledged row may be missing from a scan
 * that began after, none may come twice or out of order, and at the end all are there.
 *
 * <p>Other draws with {@code -Devenkey.seed}, longer runs with {@code -Devenkey.faults.seconds}.
 */
@Tag("ci")
class FaultIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);
  private static final int SECONDS =
      Integer.getInteger("evenkey.faults.seconds", Boolean.getBoolean("evenkey.deep") ? 120 : 15);
  private static final TableName TABLE = TableName.valueOf("chains");
  private static final int SHORT = 20;
  private static final Layout LAYOUT = Layout.parse("salt(8) + key:bytes");

  private final AtomicBoolean stop = new AtomicBoolean();
  private final ReadWriteLock writes = new ReentrantReadWriteLock(true);
  private final AtomicInteger scans = new AtomicInteger();
  private final AtomicInteger shortScans = new AtomicInteger();
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final List<Throwable> failedScans = Collections.synchronizedList(new ArrayList<>());

  @Tag("ci")
  @Test
  void noRowIsLostDoubledOrOutOfOrder() throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).start()) {
      create(hbase.connection());
      Configuration configuration = hbase.configuration();
      // A request that HBase's client queues while its connection to a dead server fails is
      // forgotten, and ends by this timeout alone. With the default, 60 s, four dead servers take
      // as long as the test may.
      configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 10_000);
      configuration.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 10_000);
      configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
      configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
      try (Connection connection = ConnectionFactory.createConnection(configuration);
          AsyncConnection async = ConnectionFactory.createAsyncConnection(configuration).get()) {
        run(hbase, connection, async);
      }
    }
  }

  private static void create(Connection plain) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setCoprocessor(SlowServer.class.getName())
            .build();
    plain.getAdmin().createTable(TableLayout.with(table, LAYOUT), LAYOUT.splits(8).toArray());
  }

  private void run(EmbeddedHBase hbase, Connection connection, AsyncConnection async)
      throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Table table = connection.getTable(TABLE);
    BufferedMutator mutator = connection.getBufferedMutator(TABLE);
    AsyncTable<AdvancedScanResultConsumer> asyncTable = async.getTable(TABLE);
    List<Chains> chains =
        List.of(
            new Chains(table::put, random.split(), stop, writes.readLock()),
            new Chains(
                puts -> {
                  mutator.mutate(puts);
                  mutator.flush();
                },
                random.split(),
                stop,
                writes.readLock()),
            new Chains(
                puts -> asyncTable.putAll(puts).get(), random.split(), stop, writes.readLock()));
    List<Thread> threads = new ArrayList<>();
    chains.forEach(chain -> threads.add(new Thread(chain, "writer")));
    Table read = connection.getTable(TABLE);
    threads.add(
        new Thread(() -> scanAgainAndAgain(chains, reversed -> rows(read, reversed)), "scanner"));
    threads.add(
        new Thread(
            () -> scanAgainAndAgain(chains, reversed -> observed(asyncTable, reversed)),
            "observer"));
    Table first = connection.getTable(TABLE);
    SplittableRandom starts = random.split();
    threads.add(new Thread(() -> scanShortRanges(chains, first, starts), "short scanner"));
    threads.forEach(Thread::start);
    Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    try {
      Saboteur saboteur =
          new Saboteur(hbase, plainOf(connection), TABLE, random.split(), writes.writeLock());
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      do {
        for (Fault fault : EnumSet.allOf(Fault.class)) {
          saboteur.inflict(fault);
          faults.merge(fault, 1, Integer::sum);
        }
      } while (System.nanoTime() < end);
    } finally {
      stop.set(true);
      long patience = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(60);
      for (Thread thread : threads) {
        thread.join(Math.max(1, patience - System.currentTimeMillis()));
      }
    }
    assertThat(threads)
        .allSatisfy(
            thread ->
                assertThat(thread.isAlive())
                    .as("%s is still at %s", thread.getName(), List.of(thread.getStackTrace()))
                    .isFalse());
    verify(chains, table);
    report(chains, faults);
    mutator.close();
  }

  private static Connection plainOf(Connection connection) throws ReflectiveOperationException {
    Field plain = ForwardingConnection.class.getDeclaredField("connection");
    plain.setAccessible(true);
    return (Connection) plain.get(connection);
  }

  @FunctionalInterface
  private interface Read {
    List<byte[]> rows(boolean reversed) throws Exception;
  }

  private void scanAgainAndAgain(List<Chains> chains, Read read) {
    boolean reversed = false;
    while (!stop.get()) {
      int[] before = chains.stream().mapToInt(Chains::count).toArray();
      try {
        check(chains, before, read.rows(reversed), reversed);
        scans.incrementAndGet();
      } catch (Exception | Error e) {
        failedScans.add(e);
      }
      reversed = !reversed;
    }
  }

  /** The first rows from random keys on, which region servers gather. */
  private void scanShortRanges(List<Chains> chains, Table table, SplittableRandom random) {
    while (!stop.get()) {
      int[] before = chains.stream().mapToInt(Chains::count).toArray();
      byte[] from = new byte[4];
      random.nextBytes(from);
      boolean reversed = random.nextBoolean();
      try {
        List<byte[]> rows = new ArrayList<>();
        try (ResultScanner scanner =
            table.getScanner(new Scan().withStartRow(from).setReversed(reversed).setLimit(SHORT))) {
          for (Result row : scanner) {
            rows.add(row.getRow());
          }
        }
        checkOrder(rows, reversed);
        byte[] last = rows.size() < SHORT ? null : rows.get(SHORT - 1);
        checkComplete(chains, before, rows, row -> isBetween(from, row, last, reversed));
        shortScans.incrementAndGet();
      } catch (Exception | Error e) {
        failedScans.add(e);
      }
    }
  }

  private static boolean isBetween(byte[] from, byte[] row, byte[] last, boolean reversed) {
    int sign = reversed ? -1 : 1;
    return sign * Arrays.compareUnsigned(from, row) <= 0
        && (last == null || sign * Arrays.compareUnsigned(row, last) <= 0);
  }

  private static List<byte[]> rows(Table table, boolean reversed) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan(reversed))) {
      for (Result row : scanner) {
        rows.add(row.getRow());
      }
    }
    return rows;
  }

  // Small answers, so that every scan is under way for a while.
  private static Scan scan(boolean reversed) {
    return new Scan().setReversed(reversed).setMaxResultSize(20_000);
  }

  private static List<byte[]> observed(
      AsyncTable<AdvancedScanResultConsumer> table, boolean reversed) throws Exception {
    CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
    table.scan(
        scan(reversed),
        new AdvancedScanResultConsumer() {
          private final List<byte[]> rows = new ArrayList<>();

          @Override
          public void onNext(Result[] results, ScanController controller) {
            Arrays.stream(results).forEach(result -> rows.add(result.getRow()));
          }

          @Override
          public void onError(Throwable error) {
            all.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            all.complete(rows);
          }
        });
    return all.get(5, TimeUnit.MINUTES);
  }

  private void check(List<Chains> chains, int[] before, List<byte[]> rows, boolean reversed) {
    checkOrder(rows, reversed);
    checkComplete(chains, before, rows, row -> true);
  }

  private void checkOrder(List<byte[]> rows, boolean reversed) {
    for (int i = 1; i < rows.size(); i++) {
      int order = Arrays.compareUnsigned(rows.get(i - 1), rows.get(i));
      if (reversed ? order <= 0 : order >= 0) {
        wrong.add((order == 0 ? "twice" : "out of order") + ": row " + i + " of " + rows.size());
      }
    }
  }

  private void checkComplete(
      List<Chains> chains, int[] before, List<byte[]> rows, Predicate<byte[]> wanted) {
    Set<ByteBuffer> seen = new HashSet<>();
    rows.forEach(row -> seen.add(ByteBuffer.wrap(row)));
    for (int i = 0; i < before.length; i++) {
      List<ByteBuffer> acknowledged = chains.get(i).acknowledged(before[i]);
      long missing =
          acknowledged.stream()
              .filter(row -> wanted.test(Bytes.getBytes(row)))
              .filter(row -> !seen.contains(row))
              .count();
      if (missing > 0) {
        wrong.add(missing + " acknowledged rows not in a scan that began later");
      }
    }
  }

  private void verify(List<Chains> chains, Table table) throws IOException {
    Set<ByteBuffer> written = new HashSet<>();
    chains.forEach(chain -> written.addAll(chain.acknowledged(chain.count())));
    Set<ByteBuffer> stored = new HashSet<>();
    List<ByteBuffer> named = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        stored.add(ByteBuffer.wrap(row.getRow()));
        byte[] previous = row.getValue(FAMILY, PREVIOUS);
        if (previous.length > 0) {
          named.add(ByteBuffer.wrap(previous));
        }
      }
    }
    assertThat(wrong).as("seed %d", SEED).isEmpty();
    assertThat(chains).as("writers").allMatch(chain -> chain.count() > 0);
    assertThat(scans.get()).as("scans that were checked").isPositive();
    assertThat(shortScans.get()).as("short scans that were checked").isPositive();
    assertThat(ScanMeters.gathered()).as("short scans that servers gathered").isPositive();
    // Counts: a few hundred thousand keys are no message.
    assertThat(written.stream().filter(row -> !stored.contains(row)).count())
        .as("acknowledged rows that are not there, of %d, seed %d", written.size(), SEED)
        .isZero();
    assertThat(stored.size()).as("rows, seed %d", SEED).isEqualTo(written.size());
    assertThat(stored.containsAll(named)).as("every link leads to a row, seed %d", SEED).isTrue();
    assertThat(failedScans).as("scans that gave up, seed %d", SEED).isEmpty();
  }

  private void report(List<Chains> chains, Map<Fault, Integer> faults) {
    System.out.println(
        "faults: seed="
            + SEED
            + " rows="
            + chains.stream().mapToInt(Chains::count).sum()
            + " writes repeated="
            + chains.stream().mapToInt(Chains::retries).sum()
            + " scans="
            + scans
            + " short="
            + shortScans
            + " gathered="
            + ScanMeters.gathered()
            + " ungathered="
            + ScanMeters.ungathered()
            + " "
            + faults);
  }
}
