package io.evenkey.client.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.registry.Stage;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What HBase promises of a buffered mutator, while the table is migrated. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class BufferedMutatorMoveIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");

  private Configuration configuration;
  private Connection dropIn;
  private TableName name;
  private StagedMove move;

  @BeforeEach
  void open(Connection plain, TestInfo info) throws IOException {
    move = StagedMove.create(plain, plain.getConfiguration(), info);
    name = move.source();
    configuration = move.dropIn();
    dropIn = ConnectionFactory.createConnection(configuration);
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
    move.close();
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(D, Q, Q);
  }

  /** A put that every server refuses. */
  private static Put refused(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(Bytes.toBytes("nofamily"), Q, Q);
  }

  private static List<String> rows(RetriesExhaustedWithDetailsException failure) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < failure.getNumExceptions(); i++) {
      rows.add(Bytes.toString(failure.getRow(i).getRow()));
    }
    return rows;
  }

  /** Keeps what it is told. */
  private static final class Told implements BufferedMutator.ExceptionListener {
    final List<String> rows = Collections.synchronizedList(new ArrayList<>());
    final List<Row> actions = Collections.synchronizedList(new ArrayList<>());
    volatile BufferedMutator by;

    @Override
    public void onException(RetriesExhaustedWithDetailsException failure, BufferedMutator mutator) {
      by = mutator;
      rows.addAll(BufferedMutatorMoveIT.rows(failure));
      for (int i = 0; i < failure.getNumExceptions(); i++) {
        actions.add(failure.getRow(i));
      }
    }
  }

  private void bothHave(String... keys) throws IOException {
    assertThat(move.keys(move.source())).containsExactly(keys);
    assertThat(move.keys(move.target())).containsExactly(keys);
  }

  @Test
  void periodicFlushWritesToBothGenerations() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name);
    params.setWriteBufferPeriodicFlushTimeoutMs(100);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      move.toDual();
      mutator.mutate(put("a"));
      await().untilAsserted(() -> bothHave("a"));
      // Not only what is first in a buffer.
      mutator.mutate(put("b"));
      await().untilAsserted(() -> bothHave("a", "b"));
    }
  }

  @Test
  void listenerGetsExactlyTheRowsThatFailed() throws Exception {
    Told told = new Told();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(told);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      move.toDual();
      Put bad = refused("b");
      mutator.mutate(List.of(put("a"), bad, put("c")));
      mutator.flush();
      assertThat(told.rows).containsExactly("b");
      assertThat(told.actions).containsExactly(bad);
      assertThat(told.by).isSameAs(mutator);
      bothHave("a", "c");
    }
  }

  @Test
  void listenerGetsTheApplicationsMutatorBeforeAMigrationToo() throws Exception {
    Told told = new Told();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(told);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      mutator.mutate(List.of(put("a"), refused("b")));
      mutator.flush();
      assertThat(told.rows).containsExactly("b");
      assertThat(told.by).isSameAs(mutator);
    }
  }

  @Test
  void listenerMayWriteAgainWhatFailed() throws Exception {
    BufferedMutator.ExceptionListener again =
        (failure, mutator) -> {
          try {
            for (String row : rows(failure)) {
              mutator.mutate(put(row + "-again"));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    try (BufferedMutator mutator =
        dropIn.getBufferedMutator(new BufferedMutatorParams(name).listener(again))) {
      mutator.mutate(refused("a"));
      move.toDual();
      mutator.mutate(refused("b"));
      mutator.flush();
    }
    bothHave("a-again", "b-again");
  }

  @Test
  void listenerIsCalledWhenAChangeOfPhaseFlushes() throws Exception {
    Told told = new Told();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(told);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      mutator.mutate(refused("a"));
      move.toDual();
      assertThat(told.rows).containsExactly("a");
      mutator.mutate(refused("b"));
      move.to(Stage.FENCING);
      assertThat(told.rows).containsExactly("a", "b");
      assertThatCode(mutator::flush).doesNotThrowAnyException();
    }
  }

  @Test
  void callThatThrowsForEarlierRowsHasTakenItsOwn() throws Exception {
    BufferedMutator mutator = dropIn.getBufferedMutator(name);
    mutator.mutate(refused("a"));
    move.toDual();
    assertThatThrownBy(() -> mutator.mutate(put("b")))
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class, e -> assertThat(rows(e)).contains("a"));
    mutator.close();
    bothHave("b");
  }

  @Test
  void closeThatThrowsForEarlierRowsHasWrittenTheLaterOnes() throws Exception {
    BufferedMutator mutator = dropIn.getBufferedMutator(name);
    move.toDual();
    mutator.mutate(List.of(put("a"), refused("b"), put("c")));
    assertThatThrownBy(mutator::close)
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> assertThat(rows(e)).containsExactly("b"));
    bothHave("a", "c");
    assertThatCode(mutator::close).doesNotThrowAnyException();
  }

  @Test
  void closedMutatorTakesNothing() throws Exception {
    BufferedMutator mutator = dropIn.getBufferedMutator(name);
    move.toDual();
    mutator.close();
    assertThatThrownBy(() -> mutator.mutate(put("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mutator::flush).isInstanceOf(IllegalStateException.class);
    bothHave();
  }

  @Test
  void putThatHBaseRefusesAtOnceIsRefusedAtOnce() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name).maxKeyValueSize(100);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      move.toDual();
      Put large = new Put(Q).addColumn(D, Q, new byte[200]);
      assertThatThrownBy(() -> mutator.mutate(large)).hasMessage("KeyValue size too large");
      assertThatThrownBy(() -> mutator.mutate(new Put(Q))).hasMessage("No columns to insert");
    }
  }

  @Test
  void bufferThatIsFullIsWritten() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name).writeBufferSize(1);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      move.toDual();
      mutator.mutate(put("a"));
      bothHave("a");
    }
  }

  @Test
  void settingsOutliveTheSwitch() throws Exception {
    BufferedMutatorParams params =
        new BufferedMutatorParams(name)
            .writeBufferSize(12_345)
            .setRequestAttribute("who", Bytes.toBytes("me"));
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      move.toDual();
      mutator.mutate(put("a"));
      mutator.setWriteBufferPeriodicFlush(100, 200);
      move.toTarget();
      assertThat(mutator.getWriteBufferPeriodicFlushTimeoutMs()).isEqualTo(100);
      assertThat(mutator.getWriteBufferPeriodicFlushTimerTickMs()).isEqualTo(200);
      assertThat(mutator.getWriteBufferSize()).isEqualTo(12_345);
      assertThat(mutator.getRequestAttributes()).containsOnlyKeys("who");
      mutator.mutate(put("b"));
      await().untilAsserted(() -> assertThat(move.keys(move.target())).containsExactly("a", "b"));
      mutator.setWriteBufferPeriodicFlush(100);
      assertThat(mutator.getWriteBufferPeriodicFlushTimerTickMs()).isEqualTo(1_000);
      mutator.disableWriteBufferPeriodicFlush();
      assertThat(mutator.getWriteBufferPeriodicFlushTimeoutMs()).isZero();
      assertThatCode(() -> mutator.setRpcTimeout(30_000)).doesNotThrowAnyException();
      assertThatCode(() -> mutator.setOperationTimeout(30_000)).doesNotThrowAnyException();
      mutator.mutate(put("c"));
    }
    assertThat(move.keys(move.source())).containsExactly("a");
    assertThat(move.keys(move.target())).containsExactly("a", "b", "c");
  }

  @Test
  void timeoutsAreThoseOfAllGenerations() throws Exception {
    // A server does not answer within a thousandth of a second all the time: none of a hundred
    // does.
    try (BufferedMutator mutator = dropIn.getBufferedMutator(name)) {
      assertThat(mutator.getName()).isEqualTo(name);
      move.toDual();
      mutator.setOperationTimeout(1);
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(put("k" + i));
      }
      mutator.mutate(puts);
      assertThatThrownBy(mutator::flush).isInstanceOf(IOException.class);
      mutator.setOperationTimeout(60_000);
      mutator.mutate(puts);
      mutator.flush();
    }
    assertThat(move.keys(move.target())).hasSize(100);
  }

  private AsyncConnection async() throws IOException {
    return FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
  }

  @Test
  void asynchronousMutatorAnswersEachMutationByItself() throws Exception {
    try (AsyncConnection async = async()) {
      AsyncBufferedMutator mutator = async.getBufferedMutator(name);
      CompletableFuture<Void> first = mutator.mutate(put("first"));
      mutator.flush();
      FutureUtils.get(first);
      move.toDual();
      List<CompletableFuture<Void>> futures =
          mutator.mutate(List.of(put("a"), refused("b"), put("c")));
      FutureUtils.get(futures.get(0));
      assertThatThrownBy(() -> FutureUtils.get(futures.get(1))).hasMessageContaining("nofamily");
      FutureUtils.get(futures.get(2));
      assertThat(move.keys(move.target())).containsExactly("a", "c");
      mutator.close();
      assertThatThrownBy(() -> FutureUtils.get(mutator.mutate(put("d"))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Already closed");
    }
  }

  @Test
  void asynchronousTableAnswersEachPutByItself() throws Exception {
    try (AsyncConnection async = async()) {
      FutureUtils.get(async.getTable(name).put(put("first")));
      move.toDual();
      List<CompletableFuture<Void>> futures =
          async.getTable(name).put(List.of(put("a"), refused("b"), put("c")));
      FutureUtils.get(futures.get(0));
      assertThatThrownBy(() -> FutureUtils.get(futures.get(1))).hasMessageContaining("nofamily");
      FutureUtils.get(futures.get(2));
    }
  }

  @Test
  void asynchronousSettingsOutliveTheSwitch() throws Exception {
    try (AsyncConnection async = async();
        AsyncBufferedMutator mutator =
            async
                .getBufferedMutatorBuilder(name)
                .setWriteBufferPeriodicFlush(100, TimeUnit.MILLISECONDS)
                .setMaxKeyValueSize(100)
                .build()) {
      FutureUtils.get(mutator.mutate(put("first")));
      move.toDual();
      move.toTarget();
      FutureUtils.get(mutator.mutate(put("a")));
      assertThat(move.keys(move.target())).containsExactly("a");
      Put large = new Put(Q).addColumn(D, Q, new byte[200]);
      assertThatThrownBy(() -> FutureUtils.get(mutator.mutate(large)))
          .hasMessageContaining("KeyValue size too large");
    }
  }
}
