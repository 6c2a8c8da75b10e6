/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.OTHER_STAMP;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.get;
import static io.evenkey.server.tests.GuardedTable.migrating;
import static io.evenkey.server.tests.GuardedTable.put;
import static io.evenkey.server.tests.GuardedTable.raw;
import static io.evenkey.server.tests.GuardedTable.stamped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The answer of a region with the guard to each operation of HBase's own client. */
@ExtendWith(EmbeddedHBaseExtension.class)
class GuardRefusalsIT {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] ONE = Bytes.toBytes(1L);

  /** Gives a request its attributes. */
  private interface Attributes {
    <T extends OperationWithAttributes> T on(T request);
  }

  private interface Call {
    void by(Table table) throws Exception;
  }

  private static final Attributes NONE =
      new Attributes() {
        @Override
        public <T extends OperationWithAttributes> T on(T request) {
          return request;
        }
      };

  private static final Attributes STAMPED =
      new Attributes() {
        @Override
        public <T extends OperationWithAttributes> T on(T request) {
          return stamped(request);
        }
      };

  private static final Attributes OTHER =
      new Attributes() {
        @Override
        public <T extends OperationWithAttributes> T on(T request) {
          request.setAttribute(GuardAttributes.LAYOUT, OTHER_STAMP);
          return request;
        }
      };

  private static final Attributes STALE_RUN =
      new Attributes() {
        @Override
        public <T extends OperationWithAttributes> T on(T request) {
          return migrating(request, 6);
        }
      };

  private static final Attributes TURN_ZERO =
      new Attributes() {
        @Override
        public <T extends OperationWithAttributes> T on(T request) {
          return migrating(request, 0);
        }
      };

  private static final Attributes RUN =
      new Attributes() {
        @Override
        public <T extends OperationWithAttributes> T on(T request) {
          return migrating(request, 7);
        }
      };

  private static Map<String, Call> reads(Attributes attributes) {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("get", table -> table.get(attributes.on(new Get(ROW))));
    calls.put("exists", table -> table.exists(attributes.on(new Get(ROW))));
    calls.put(
        "gets", table -> table.get(List.of(attributes.on(new Get(ROW)), attributes.on(get("x")))));
    calls.put(
        "scan",
        table -> {
          try (ResultScanner scanner = table.getScanner(attributes.on(new Scan()))) {
            scanner.next();
          }
        });
    calls.put(
        "failing condition",
        table ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(ROW)
                    .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("nothing"))
                    .build(attributes.on(new Put(ROW).addColumn(FAMILY, QUALIFIER, ONE)))));
    calls.put(
        "failing condition of several",
        table ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(ROW)
                    .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes("nothing"))
                    .build(
                        RowMutations.of(
                            List.of(
                                attributes.on(new Put(ROW).addColumn(FAMILY, QUALIFIER, ONE)))))));
    return calls;
  }

  private static Map<String, Call> writes(Attributes attributes) {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "put", table -> table.put(attributes.on(new Put(ROW).addColumn(FAMILY, QUALIFIER, ONE))));
    calls.put(
        "puts",
        table ->
            table.put(
                new ArrayList<>(List.of(attributes.on(put("row")), attributes.on(put("row2"))))));
    calls.put("delete", table -> table.delete(attributes.on(new Delete(Bytes.toBytes("away")))));
    calls.put(
        "batch",
        table ->
            table.batch(
                List.of(
                    attributes.on(put("row3")),
                    attributes.on(new Delete(Bytes.toBytes("away"))),
                    attributes.on(new Increment(ROW).addColumn(FAMILY, Bytes.toBytes("n"), 1))),
                new Object[3]));
    calls.put(
        "append",
        table ->
            table.append(
                attributes.on(new Append(ROW).addColumn(FAMILY, Bytes.toBytes("a"), ONE))));
    calls.put(
        "increment",
        table ->
            table.increment(
                attributes.on(new Increment(ROW).addColumn(FAMILY, Bytes.toBytes("n"), 1))));
    calls.put(
        "holding condition",
        table ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(ROW)
                    .ifNotExists(FAMILY, Bytes.toBytes("nothing"))
                    .build(attributes.on(new Put(ROW).addColumn(FAMILY, QUALIFIER, ONE)))));
    calls.put(
        "mutateRow",
        table ->
            table.mutateRow(
                RowMutations.of(
                    List.of(
                        attributes.on(new Put(ROW).addColumn(FAMILY, QUALIFIER, ONE)),
                        attributes.on(
                            new Delete(ROW).addColumns(FAMILY, Bytes.toBytes("gone")))))));
    return calls;
  }

  /** With few repetitions, so that what HBase's client repeats ends soon. */
  private static Connection impatient(EmbeddedHBase hbase) throws IOException {
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 1);
    return ConnectionFactory.createConnection(conf);
  }

  private static void assertRefused(
      Connection connection, GuardedTable guarded, Map<String, Call> calls, Refusal refusal)
      throws IOException {
    try (Table table = connection.getTable(guarded.name())) {
      calls.forEach(
          (name, call) -> {
            Throwable thrown = catchThrowable(() -> call.by(table));
            assertThat(thrown).as(name).isNotNull();
            assertThat(Refusal.of(thrown)).as("%s: %s", name, thrown).contains(refusal);
          });
    }
  }

  private static void assertAllowed(
      Connection connection, GuardedTable guarded, Map<String, Call> calls) throws Exception {
    try (Table table = connection.getTable(guarded.name())) {
      for (Map.Entry<String, Call> call : calls.entrySet()) {
        assertThat(catchThrowable(() -> call.getValue().by(table))).as(call.getKey()).isNull();
      }
    }
  }

  @Test
  void closedRefusesEveryOperationButThoseOfTheMigration(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.set(1, GuardMode.CLOSED);
    try (Connection connection = impatient(hbase)) {
      for (Attributes attributes : List.of(NONE, STAMPED, OTHER)) {
        assertRefused(connection, guarded, reads(attributes), Refusal.CLOSED);
        assertRefused(connection, guarded, writes(attributes), Refusal.CLOSED);
      }
      assertRefused(connection, guarded, reads(STALE_RUN), Refusal.TURN);
      assertRefused(connection, guarded, writes(STALE_RUN), Refusal.TURN);
      assertAllowed(connection, guarded, reads(RUN));
      assertAllowed(connection, guarded, writes(RUN));
    }
  }

  @Test
  void fencedRefusesWritesOnly(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.set(1, GuardMode.FENCED);
    try (Connection connection = impatient(hbase)) {
      assertAllowed(connection, guarded, reads(STAMPED));
      assertRefused(connection, guarded, writes(STAMPED), Refusal.FENCED);
      assertRefused(connection, guarded, writes(OTHER), Refusal.LAYOUT);
      assertRefused(connection, guarded, writes(NONE), Refusal.FENCED);
      assertAllowed(connection, guarded, writes(RUN));
      // Nothing of what was refused was done.
      guarded.set(2, GuardMode.OPEN);
      assertAllowed(connection, guarded, writes(STAMPED));
    }
  }

  @Test
  void readOnlyRefusesWritesUntilSomethingElseIsSet(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.set(1, GuardMode.READ_ONLY);
    try (Connection connection = impatient(hbase)) {
      assertAllowed(connection, guarded, reads(STAMPED));
      assertAllowed(connection, guarded, reads(NONE));
      assertRefused(connection, guarded, reads(OTHER), Refusal.LAYOUT);
      assertRefused(connection, guarded, writes(STAMPED), Refusal.FENCED);
      assertRefused(connection, guarded, writes(OTHER), Refusal.LAYOUT);
      assertRefused(connection, guarded, writes(NONE), Refusal.FENCED);
      assertRefused(connection, guarded, writes(STALE_RUN), Refusal.TURN);
      assertAllowed(connection, guarded, reads(RUN));
      assertAllowed(connection, guarded, writes(RUN));
    }
  }

  @Tag("long")
  @Test
  void aFenceThatTheMigrationForgetsEndsByItselfAndMarksWhatIsWritten(EmbeddedHBase hbase)
      throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.set(1, GuardMode.FENCED);
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(stamped(put("a"))))))
        .contains(Refusal.FENCED);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> catchThrowable(() -> guarded.write(stamped(put("a")))) == null);
    assertThat(guarded.stored())
        .containsExactlyInAnyOrder(
            "a/\\x00evenkey\\x00\\x00\\x00\\x00\\x01/DeleteColumn", "a/q/Put");
  }

  @Test
  void aLayoutThatLeavesRowsAsTheyAreIsNone(EmbeddedHBase hbase) throws Exception {
    GuardedTable plain =
        GuardedTable.create(
            hbase.connection(), Map.of("EVENKEY_LAYOUT", "key:bytes", "EVENKEY_FORMAT", "1"));
    assertThat(plain.ask(ROW, 0).layout()).isEqualTo("key:bytes");
    try (Connection connection = impatient(hbase)) {
      assertAllowed(connection, plain, writes(NONE));
      assertAllowed(connection, plain, reads(NONE));
      assertRefused(connection, plain, writes(STAMPED), Refusal.LAYOUT);
    }
  }

  @Test
  void aLineOfAnotherFormatIsNotTakenForWhatItMeansHere(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded =
        GuardedTable.create(
            hbase.connection(),
            Map.of("EVENKEY_LAYOUT", GuardedTable.LAYOUT, "EVENKEY_FORMAT", "3"));
    assertThat(guarded.ask(ROW, 0).layout()).isEqualTo("format=3 " + GuardedTable.LAYOUT);
    try (Connection connection = impatient(hbase)) {
      assertRefused(connection, guarded, writes(STAMPED), Refusal.LAYOUT);
      assertRefused(connection, guarded, reads(STAMPED), Refusal.LAYOUT);
      assertRefused(connection, guarded, writes(NONE), Refusal.UNSTAMPED);
    }
  }

  @Test
  void noMigrationHasTurnZero(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    try (Connection connection = impatient(hbase)) {
      assertRefused(connection, guarded, writes(TURN_ZERO), Refusal.TURN);
      assertRefused(connection, guarded, reads(TURN_ZERO), Refusal.TURN);
      guarded.set(new GuardState(1, GuardMode.CLOSED, 0, 0, "other"));
      assertRefused(connection, guarded, writes(TURN_ZERO), Refusal.TURN);
    }
  }

  @Test
  void openRefusesOtherLayoutsAndWritesWithoutOne(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    try (Connection connection = impatient(hbase)) {
      assertAllowed(connection, guarded, writes(STAMPED));
      assertAllowed(connection, guarded, reads(STAMPED));
      assertAllowed(connection, guarded, reads(NONE));
      assertRefused(connection, guarded, reads(OTHER), Refusal.LAYOUT);
      assertRefused(connection, guarded, writes(OTHER), Refusal.LAYOUT);
      assertRefused(connection, guarded, writes(NONE), Refusal.UNSTAMPED);
      assertRefused(connection, guarded, writes(RUN), Refusal.TURN);
    }
  }

  @Test
  void refusesReadsWithoutALayoutIfTheTableSaysSo(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.describe("EVENKEY_RAW_READS", "refuse");
    guarded.describe("EVENKEY_RAW_WRITES", "allow");
    guarded.askAll(1);
    try (Connection connection = impatient(hbase)) {
      assertRefused(connection, guarded, reads(NONE), Refusal.UNSTAMPED);
      try (Table table = guarded.open()) {
        table.put(put("a"));
        assertThat(table.exists(raw(get("a")))).isTrue();
      }
    }
  }

  @Test
  void plainTablesNoticeNothingUnlessARequestNamesALayout(EmbeddedHBase hbase) throws Exception {
    GuardedTable plain = GuardedTable.plain(hbase.connection());
    try (Connection connection = impatient(hbase)) {
      assertAllowed(connection, plain, writes(NONE));
      assertAllowed(connection, plain, reads(NONE));
      assertRefused(connection, plain, writes(STAMPED), Refusal.LAYOUT);
      assertRefused(connection, plain, reads(STAMPED), Refusal.LAYOUT);
    }
  }

  @Test
  void hbasesOwnClientRepeatsAFencedWriteQuietly(EmbeddedHBase hbase) throws Exception {
    GuardedTable plain = GuardedTable.plain(hbase.connection());
    plain.set(1, GuardMode.FENCED);
    try (Connection impatient = impatient(hbase);
        Table table = impatient.getTable(plain.name())) {
      assertThatThrownBy(() -> table.put(put("a")))
          .isInstanceOf(RetriesExhaustedException.class)
          .hasMessageContaining(Refusal.FENCED.mark());
    }
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try {
                plain.write(put("a"));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertThat(writer).isNotDone();
    plain.set(2, GuardMode.OPEN);
    writer.get();
    assertThat(plain.stored()).containsExactly("a/q/Put");
  }

  @Test
  void aScannerStopsWhenTheTableIsClosed(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.set(1, GuardMode.TRACKED);
    for (int i = 0; i < 20; i++) {
      guarded.write(stamped(put("row" + i)));
    }
    UnaryOperator<Scan> small = scan -> scan.setCaching(1).setAsyncPrefetch(false);
    try (Table table = guarded.open();
        ResultScanner plain = table.getScanner(small.apply(new Scan()));
        ResultScanner stamped = table.getScanner(small.apply(stamped(new Scan())));
        ResultScanner run = table.getScanner(small.apply(migrating(new Scan(), 7)))) {
      plain.next();
      stamped.next();
      run.next();
      guarded.set(2, GuardMode.FENCED);
      assertThat(plain.next()).isNotNull();
      assertThat(stamped.next()).isNotNull();
      guarded.set(3, GuardMode.CLOSED);
      assertThat(Refusal.of(catchThrowable(plain::next))).contains(Refusal.CLOSED);
      assertThat(Refusal.of(catchThrowable(stamped::next))).contains(Refusal.CLOSED);
      assertThat(run.next()).isNotNull();
      guarded.set(new GuardState(4, GuardMode.CLOSED, 1, 8, "other"));
      assertThat(Refusal.of(catchThrowable(run::next))).contains(Refusal.TURN);
    }
  }

  @Test
  void aScannerStopsWhenTheTableGetsAnotherLayout(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    for (int i = 0; i < 5; i++) {
      guarded.write(stamped(put("row" + i)));
    }
    try (Table table = guarded.open();
        ResultScanner scanner =
            table.getScanner(stamped(new Scan()).setCaching(1).setAsyncPrefetch(false))) {
      assertThat(scanner.next()).isNotNull();
      guarded.layout("salt(8) + id:string", GuardState.REST.next());
      assertThat(Refusal.of(catchThrowable(scanner::next))).contains(Refusal.LAYOUT);
    }
  }

  @Test
  void refusesMalformedAttributesWithoutHarmToTheServer(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    int servers = hbase.servers().size();
    try (Table table = guarded.open()) {
      for (String name :
          List.of(GuardAttributes.ASK, GuardAttributes.LAYOUT, GuardAttributes.MIGRATION)) {
        Get get = get("a");
        get.setAttribute(name, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> table.get(get)).isInstanceOf(DoNotRetryIOException.class);
        Put put = put("a");
        put.setAttribute(name, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> table.put(put)).isInstanceOf(DoNotRetryIOException.class);
      }
    }
    assertThat(hbase.servers()).hasSize(servers);
  }

  @Test
  void refusesAllButRawRequestsInAStateThatItDoesNotUnderstand(EmbeddedHBase hbase)
      throws Exception {
    GuardedTable guarded =
        GuardedTable.create(
            hbase.connection(),
            Map.of(
                "EVENKEY_LAYOUT",
                GuardedTable.LAYOUT,
                "EVENKEY_FORMAT",
                "1",
                GuardState.DESCRIPTOR_KEY,
                "revision=9 mode=melting pass=1 turn=7 other="));
    try (Table table = guarded.open()) {
      assertThatThrownBy(() -> guarded.ask(ROW, 9)).hasMessageContaining("melting");
      assertThatThrownBy(() -> table.get(stamped(get("a")))).hasMessageContaining("melting");
      assertThatThrownBy(() -> table.get(migrating(get("a"), 7))).hasMessageContaining("melting");
      table.put(raw(put("a")));
      assertThat(table.get(raw(get("a"))).isEmpty()).isFalse();
      guarded.set(10, GuardMode.OPEN);
      Result found = table.get(stamped(get("a")));
      assertThat(found.isEmpty()).isFalse();
    }
  }

  @Tag("long")
  @Test
  void refusesRequestsByALayoutThatItDoesNotUnderstand(EmbeddedHBase hbase) throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(hbase.connection());
    guarded.layout("twist(9) + id:string", GuardState.REST.next());
    assertThat(guarded.ask(ROW, 1).layout()).isEqualTo("twist(9) + id:string");
    try (Table table = guarded.open()) {
      assertThatThrownBy(() -> table.get(stamped(get("a"))))
          .hasMessageContaining("later version")
          .hasMessageContaining(Refusal.LAYOUT.mark());
      assertThat(Refusal.of(catchThrowable(() -> table.put(put("a"))))).contains(Refusal.UNSTAMPED);
      table.put(raw(put("a")));
    }
  }
}
