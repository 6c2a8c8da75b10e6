package io.evenkey.jobs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables moved while they are written to, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MoveIT {
  private static final int ROWS = 2_000;

  @org.junit.jupiter.api.io.TempDir private java.nio.file.Path directory;
  private Connection plain;
  private SpreadTables tables;
  private Registry registry;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    tables = SpreadTables.on(shared);
    registry = Registry.open(shared.getConfiguration());
    name =
        TableName.valueOf(
            info.getTestMethod().orElseThrow().getName()
                + Integer.toHexString(info.getDisplayName().hashCode()));
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
    registry.close();
  }

  private void create(String line) throws IOException {
    if (line.isEmpty()) {
      try (Admin admin = plain.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                .build());
      }
    } else {
      Layout layout = Layout.parse(line);
      tables.create(name, layout, layout.splits(2), java.util.List.of("d"));
    }
    Layout layout = Layout.parse(line.isEmpty() ? "key:bytes" : line);
    try (Table table = plain.getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] key = Bytes.toBytes("before-" + i);
        table.put(
            new Put(layout.physical(key))
                .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes(i)));
      }
    }
  }

  private MoveSettings settings() {
    return new MoveSettings(
        new Path(directory.toUri()), Duration.ofSeconds(30), Duration.ofMillis(50), 10_000);
  }

  private Mover mover(String layout, boolean bulk, Stage goal) throws IOException {
    return Mover.begin(
        plain,
        tables,
        registry,
        name,
        Layout.parse(layout),
        0,
        bulk,
        Move.Pace.FREE,
        goal,
        settings(),
        MoveWatch.NOBODY);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'salt(4) + key:bytes', true",
    "'salt(4) + key:bytes', 'salt(7) + key:bytes', false",
    "'hbasewd_salt(4) + key:bytes', 'salt(3) + key:bytes', true"
  })
  void nothingIsLost(String from, String to, boolean bulk) throws Exception {
    create(from);
    try (Traffic traffic = new Traffic(plain, name)) {
      traffic.start(1);
      traffic.start(2);
      await().until(() -> traffic.written() > 50);
      try (Mover mover = mover(to, bulk, Stage.SWITCHED)) {
        Move move = mover.run();
        assertThat(move.stage()).isEqualTo(Stage.SWITCHED);
        traffic.isWell();
        mover.to(Stage.FINISHED);
        assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
      }
      long before = traffic.written();
      await().until(() -> traffic.written() > before + 20);
      traffic.check();
    }
    assertThat(tables.open(name).layout()).isEqualTo(Layout.parse(to));
  }
}
