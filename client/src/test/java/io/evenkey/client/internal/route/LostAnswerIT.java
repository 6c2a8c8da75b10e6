/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.client.failure.OutcomeUnknownException;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.server.guard.LayoutGuard;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * Increments and appends that were made, of which the answer was lost, and which HBase's client
 * sends again when the table is another generation.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LostAnswerIT {
  private static final byte[] D = GuardSwitch.FAMILY;
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");

  private static EmbeddedHBase hbase;

  private GuardSwitch spread;
  private TableName name;
  private Connection dropIn;
  private AsyncConnection async;
  private Table table;

  @BeforeAll
  static void start() throws IOException {
    hbase =
        EmbeddedHBase.temporary()
            .servers(1)
            // Not in the table's descriptor: HBase then refuses to change it without reopening
            // regions. Behind the guard, for which the write is done then.
            .settings(
                Map.of(
                    // As if the region had moved since, by which a server forgets what it has made.
                    HConstants.HBASE_RS_NONCES_ENABLED,
                    "false",
                    CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY,
                    LayoutGuard.class.getName() + "," + LostAnswer.class.getName()))
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    hbase.close();
  }

  @BeforeEach
  void open(TestInfo test) throws IOException {
    name = TableName.valueOf("lost_" + test.getTestMethod().orElseThrow().getName());
    spread = GuardSwitch.create(hbase.connection(), name);
    dropIn = ConnectionFactory.createConnection(spread.dropIn());
    async = FutureUtils.get(ConnectionFactory.createAsyncConnection(spread.dropIn()));
    table = dropIn.getTable(name);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    async.close();
    dropIn.close();
  }

  /** An operation that is made once. */
  @FunctionalInterface
  private interface Once {
    void make() throws Exception;
  }

  private void isReported(Once once) throws Exception {
    LostAnswer.Loss loss = LostAnswer.next(spread.current());
    CompletableFuture<Throwable> failure =
        CompletableFuture.supplyAsync(() -> catchThrowable(once::make));
    loss.awaitMade();
    spread.toOther();
    loss.answer();
    Throwable failed = failure.get(1, TimeUnit.MINUTES);
    assertThat(ExceptionUtils.getStackTrace(failed))
        .contains(
            OutcomeUnknownException.class.getSimpleName(),
            "increment or append of unknown outcome: table=" + name,
            "read the row before you repeat it");
  }

  private Result read() throws IOException {
    return table.get(new Get(ROW));
  }

  private static Increment increment() {
    return new Increment(ROW).addColumn(D, Q, 1);
  }

  private static Append append() {
    return new Append(ROW).addColumn(D, D, Q);
  }

  @Test
  void incrementsAreReportedAndCountedOnce() throws Exception {
    isReported(() -> table.increment(increment()));
    assertThat(Bytes.toLong(read().getValue(D, Q))).isEqualTo(1);
    isReported(() -> FutureUtils.get(async.getTable(name).increment(increment())));
    assertThat(Bytes.toLong(read().getValue(D, Q))).isEqualTo(2);
    isReported(() -> table.batch(List.of(increment()), new Object[1]));
    assertThat(Bytes.toLong(read().getValue(D, Q))).isEqualTo(3);
    isReported(() -> FutureUtils.get(async.getTable(name).batchAll(List.<Row>of(increment()))));
    assertThat(Bytes.toLong(read().getValue(D, Q))).isEqualTo(4);
    table.increment(increment());
    assertThat(Bytes.toLong(read().getValue(D, Q))).isEqualTo(5);
  }

  @Tag("long")
  @Test
  void appendsAreReportedAndMadeOnce() throws Exception {
    isReported(() -> table.append(append()));
    assertThat(read().getValue(D, D)).isEqualTo(Bytes.toBytes("q"));
    isReported(() -> FutureUtils.get(async.getTable(name).append(append())));
    assertThat(read().getValue(D, D)).isEqualTo(Bytes.toBytes("qq"));
    isReported(() -> table.mutateRow(RowMutations.of(List.of(append()))));
    assertThat(read().getValue(D, D)).isEqualTo(Bytes.toBytes("qqq"));
  }
}
