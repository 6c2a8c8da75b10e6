/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.failure.FencedException;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
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
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** HBase's guarantees of a buffered mutator hold while the table becomes another generation. */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class BufferedMutatorSwitchIT {
  private static final byte[] D = GuardSwitch.FAMILY;
  private static final byte[] Q = Bytes.toBytes("q");

  private Configuration configuration;
  private Connection dropIn;
  private TableName name;
  private GuardSwitch table;

  @BeforeEach
  void open(Connection plain, TestInfo info) throws IOException {
    name = TableName.valueOf("mutator_" + info.getTestMethod().orElseThrow().getName());
    table = GuardSwitch.create(plain, name);
    configuration = table.dropIn();
    dropIn = ConnectionFactory.createConnection(configuration);
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(D, Q, Q);
  }

  /** A put that every region server refuses. */
  private static Put withoutFamily(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(Bytes.toBytes("nofamily"), Q, Q);
  }

  private static List<String> rows(RetriesExhaustedWithDetailsException failure) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < failure.getNumExceptions(); i++) {
      rows.add(Bytes.toString(failure.getRow(i).getRow()));
    }
    return rows;
  }

  /** Keeps what it is called with. */
  private static final class Kept implements BufferedMutator.ExceptionListener {
    final List<String> rows = Collections.synchronizedList(new ArrayList<>());
    final List<Row> actions = Collections.synchronizedList(new ArrayList<>());
    final List<Throwable> causes = Collections.synchronizedList(new ArrayList<>());
    volatile BufferedMutator by;

    @Override
    public void onException(RetriesExhaustedWithDetailsException failure, BufferedMutator mutator) {
      by = mutator;
      rows.addAll(BufferedMutatorSwitchIT.rows(failure));
      for (int i = 0; i < failure.getNumExceptions(); i++) {
        actions.add(failure.getRow(i));
        causes.add(failure.getCause(i));
      }
    }
  }

  private void has(String... keys) throws IOException {
    assertThat(table.keys(table.current())).containsExactly(keys);
  }

  @Tag("long")
  @Test
  void periodicFlushWritesToTheGenerationInUse() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name);
    params.setWriteBufferPeriodicFlushTimeoutMs(100);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      mutator.mutate(put("a"));
      await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> has("a"));
      table.toOther();
      mutator.mutate(put("b"));
      await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> has("a", "b"));
    }
    assertThat(table.keys(table.source())).containsExactly("a");
  }

  @Test
  void mutationsBufferedBeforeTheSwitchAreWrittenAfterIt() throws Exception {
    BufferedMutator mutator = dropIn.getBufferedMutator(name);
    mutator.mutate(List.of(put("a"), put("b")));
    table.toOther();
    mutator.mutate(put("c"));
    mutator.close();
    has("a", "b", "c");
    assertThat(table.keys(table.source())).isEmpty();
  }

  @Test
  void laterMutationOfARowStaysTheLaterOne() throws Exception {
    byte[] row = Bytes.toBytes("a");
    try (BufferedMutator mutator = dropIn.getBufferedMutator(name);
        Table read = dropIn.getTable(name)) {
      for (int i = 0; i < 6; i++) {
        mutator.mutate(new Put(row, 7).addColumn(D, Q, Bytes.toBytes(i)));
        if (i % 2 == 0) {
          table.toOther();
        }
        mutator.mutate(new Put(row, 7).addColumn(D, Q, Bytes.toBytes(100 + i)));
        mutator.flush();
        assertThat(Bytes.toInt(read.get(new Get(row)).getValue(D, Q))).isEqualTo(100 + i);
      }
    }
  }

  @Test
  void listenerGetsExactlyTheRowsThatFailed() throws Exception {
    Kept kept = new Kept();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(kept);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      table.toOther();
      Put bad = withoutFamily("b");
      mutator.mutate(List.of(put("a"), bad, put("c")));
      mutator.flush();
      assertThat(kept.rows).containsExactly("b");
      assertThat(((Put) kept.actions.get(0)).getFamilyCellMap().keySet())
          .containsExactlyElementsOf(bad.getFamilyCellMap().keySet());
      assertThat(kept.actions.get(0)).isInstanceOf(Put.class);
      assertThat(kept.by).isSameAs(mutator);
      has("a", "c");
    }
  }

  @Test
  void listenerGetsTheApplicationsMutatorBeforeAMigrationToo() throws Exception {
    Kept kept = new Kept();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(kept);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      mutator.mutate(List.of(put("a"), withoutFamily("b")));
      mutator.flush();
      assertThat(kept.rows).containsExactly("b");
      assertThat(kept.by).isSameAs(mutator);
    }
  }

  @Tag("long")
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
      mutator.mutate(withoutFamily("a"));
      table.toOther();
      mutator.mutate(withoutFamily("b"));
      mutator.flush();
    }
    has("a-again", "b-again");
  }

  @Test
  void callThatThrowsForEarlierRowsHasTakenItsOwn() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name).writeBufferSize(1);
    BufferedMutator mutator = dropIn.getBufferedMutator(params);
    table.toOther();
    List<String> failed = new ArrayList<>();
    for (Put put : List.of(withoutFamily("a"), put("b"), put("c"))) {
      try {
        mutator.mutate(put);
      } catch (RetriesExhaustedWithDetailsException e) {
        failed.addAll(rows(e));
      }
    }
    try {
      mutator.close();
    } catch (RetriesExhaustedWithDetailsException e) {
      failed.addAll(rows(e));
    }
    assertThat(failed).containsExactly("a");
    has("b", "c");
  }

  @Test
  void closeThatThrowsForEarlierRowsHasWrittenTheLaterOnes() throws Exception {
    BufferedMutator mutator = dropIn.getBufferedMutator(name);
    table.toOther();
    mutator.mutate(List.of(put("a"), withoutFamily("b"), put("c")));
    assertThatThrownBy(mutator::close)
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            e -> assertThat(rows(e)).containsExactly("b"));
    has("a", "c");
    assertThatCode(mutator::close).doesNotThrowAnyException();
  }

  @Test
  void closedMutatorTakesNothing() throws Exception {
    BufferedMutator mutator = dropIn.getBufferedMutator(name);
    table.toOther();
    mutator.close();
    assertThatThrownBy(() -> mutator.mutate(put("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mutator::flush).isInstanceOf(IllegalStateException.class);
    has();
  }

  @Tag("ci")
  @Test
  void putThatHBaseRefusesAtOnceIsRefusedAtOnce() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name).maxKeyValueSize(100);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      table.toOther();
      Put large = new Put(Q).addColumn(D, Q, new byte[200]);
      assertThatThrownBy(() -> mutator.mutate(large)).hasMessage("KeyValue size too large");
      assertThatThrownBy(() -> mutator.mutate(new Put(Q))).hasMessage("No columns to insert");
    }
  }

  @Test
  void bufferThatIsFullIsWritten() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(name).writeBufferSize(1);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      table.toOther();
      mutator.mutate(put("a"));
      await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> has("a"));
    }
  }

  @Tag("long")
  @Test
  void settingsOutliveTheSwitch() throws Exception {
    BufferedMutatorParams params =
        new BufferedMutatorParams(name)
            .writeBufferSize(12_345)
            .setRequestAttribute("who", Bytes.toBytes("me"));
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      mutator.mutate(put("a"));
      mutator.setWriteBufferPeriodicFlush(100, 200);
      table.toOther();
      assertThat(mutator.getWriteBufferPeriodicFlushTimeoutMs()).isEqualTo(100);
      assertThat(mutator.getWriteBufferPeriodicFlushTimerTickMs()).isEqualTo(200);
      mutator.mutate(put("b"));
      await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> has("a", "b"));
      assertThat(mutator.getWriteBufferSize()).isEqualTo(12_345);
      assertThat(mutator.getRequestAttributes()).containsOnlyKeys("who");
      mutator.setWriteBufferPeriodicFlush(100);
      assertThat(mutator.getWriteBufferPeriodicFlushTimerTickMs()).isEqualTo(1_000);
      mutator.disableWriteBufferPeriodicFlush();
      assertThat(mutator.getWriteBufferPeriodicFlushTimeoutMs()).isZero();
      assertThatCode(() -> mutator.setRpcTimeout(30_000)).doesNotThrowAnyException();
      assertThatCode(() -> mutator.setOperationTimeout(30_000)).doesNotThrowAnyException();
      mutator.mutate(put("c"));
    }
    has("a", "b", "c");
  }

  @Tag("long")
  @Test
  void timeoutsAreThoseOfAllGenerations() throws Exception {
    // No server answers a hundred times within a thousandth of a second.
    try (BufferedMutator mutator = dropIn.getBufferedMutator(name)) {
      assertThat(mutator.getName()).isEqualTo(name);
      mutator.mutate(put("first"));
      mutator.flush();
      table.toOther();
      mutator.mutate(put("second"));
      mutator.flush();
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
    assertThat(table.keys(table.current())).hasSize(102);
  }

  @Test
  void fenceOfAMomentIsWaitedFor() throws Exception {
    Kept kept = new Kept();
    BufferedMutatorParams params = new BufferedMutatorParams(name).listener(kept);
    try (BufferedMutator mutator = dropIn.getBufferedMutator(params)) {
      mutator.mutate(List.of(put("a"), withoutFamily("b"), put("c")));
      table.fence();
      CompletableFuture<Void> flushed =
          CompletableFuture.runAsync(
              () -> {
                try {
                  mutator.flush();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      TimeUnit.MILLISECONDS.sleep(300);
      assertThat(flushed).isNotDone();
      table.unfence();
      flushed.get(30, TimeUnit.SECONDS);
    }
    assertThat(kept.rows).containsExactly("b");
    has("a", "c");
  }

  @Tag("long")
  @Test
  void listenerGetsWhatWasRefusedForTooLong() throws Exception {
    configuration.setInt(Repeats.SETTING, 200);
    Kept kept = new Kept();
    try (Connection impatient = ConnectionFactory.createConnection(configuration);
        BufferedMutator mutator =
            impatient.getBufferedMutator(new BufferedMutatorParams(name).listener(kept))) {
      table.set(table.current(), GuardMode.READ_ONLY);
      mutator.mutate(List.of(put("a"), put("b")));
      mutator.flush();
      assertThat(kept.rows).containsExactlyInAnyOrder("a", "b");
      assertThat(kept.causes).allSatisfy(e -> assertThat(e).isInstanceOf(FencedException.class));
      table.unfence();
      mutator.mutate(put("c"));
    }
    has("c");
  }

  @Test
  void incrementThatWasRefusedIsMadeOnce() throws Exception {
    byte[] row = Bytes.toBytes("n");
    Kept kept = new Kept();
    int given = 20;
    try (BufferedMutator mutator =
        dropIn.getBufferedMutator(new BufferedMutatorParams(name).listener(kept))) {
      for (int i = 0; i < given; i++) {
        mutator.mutate(new Increment(row).addColumn(D, Q, 1));
        if (i % 5 == 2) {
          table.toOther();
        }
        mutator.flush();
      }
    }
    try (Table read = dropIn.getTable(name)) {
      assertThat(kept.rows).isEmpty();
      assertThat(Bytes.toLong(read.get(new Get(row)).getValue(D, Q))).isEqualTo(given);
    }
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
      table.toOther();
      List<CompletableFuture<Void>> futures =
          mutator.mutate(List.of(put("a"), withoutFamily("b"), put("c")));
      mutator.flush();
      FutureUtils.get(futures.get(0));
      assertThatThrownBy(() -> FutureUtils.get(futures.get(1))).hasMessageContaining("nofamily");
      FutureUtils.get(futures.get(2));
      has("a", "c", "first");
      mutator.close();
      assertThatThrownBy(() -> FutureUtils.get(mutator.mutate(put("d"))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Already closed");
    }
  }

  @Test
  void asynchronousMutatorThatIsClosedWritesWhatWasRefused() throws Exception {
    try (AsyncConnection async = async()) {
      AsyncBufferedMutator mutator = async.getBufferedMutator(name);
      CompletableFuture<Void> first = mutator.mutate(put("first"));
      mutator.flush();
      FutureUtils.get(first);
      CompletableFuture<Void> buffered = mutator.mutate(put("a"));
      table.toOther();
      mutator.close();
      FutureUtils.get(buffered, 30, TimeUnit.SECONDS);
      has("a", "first");
    }
  }

  @Test
  void asynchronousTableAnswersEachPutByItself() throws Exception {
    try (AsyncConnection async = async()) {
      FutureUtils.get(async.getTable(name).put(put("first")));
      table.toOther();
      List<CompletableFuture<Void>> futures =
          async.getTable(name).put(List.of(put("a"), withoutFamily("b"), put("c")));
      FutureUtils.get(futures.get(0));
      assertThatThrownBy(() -> FutureUtils.get(futures.get(1))).hasMessageContaining("nofamily");
      FutureUtils.get(futures.get(2));
      has("a", "c", "first");
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
      table.toOther();
      FutureUtils.get(mutator.mutate(put("a")));
      has("a", "first");
      Put large = new Put(Q).addColumn(D, Q, new byte[200]);
      assertThatThrownBy(() -> FutureUtils.get(mutator.mutate(large)))
          .hasMessageContaining("KeyValue size too large");
    }
  }
}
