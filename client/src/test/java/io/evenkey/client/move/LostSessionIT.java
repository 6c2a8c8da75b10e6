package io.evenkey.client.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.registry.Membership;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.row.RowMapping;
import io.evenkey.client.table.FollowedMutator;
import io.evenkey.client.table.FollowedTable;
import io.evenkey.client.table.GenerationTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Writes during which the client's session with ZooKeeper ends, each at a chosen moment. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LostSessionIT {
  private static final byte[] D = Bytes.toBytes("d");

  @TempDir private Path directory;
  private Connection plain;
  private ZooKeeperServer zooKeeper;
  private NIOServerCnxnFactory port;
  private Registry registry;
  private Membership membership;
  private StagedMove move;
  private TableName name;
  private LiveTable live;

  /** What happens at the n-th time that the table is opened for a write; null for nothing. */
  private final List<Runnable> atOpening = new ArrayList<>();

  @BeforeEach
  void open(Connection shared, TestInfo info) throws Exception {
    plain = shared;
    zooKeeper = new ZooKeeperServer(directory.toFile(), directory.toFile(), 2_000);
    port = new NIOServerCnxnFactory();
    port.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    port.startup(zooKeeper);
    Configuration own = new Configuration(shared.getConfiguration());
    own.set("evenkey.zookeeper.quorum", "127.0.0.1:" + port.getLocalPort());
    move = StagedMove.create(plain, own, info);
    name = move.source();
    registry = Registry.open(own);
    membership = registry.announce("test");
    live = LiveTable.following(name, membership, Duration.ofSeconds(60));
  }

  @AfterEach
  void close() {
    move.close();
    registry.close();
    port.shutdown();
    zooKeeper.shutdown();
  }

  private GenerationTables generations() throws IOException {
    return new GenerationTables(
        plain,
        plain.getTable(name),
        null,
        this::mapping,
        table -> {
          throw new IOException("not scanned here");
        },
        1 << 20);
  }

  private RowMapping mapping(TableName generation) {
    if (!atOpening.isEmpty()) {
      Runnable next = atOpening.remove(0);
      next.run();
    }
    return RowMapping.of(move.layout(generation));
  }

  private void loseSession() {
    long session = membership.session();
    zooKeeper.closeSession(session);
    await().atMost(Duration.ofSeconds(60)).until(() -> membership.session() != session);
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(D, D, D);
  }

  private static Put refused(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(Bytes.toBytes("nofamily"), D, D);
  }

  private static Delete delete(String key) {
    return new Delete(Bytes.toBytes(key));
  }

  private void putPast(String... keys) {
    try (Table table = plain.getTable(name)) {
      for (String key : keys) {
        table.put(new Put(move.layout(name).physical(Bytes.toBytes(key))).addColumn(D, D, 1L, D));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void deletesThatAreRepeatedAreAllRepeated() throws Exception {
    putPast("a", "b", "c");
    try (Table table = new FollowedTable(() -> live, generations())) {
      int[] made = {0};
      atOpening.add(
          () -> {
            made[0]++;
            loseSession();
          });
      // In place of another generation, in which the first try has deleted nothing.
      atOpening.add(
          () -> {
            made[0]++;
            undelete();
          });
      List<Delete> deletes = new ArrayList<>(List.of(delete("a"), delete("b")));
      table.delete(deletes);
      assertThat(made[0]).isEqualTo(2);
      assertThat(deletes).isEmpty();
    }
    assertThat(move.keys(name)).containsExactly("c");
  }

  // Newer than the tombstones of the first try.
  private void undelete() {
    try (Table table = plain.getTable(name)) {
      long later = System.currentTimeMillis() + 1;
      for (String key : List.of("a", "b")) {
        await().until(() -> System.currentTimeMillis() > later);
        table.put(new Put(move.layout(name).physical(Bytes.toBytes(key))).addColumn(D, D, D));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void listIsLeftWithTheDeletesThatFailed() throws Exception {
    putPast("a", "b", "c");
    Delete bad = delete("b").addFamily(Bytes.toBytes("nofamily"));
    try (Table table = new FollowedTable(() -> live, generations())) {
      List<Delete> deletes = new ArrayList<>(List.of(delete("a"), bad, delete("c")));
      assertThatThrownBy(() -> table.delete(deletes))
          .isInstanceOf(RetriesExhaustedWithDetailsException.class);
      assertThat(deletes).containsExactly(bad);
      move.toDual();
      List<Delete> dual = new ArrayList<>(List.of(delete("a"), bad, delete("c")));
      assertThatThrownBy(() -> table.delete(dual))
          .isInstanceOf(RetriesExhaustedWithDetailsException.class);
      assertThat(dual).containsExactly(bad);
    }
  }

  @Test
  void everyListOfWritesIsRepeatedWhole() throws Exception {
    List<Put> puts = new ArrayList<>(List.of(put("a"), put("b")));
    List<Row> batch = new ArrayList<>(List.of(put("c"), delete("gone")));
    Object[] results = new Object[2];
    try (Table table = new FollowedTable(() -> live, generations())) {
      atOpening.add(this::loseSession);
      table.put(puts);
      assertThat(puts).hasSize(2);
      atOpening.add(this::loseSession);
      table.batch(batch, results);
      assertThat(batch).hasSize(2);
      assertThat(results).allMatch(Result.class::isInstance);
    }
    assertThat(move.keys(name)).containsExactly("a", "b", "c");
  }

  @Test
  void putsOfBothGenerationsFailOneByOne() throws Exception {
    move.toDual();
    List<Put> puts = List.of(put("a"), refused("b"), put("c"));
    try (Table table = new FollowedTable(() -> live, generations())) {
      assertThatThrownBy(() -> table.put(puts))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              e -> {
                assertThat(e.getNumExceptions()).isEqualTo(1);
                assertThat(e.getRow(0)).isSameAs(puts.get(1));
              });
    }
    assertThat(move.keys(move.source())).containsExactly("a", "c");
    assertThat(move.keys(move.target())).containsExactly("a", "c");
  }

  @Test
  void lostSessionDoesNotHideWhichRowsFailed() throws Exception {
    BufferedMutator mutator =
        FollowedMutator.open(
            plain, new BufferedMutatorParams(name), live, this::mapping, generations());
    mutator.mutate(List.of(put("a"), refused("b")));
    loseSession();
    assertThatThrownBy(mutator::flush)
        .isInstanceOf(OutcomeUnknownException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .isInstanceOf(RetriesExhaustedWithDetailsException.class));
    mutator.mutate(put("c"));
    mutator.close();
    assertThat(move.keys(name)).containsExactly("a", "c");
  }

  @Test
  @SuppressWarnings("deprecation") // still in HBase's interface
  void timeoutsAreThoseOfEveryGeneration() throws Exception {
    GenerationTables generations = generations();
    try (Table table = new FollowedTable(() -> live, generations)) {
      Table target = generations.open(move.target());
      table.setOperationTimeout(12_345);
      table.setWriteRpcTimeout(1_234);
      assertThat(target.getOperationTimeout(TimeUnit.MILLISECONDS)).isEqualTo(12_345);
      assertThat(target.getWriteRpcTimeout(TimeUnit.MILLISECONDS)).isEqualTo(1_234);
      assertThat(generations.open(move.source()).getOperationTimeout(TimeUnit.MILLISECONDS))
          .isEqualTo(12_345);
    }
  }
}
