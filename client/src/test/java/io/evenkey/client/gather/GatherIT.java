package io.evenkey.client.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.ScanOptions;
import io.evenkey.client.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** How a scan of many ranges treats the servers, its memory, and ranges that are in trouble. */
@ExtendWith(EmbeddedHBaseExtension.class)
class GatherIT {
  private static final int BUCKETS = 8;
  private static final int ROWS = 8000;
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] VALUE = new byte[1000];
  private static final long BUDGET = 1_000_000;

  private Connection connection;
  private Table table;

  @BeforeEach
  void fill(EmbeddedHBase hbase, TestInfo info) throws IOException {
    Watched.reset();
    Configuration configuration = hbase.configuration();
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.setLong(ScanOptions.BUDGET, BUDGET);
    connection = ConnectionFactory.createConnection(configuration);
    TableName name = TableName.valueOf("gather_" + info.getTestMethod().orElseThrow().getName());
    Layout layout = Layout.parse("salt(" + BUCKETS + ") + key:bytes");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .setCoprocessor(Watched.class.getName())
                  .build(),
              layout),
          layout.splits(BUCKETS).toArray());
    }
    try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < ROWS; i++) {
        mutator.mutate(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, VALUE));
      }
    }
    table = connection.getTable(name);
    Watched.reset();
  }

  @AfterEach
  void close() throws IOException {
    Watched.reset();
    table.close();
    connection.close();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(30, TimeUnit.SECONDS).until(condition);
  }

  /** Waits until nothing more has been sent for a while. */
  private static long settled() {
    AtomicLong last = new AtomicLong();
    Awaitility.await()
        .atMost(30, TimeUnit.SECONDS)
        .pollInterval(20, TimeUnit.MILLISECONDS)
        .during(500, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              long now = Watched.sent();
              return last.getAndSet(now) == now && now > 0;
            });
    return last.get();
  }

  private static List<Integer> keys(ResultScanner scanner) throws IOException {
    List<Integer> keys = new ArrayList<>();
    for (Result row = scanner.next(); row != null; row = scanner.next()) {
      keys.add(Bytes.toInt(row.getRow()));
    }
    return keys;
  }

  private static List<Integer> upTo(int rows) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      keys.add(i);
    }
    return keys;
  }

  @Test
  void othersReadAheadWithinTheBudgetWhileOneRangeIsHeldUp() throws IOException {
    Watched.holdUp(3);
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      long sent = settled();
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        assertThat(Watched.sent(bucket) > 0).as("rows of %d", bucket).isEqualTo(bucket != 3);
      }
      assertThat(sent * VALUE.length).as("bytes held").isLessThan(2 * BUDGET);
      Watched.letGo();
      assertThat(keys(scanner)).isEqualTo(upTo(ROWS));
    }
    await(() -> Watched.open() == 0);
  }

  @Test
  void aLimitAsksEachRangeForItsPortionAndLeavesNothingOpen() throws IOException {
    for (int limit : new int[] {1, 10, 1000}) {
      Watched.reset();
      try (ResultScanner scanner = table.getScanner(new Scan().setLimit(limit))) {
        assertThat(keys(scanner)).isEqualTo(upTo(limit));
      }
      await(() -> Watched.open() == 0);
      assertThat(Watched.sent()).as("rows sent for %d", limit).isLessThan(2L * limit + 6 * BUCKETS);
    }
  }

  @Test
  void aScanThatIsClosedEarlyIsCalledOff() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThat(scanner.next()).isNotNull();
      settled();
    }
    long sent = Watched.sent();
    await(() -> Watched.open() == 0);
    // HBase has to be asked once more to hear that it shall stop.
    assertThat(Watched.sent()).isLessThanOrEqualTo(sent + BUCKETS);
  }

  @Test
  void aRangeThatFailsIsNamed() throws IOException {
    Watched.fail(5);
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThatThrownBy(() -> keys(scanner))
          .hasMessageContaining("broken for the test")
          .satisfies(
              failure ->
                  assertThat(failure.getSuppressed())
                      .anySatisfy(
                          range ->
                              assertThat(range)
                                  .hasMessageContaining("table=" + table.getName())
                                  .hasMessageContaining("range=[\\x05, \\x06)")
                                  .hasMessageContaining("server=localhost")));
      assertThat(scanner.next()).as("said once").isNull();
    }
    await(() -> Watched.open() == 0);
  }
}
