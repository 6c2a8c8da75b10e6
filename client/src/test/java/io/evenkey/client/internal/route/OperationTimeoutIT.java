/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardMode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Operations on a table that refuses them for longer than they may take. One that waited for as
 * long as migrations are waited for would fail with another exception.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class OperationTimeoutIT {
  private static final byte[] D = GuardSwitch.FAMILY;
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int TIMEOUT_MS = 700;

  private GuardSwitch table;
  private TableName name;
  private Connection dropIn;
  private AsyncConnection async;

  @BeforeEach
  void open(Connection plain, TestInfo info) throws IOException {
    name = TableName.valueOf("timeout_" + info.getTestMethod().orElseThrow().getName());
    table = GuardSwitch.create(plain, name);
    Configuration configuration = table.dropIn();
    configuration.setInt("hbase.client.scanner.timeout.period", TIMEOUT_MS);
    dropIn = ConnectionFactory.createConnection(configuration);
    async = FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
  }

  @AfterEach
  void close() throws IOException {
    async.close();
    dropIn.close();
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(D, Q, Q);
  }

  private Table ofItsOwnTimeout() {
    return dropIn.getTableBuilder(name, null).setOperationTimeout(TIMEOUT_MS).build();
  }

  private AsyncTable<?> asyncOfItsOwnTimeout() {
    return async
        .getTableBuilder(name)
        .setOperationTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
        .setScanTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
        .build();
  }

  // On a slow machine HBase's own call can end first, by the rest of the time.
  private static void timesOut(ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageMatching("(?s).*(timeout=" + TIMEOUT_MS + " ms|callTimeout=).*");
  }

  private static void timesOut(List<? extends CompletableFuture<?>> operations) {
    for (CompletableFuture<?> operation : operations) {
      assertThat(FutureUtils.unwrapCompletionException(catchThrowable(operation::join)))
          .isInstanceOf(RetriesExhaustedException.class)
          .hasMessageContaining("timeout=" + TIMEOUT_MS + " ms");
    }
  }

  @Tag("long")
  @Test
  void refusedWritesEndWithTheTimeoutOfTheirTable() throws Exception {
    table.set(table.current(), GuardMode.READ_ONLY);
    List<Put> puts = List.of(put("a"), put("b"));
    Increment increment = new Increment(Bytes.toBytes("n")).addColumn(D, Q, 1);
    CheckAndMutate check =
        CheckAndMutate.newBuilder(Bytes.toBytes("a")).ifNotExists(D, Q).build(put("a"));
    try (Table blocking = ofItsOwnTimeout()) {
      timesOut(() -> blocking.put(put("a")));
      timesOut(() -> blocking.increment(increment));
      timesOut(() -> blocking.checkAndMutate(check));
      Object[] results = new Object[2];
      assertThatThrownBy(() -> blocking.batch(puts, results))
          .isInstanceOf(RetriesExhaustedWithDetailsException.class);
      assertThat(results).allMatch(SocketTimeoutException.class::isInstance);
    }
    AsyncTable<?> later = asyncOfItsOwnTimeout();
    List<CompletableFuture<?>> all = new ArrayList<>(later.put(puts));
    all.add(later.put(put("a")));
    all.add(later.increment(increment));
    all.add(later.checkAndMutate(check));
    all.addAll(later.<Object>batch(puts));
    timesOut(all);
  }

  @Test
  void readsOfATableThatIsNoGenerationForLongEndWithTheirTimeout() throws Exception {
    table.set(table.source(), GuardMode.CLOSED);
    Get get = new Get(Bytes.toBytes("a"));
    try (Table blocking = ofItsOwnTimeout()) {
      timesOut(() -> blocking.get(get));
      timesOut(() -> firstOf(blocking.getScanner(new Scan())));
    }
    AsyncTable<?> later = asyncOfItsOwnTimeout();
    timesOut(List.of(later.get(get), later.exists(get), later.scanAll(new Scan())));
    assertThatThrownBy(() -> firstOf(later.getScanner(new Scan())))
        .isInstanceOf(RetriesExhaustedException.class);
  }

  private static Result firstOf(ResultScanner rows) throws IOException {
    try (rows) {
      return rows.next();
    }
  }

  @Tag("ci")
  @Test
  void refusedBuffersEndWithTheirTimeoutAndHoldWhatTheyWereGiven() throws Exception {
    BufferedMutatorParams params =
        new BufferedMutatorParams(name).operationTimeout(TIMEOUT_MS).rpcTimeout(TIMEOUT_MS);
    List<Row> failed = new ArrayList<>();
    params.listener(
        (failure, mutator) -> {
          for (int i = 0; i < failure.getNumExceptions(); i++) {
            assertThat(failure.getCause(i)).isInstanceOf(SocketTimeoutException.class);
            failed.add(failure.getRow(i));
          }
        });
    try (BufferedMutator buffer = dropIn.getBufferedMutator(params)) {
      buffer.mutate(put("a"));
      table.set(table.current(), GuardMode.READ_ONLY);
      // Also a row whose request is under way when the time is over, of which HBase says nothing.
      buffer.flush();
      assertThat(failed).hasSize(1);
      Cell cell = ((Put) failed.get(0)).getFamilyCellMap().firstEntry().getValue().get(0);
      Cell given = put("a").getFamilyCellMap().firstEntry().getValue().get(0);
      // One view, however often the write was repeated.
      assertThat(cell.heapSize()).isBetween(given.heapSize(), given.heapSize() + 64);
    }
    try (AsyncBufferedMutator buffer =
        async
            .getBufferedMutatorBuilder(name)
            .setOperationTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
            .build()) {
      CompletableFuture<Void> written = buffer.mutate(put("a"));
      buffer.flush();
      timesOut(List.of(written));
    }
  }
}
