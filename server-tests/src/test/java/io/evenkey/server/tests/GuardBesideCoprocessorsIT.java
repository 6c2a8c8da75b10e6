/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.migrating;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.protocol.guard.FileStamp;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.server.guard.LayoutGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With coprocessors that hold writes, fail, add mutations, and write several rows. */
class GuardBesideCoprocessorsIT {
  private static EmbeddedHBase hbase;
  private static Connection impatient;

  @BeforeAll
  static void start() throws IOException {
    hbase =
        EmbeddedHBase.temporary()
            .servers(1)
            .settings(
                Map.of(
                    "hbase.coprocessor.user.region.classes",
                    String.join(
                        ",",
                        Interference.class.getName(),
                        MultiRowMutationEndpoint.class.getName(),
                        LayoutGuard.class.getName(),
                        RefusedLoads.class.getName())))
            .start();
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    impatient = ConnectionFactory.createConnection(conf);
  }

  @AfterAll
  static void stop() throws IOException {
    impatient.close();
    hbase.close();
  }

  private static CompletableFuture<Void> write(GuardedTable table, Mutation mutation) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            table.write(mutation);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void anAnswerWaitsForWritesThatPassedTheCheckBefore() throws Exception {
    GuardedTable table = GuardedTable.withLayout(hbase.connection());
    table.set(1, GuardMode.TRACKED);
    Interference.hold();
    CompletableFuture<Void> held = write(table, stamped(put(Interference.HELD)));
    Interference.awaitHeld();
    CompletableFuture<List<GuardAnswer>> fenced =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return table.set(2, GuardMode.FENCED);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      assertThatThrownBy(() -> fenced.get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      // The fence is there for others already, and a client that asks need not wait.
      assertThat(table.ask(new byte[] {1}, 0).state().mode()).isEqualTo(GuardMode.FENCED);
      assertThat(Refusal.of(catchThrowable(() -> table.write(stamped(put("late"))))))
          .contains(Refusal.FENCED);
      assertThat(held).isNotDone();
    } finally {
      Interference.release();
    }
    assertThat(fenced.get().get(0).state().mode()).isEqualTo(GuardMode.FENCED);
    // The write is there when the answer is.
    assertThat(table.stored()).hasSize(2).contains("held/q/Put");
    held.get();
  }

  @Test
  void aWriteThatAnotherCoprocessorFailsDoesNotHoldUpAnAnswer() throws Exception {
    GuardedTable table = new GuardedTable(impatient, GuardedTable.withLayout(impatient).name());
    assertThatThrownBy(() -> table.write(stamped(put(Interference.BROKEN))))
        .hasStackTraceContaining("broken by a test");
    assertThat(table.set(1, GuardMode.FENCED)).hasSize(1);
  }

  @Test
  void aBulkLoadThatAnotherCoprocessorRefusesDoesNotHoldUpAnAnswer(@TempDir Path directory)
      throws Exception {
    GuardedTable table = new GuardedTable(impatient, GuardedTable.withLayout(impatient).name());
    Map<String, byte[]> info = Map.of(FileStamp.LAYOUT, GuardedTable.STAMP);
    Path refused = directory.resolve(RefusedLoads.REFUSED);
    assertThatThrownBy(() -> table.load(refused, "a", info))
        .hasStackTraceContaining("refused by a test");
    assertThat(table.set(1, GuardMode.FENCED)).hasSize(1);
  }

  @Test
  void marksTheRowsThatAnotherCoprocessorAddsToo() throws Exception {
    GuardedTable table = GuardedTable.withLayout(hbase.connection());
    table.set(1, GuardMode.TRACKED);
    table.write(stamped(put(Interference.INDEXED)));
    String mark = "/\\x00evenkey\\x00\\x00\\x00\\x00\\x01/DeleteColumn";
    assertThat(table.stored())
        .containsExactlyInAnyOrder(
            "index" + mark, "index/q/Put", "indexed" + mark, "indexed/q/Put");
  }

  @Test
  void aMarkOfAWriteThatAnotherCoprocessorFailsIsNotReliedUpon() throws Exception {
    GuardedTable table = new GuardedTable(impatient, GuardedTable.withLayout(impatient).name());
    table.set(1, GuardMode.TRACKED);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> table.write(stamped(put(Interference.BROKEN))))
          .hasStackTraceContaining("broken by a test");
    }
    // HBase's client has repeated them.
    assertThat(table.stored().stream().filter(cell -> cell.contains("evenkey")))
        .hasSizeGreaterThan(1);
  }

  private static void mutateRows(GuardedTable guarded, Mutation... mutations) throws Exception {
    try (Table table = guarded.open()) {
      MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
      for (Mutation mutation : mutations) {
        request.addMutationRequest(ProtobufUtil.toMutation(MutationType.PUT, mutation));
      }
      MultiRowMutationService.newBlockingStub(table.coprocessorService(Bytes.toBytes("a")))
          .mutateRows(null, request.build());
    }
  }

  @Test
  void writesOfSeveralRowsInAnEndpointAreCheckedAndMarked() throws Exception {
    GuardedTable guarded = new GuardedTable(impatient, GuardedTable.withLayout(impatient).name());
    guarded.set(1, GuardMode.TRACKED);
    mutateRows(guarded, stamped(put("a")), stamped(put("b")));
    String mark = "/\\x00evenkey\\x00\\x00\\x00\\x00\\x01/DeleteColumn";
    assertThat(guarded.stored())
        .containsExactlyInAnyOrder("a" + mark, "a/q/Put", "b" + mark, "b/q/Put");
    assertThat(Refusal.of(catchThrowable(() -> mutateRows(guarded, put("a")))))
        .contains(Refusal.UNSTAMPED);
    guarded.set(2, GuardMode.FENCED);
    assertThat(Refusal.of(catchThrowable(() -> mutateRows(guarded, stamped(put("a"))))))
        .contains(Refusal.FENCED);
    mutateRows(guarded, migrating(put("c"), 7));
  }

  @Test
  void endpointsOfAClosedTableAreRefused() throws Exception {
    GuardedTable guarded = new GuardedTable(impatient, GuardedTable.withLayout(impatient).name());
    guarded.set(1, GuardMode.CLOSED);
    assertThat(Refusal.of(catchThrowable(() -> mutateRows(guarded, migrating(put("a"), 7)))))
        .contains(Refusal.CLOSED);
  }
}
