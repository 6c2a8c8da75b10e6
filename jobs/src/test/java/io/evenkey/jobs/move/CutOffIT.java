package io.evenkey.jobs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.move.FencedException;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.RegistrySettings;
import io.evenkey.client.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A client that ZooKeeper has lost, while HBase has not. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CutOffIT {
  private static final byte[] D = Bytes.toBytes("d");

  @TempDir private Path directory;
  private TableName name;
  private Connection plain;
  private SpreadTables tables;
  private Registry registry;
  private Wire wire;
  private Connection client;
  private Table table;

  @BeforeEach
  void open(EmbeddedHBase hbase, TestInfo info) throws IOException {
    name = TableName.valueOf(info.getTestMethod().orElseThrow().getName());
    plain = hbase.connection();
    tables = SpreadTables.on(plain);
    registry = Registry.open(plain.getConfiguration());
    Layout layout = Layout.parse("salt(4) + key:bytes");
    tables.create(name, layout, layout.splits(2), List.of("d"));
    wire = Wire.to(hbase.zooKeeperPort());
    Configuration far = new Configuration(plain.getConfiguration());
    far.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    far.set(RegistrySettings.QUORUM, "127.0.0.1:" + wire.port());
    far.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 2_000);
    client = ConnectionFactory.createConnection(far);
    table = client.getTable(name);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    client.close();
    wire.close();
    registry.close();
    tables.close();
  }

  private static Put put(int n) {
    return new Put(Bytes.toBytes("row-" + n)).addColumn(D, D, Bytes.toBytes(n));
  }

  private Mover mover() throws IOException {
    return Mover.begin(
        plain,
        tables,
        registry,
        MovePlan.of(name, Layout.parse("salt(3) + key:bytes")).by(Move.By.PUTS).to(Stage.FINISHED),
        MoveSettings.in(new org.apache.hadoop.fs.Path(directory.toUri())),
        MoveWatch.NOBODY);
  }

  @Test
  void whatItMissedItLearnsWhenItIsBack() throws Exception {
    table.put(put(1));
    wire.cut();
    try (Mover mover = mover()) {
      CompletableFuture<Move> moved =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return mover.run();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      await().until(() -> registry.move(name).orElseThrow().value().stage() == Stage.JOINING);
      // Its session is alive: nothing but this client's asking tells it of the move.
      wire.mend();
      assertThat(moved.get(60, TimeUnit.SECONDS).stage()).isEqualTo(Stage.FINISHED);
    }
    table.put(put(2));
    assertThat(tables.open(name).get(new Get(put(2).getRow())).isEmpty()).isFalse();
  }

  @Test
  void itWritesNothingThatNobodyReads() throws Exception {
    table.put(put(1));
    wire.cut();
    // For as long as its lease it can be sure that the mover waits for it.
    table.put(put(2));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> table.put(put(3)))
                    .isInstanceOf(FencedException.class)
                    .hasMessageContaining("no session with ZooKeeper"));
    try (Mover mover = mover()) {
      assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
    }
    assertThatThrownBy(() -> table.put(put(4))).isInstanceOf(FencedException.class);
    wire.mend();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(FencedException.class)
        .untilAsserted(() -> table.put(put(5)));
    for (int n : new int[] {1, 2, 5}) {
      assertThat(tables.open(name).get(new Get(put(n).getRow())))
          .as("row " + n)
          .matches(row -> !row.isEmpty());
      assertThat(table.exists(new Get(put(n).getRow()))).isTrue();
    }
  }
}
