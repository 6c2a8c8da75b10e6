/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.STAMP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.FileStamp;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.guard.ReplicatedWrites;
import io.evenkey.protocol.guard.ReplicationQuestion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that name no layout: right or wrong by the bytes of their rows. */
@ExtendWith(EmbeddedHBaseExtension.class)
class RawWritesIT {
  private static final Layout LAYOUT = Layout.parse(GuardedTable.LAYOUT);
  private static final byte[] ONE = Bytes.toBytes(1L);

  private final Connection impatient;
  @TempDir private Path directory;
  private int loads;

  RawWritesIT(EmbeddedHBase hbase) throws IOException {
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    impatient = ConnectionFactory.createConnection(conf);
  }

  @AfterEach
  void close() throws IOException {
    impatient.close();
  }

  private interface Call {
    void by(Table table) throws Exception;
  }

  private static byte[] row(String id) {
    return LAYOUT.encode(Values.of("id", id));
  }

  /** The row of a key, in another bucket than the layout's. */
  private static byte[] misplaced(String id) {
    byte[] row = row(id);
    row[0] ^= 1;
    return row;
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, ONE);
  }

  /** One of each kind of write, to these rows. */
  private static Map<String, Call> writes(byte[] row, byte[] other) {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("put", table -> table.put(put(row)));
    calls.put("puts", table -> table.put(new ArrayList<>(List.of(put(other), put(row)))));
    calls.put("delete", table -> table.delete(new Delete(row)));
    calls.put(
        "batch",
        table ->
            table.batch(
                List.of(put(other), new Increment(row).addColumn(FAMILY, Bytes.toBytes("n"), 1)),
                new Object[2]));
    calls.put(
        "append",
        table -> table.append(new Append(row).addColumn(FAMILY, Bytes.toBytes("a"), ONE)));
    calls.put(
        "increment",
        table -> table.increment(new Increment(row).addColumn(FAMILY, Bytes.toBytes("n"), 1)));
    calls.put(
        "condition",
        table ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifNotExists(FAMILY, Bytes.toBytes("nothing"))
                    .build(put(row))));
    calls.put(
        "mutateRow",
        table ->
            table.mutateRow(
                RowMutations.of(
                    List.of(put(row), new Delete(row).addColumns(FAMILY, Bytes.toBytes("x"))))));
    return calls;
  }

  @Test
  void everyKindOfWriteIsTakenIfItsRowsAreOfTheLayout() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    try (Table table = guarded.open()) {
      for (Map.Entry<String, Call> call : writes(row("a"), row("b")).entrySet()) {
        assertThat(catchThrowable(() -> call.getValue().by(table))).as(call.getKey()).isNull();
      }
      for (byte[] wrong : List.of(misplaced("a"), Bytes.toBytes("a"), new byte[] {9})) {
        writes(wrong, row("b"))
            .forEach(
                (name, call) -> {
                  Throwable thrown = catchThrowable(() -> call.by(table));
                  assertThat(thrown)
                      .as(name)
                      .hasStackTraceContaining("table=" + guarded.name())
                      .hasStackTraceContaining("row=" + Bytes.toStringBinary(wrong) + " ")
                      .hasStackTraceContaining("layout=" + LAYOUT);
                  assertThat(Refusal.of(thrown)).as(name).contains(Refusal.UNSTAMPED);
                });
      }
      assertThat(guarded.stored(0))
          .isNotEmpty()
          .allMatch(
              cell ->
                  cell.startsWith(Bytes.toStringBinary(row("a")) + "/")
                      || cell.startsWith(Bytes.toStringBinary(row("b")) + "/"));
    }
  }

  @Test
  void theErrorSaysWhatTheLayoutMakesOfTheRow() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    assertThatThrownBy(() -> guarded.write(put(misplaced("a"))))
        .hasStackTraceContaining("salt(4) gives this key another prefix");
    assertThatThrownBy(() -> guarded.write(put(Bytes.toBytes("order-17"))))
        .hasStackTraceContaining(
            "as a logical key, it is stored as " + Bytes.toStringBinary(row("order-17")));
  }

  /** The check of each kind of layout is tested in the module {@code layout}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(16; 48 from id 110) + id:int64",
        "salt(16, random) + id:int64",
        "phoenix_salt(16) + id:int64"
      })
  void rowsAreCheckedByAnyLayout(String line) throws Exception {
    Layout layout = Layout.parse(line);
    GuardedTable guarded =
        GuardedTable.create(impatient, Map.of("EVENKEY_LAYOUT", line, "EVENKEY_FORMAT", "1"));
    List<Put> right = new ArrayList<>();
    for (int id = 100; id < 120; id++) {
      right.add(put(layout.encode(Values.of("id", (long) id))));
    }
    try (Table table = guarded.open()) {
      table.put(new ArrayList<>(right));
      for (String wrong : List.of("\u0000", "text that is longer than any key", "a\u0000b")) {
        assertThat(Refusal.of(catchThrowable(() -> table.put(put(Bytes.toBytes(wrong))))))
            .as(wrong)
            .contains(Refusal.UNSTAMPED);
      }
    }
    assertThat(guarded.stored(0)).hasSize(20);
  }

  @Test
  void theGuardKnowsWhenReplicationWroteLast() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    guarded.write(put(row("a")));
    assertThat(replicated(guarded)).isEqualTo(ReplicatedWrites.NONE);
    // As Import and CopyTable name the cluster that they read from.
    Put copied = put(row("a"));
    copied.setClusterIds(List.of(cluster()));
    guarded.write(copied);
    assertThat(replicated(guarded)).isEqualTo(ReplicatedWrites.NONE);
    Put replicated = put(row("a"));
    replicated.setClusterIds(List.of(new UUID(1, 2)));
    guarded.write(replicated);
    assertThat(replicated(guarded).sinceMs()).isPositive();
    assertThat(replicated(guarded).admittedMs()).isPositive();
    assertThat(replicated(guarded).refusedMs()).isZero();
    Put wrong = put(misplaced("a"));
    wrong.setClusterIds(List.of(new UUID(1, 2)));
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(wrong)))).contains(Refusal.UNSTAMPED);
    assertThat(replicated(guarded).refusedMs()).isPositive();
    assertThat(replicated(guarded).refusedLayout()).isEmpty();
  }

  @Test
  void theGuardRecordsThatReplicationWritesUntilAnOperatorEndsIt() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    Put wrong = replicated("a", GuardedTable.LAYOUT.replace("string", "bytes"));
    assertThatThrownBy(() -> guarded.write(wrong)).hasStackTraceContaining("source_layout=");
    assertThat(replicated(guarded).sinceMs()).as("nothing was written").isZero();
    guarded.write(replicated("a", GuardedTable.LAYOUT));
    long since = replicated(guarded).sinceMs();
    assertThat(since).isPositive();
    reopen(guarded.name());
    assertThat(replicated(guarded).admittedMs()).isZero();
    assertThat(replicated(guarded).sinceMs()).isEqualTo(since);
    guarded.write(replicated("b", GuardedTable.LAYOUT));
    assertThat(replicated(guarded).sinceMs()).isEqualTo(since);
    for (ReplicationQuestion end : List.of(ReplicationQuestion.ENDED, ReplicationQuestion.FORGET)) {
      Put ended =
          new Put(row("a"))
              .addColumn(Bytes.toBytes(GuardAttributes.ANSWER), QUALIFIER, end.toBytes());
      ended.setAttribute(GuardAttributes.ASK, end.toBytes());
      assertThat(Refusal.of(catchThrowable(() -> guarded.write(ended)))).contains(Refusal.ANSWER);
    }
    assertThat(replicated(guarded).sinceMs()).isZero();
    guarded.write(replicated("c", GuardedTable.LAYOUT));
    assertThat(replicated(guarded).sinceMs()).isPositive();
  }

  @Test
  void filesThatReplicationBringsAreOfTheLayout() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    String other = GuardedTable.LAYOUT.replace("string", "bytes");
    try (Table table = guarded.open()) {
      table.get(files(GuardedTable.LAYOUT.replace("id", "key")));
      assertThatThrownBy(() -> table.get(files(other)))
          .hasMessageContaining("bulk-loaded files of another layout")
          .hasMessageContaining(
              " layout=" + GuardedTable.LAYOUT + " source_layout=" + other + " source_cluster=c;");
    }
    assertThat(replicated(guarded).refusedLayout()).isEqualTo(other);
  }

  private static Get files(String layout) {
    Get get = new Get(row("a"));
    get.setAttribute(GuardAttributes.ASK, ReplicationQuestion.FILES.toBytes());
    get.setAttribute(GuardAttributes.SOURCE_FILES, Bytes.toBytes(layout));
    get.setAttribute(GuardAttributes.SOURCE_CLUSTER, Bytes.toBytes("c"));
    return get;
  }

  private void reopen(TableName table) throws IOException {
    try (Admin admin = impatient.getAdmin()) {
      admin.disableTable(table);
      admin.enableTable(table);
    }
  }

  private UUID cluster() throws IOException {
    try (Admin admin = impatient.getAdmin()) {
      return UUID.fromString(admin.getClusterMetrics().getClusterId());
    }
  }

  @Test
  void aReplicatedRowOfAnotherLayoutIsRefusedEvenIfItFits() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    Put renamed = replicated("a", GuardedTable.LAYOUT.replace("id", "key"));
    guarded.write(renamed);
    String other = GuardedTable.LAYOUT.replace("string", "bytes");
    assertThatThrownBy(() -> guarded.write(replicated("a", other)))
        .hasStackTraceContaining("layout=" + GuardedTable.LAYOUT + " source_layout=" + other);
    assertThat(replicated(guarded).refusedLayout()).isEqualTo(other);
  }

  @Test
  void aReplicatedRowAfterAStepWaitsForItAlone() throws Exception {
    Layout before = Layout.parse("salt(4) + no:int64");
    Layout after = Layout.parse("salt(4; 8 from no 100) + no:int64");
    GuardedTable guarded =
        GuardedTable.create(
            impatient, Map.of("EVENKEY_LAYOUT", before.toString(), "EVENKEY_FORMAT", "1"));
    try (Table table = guarded.open()) {
      Object[] results = new Object[4];
      assertThatThrownBy(
              () ->
                  table.batch(
                      List.of(
                          replicated(before, 200),
                          replicated(after, 100),
                          replicated(after, 99),
                          replicated(before, 201)),
                      results))
          .hasStackTraceContaining("go on with the migration at the source");
      assertThat(results[1]).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> table.put(replicated(after, 100)))
          .hasStackTraceContaining("source_layout=" + after);
      assertThat(guarded.stored(0)).hasSize(3);
      assertThat(replicated(guarded).refusedLayout()).isEqualTo(after.toString());
      guarded.describe(GuardState.STEPPED_KEY, "7");
      guarded.layout(after.toString(), new GuardState(1, GuardMode.OPEN, 1, 7, ""));
      table.batch(
          List.of(replicated(after, 100), replicated(before, 101), replicated(before, 98)),
          new Object[3]);
    }
    assertThat(guarded.stored(0)).hasSize(5);
  }

  private static Put replicated(Layout layout, long no) {
    return replicated(layout.encode(Values.of("no", no)), layout.toString());
  }

  private static Put replicated(String id, String layout) {
    return replicated(row(id), layout);
  }

  private static Put replicated(byte[] row, String layout) {
    Put put = put(row);
    put.setClusterIds(List.of(new UUID(1, 2)));
    put.setAttribute(GuardAttributes.SOURCE_LAYOUT, Bytes.toBytes(layout));
    return put;
  }

  private static ReplicatedWrites replicated(GuardedTable guarded) throws IOException {
    Get get = new Get(row("a"));
    get.setAttribute(GuardAttributes.ASK, ReplicationQuestion.WRITES.toBytes());
    byte[] answer = Bytes.toBytes(GuardAttributes.ANSWER);
    try (Table table = guarded.open()) {
      return ReplicatedWrites.parse(table.get(get).getValue(answer, answer));
    }
  }

  @Test
  void theTableMayRefuseOrAllowAllOfThem() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    guarded.describe("EVENKEY_RAW_WRITES", "refuse");
    guarded.askAll(1);
    assertThatThrownBy(() -> guarded.write(put(row("a")))).hasStackTraceContaining("names none");
    guarded.describe("EVENKEY_RAW_WRITES", "allow");
    guarded.askAll(1);
    guarded.write(put(misplaced("a")));
    guarded.describe("EVENKEY_RAW_WRITES", "checked");
    guarded.askAll(1);
    guarded.write(put(row("a")));
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(put(misplaced("a"))))))
        .contains(Refusal.UNSTAMPED);
  }

  @Test
  void aMigrationMarksThem() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    guarded.set(1, GuardMode.TRACKED);
    guarded.write(put(row("a")));
    String shown = Bytes.toStringBinary(row("a"));
    assertThat(guarded.stored())
        .containsExactlyInAnyOrder(
            shown + "/\\x00evenkey\\x00\\x00\\x00\\x00\\x01/DeleteColumn", shown + "/q/Put");
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(put(misplaced("a"))))))
        .contains(Refusal.UNSTAMPED);
    guarded.set(2, GuardMode.CLOSED);
    assertThat(Refusal.of(catchThrowable(() -> guarded.write(put(row("a"))))))
        .contains(Refusal.CLOSED);
  }

  @Test
  void aStepThatIsTakenHoldsThem() throws Exception {
    Layout few = Layout.parse("salt(4) + no:int64");
    Layout more = Layout.parse("salt(4; 8 from no 100) + no:int64");
    GuardedTable guarded =
        GuardedTable.create(
            impatient,
            Map.of(
                "EVENKEY_LAYOUT",
                few.toString(),
                "EVENKEY_FORMAT",
                "1",
                GuardState.STEP_KEY,
                more.toString()));
    guarded.set(1, GuardMode.SHARED);
    guarded.write(put(few.encode(Values.of("no", 99L))));
    for (Layout layout : List.of(few, more)) {
      assertThat(
              Refusal.of(
                  catchThrowable(() -> guarded.write(put(layout.encode(Values.of("no", 100L)))))))
          .contains(Refusal.FENCED);
    }
  }

  @Test
  void columnsOfAnIndexAreLeftToClientsThatWriteEntries() throws Exception {
    String index = "by_q events public as \"q:string + id:string\" from q=f:q covering f:c";
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    try (Admin admin = impatient.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(guarded.name()))
              .setValue("EVENKEY_FORMAT", DescribedIndexes.FORMAT)
              .setValue(
                  DescribedIndexes.DESCRIPTOR_KEY, guarded.name() + " format=1 version=1; " + index)
              .setValue(GuardState.DESCRIPTOR_KEY, GuardState.REST.next().toString())
              .build(),
          false);
    }
    guarded.askAll(1);
    byte[] row = row("a");
    guarded.write(new Put(row).addColumn(FAMILY, Bytes.toBytes("other"), ONE));
    guarded.write(new Delete(row).addColumns(FAMILY, Bytes.toBytes("other")));
    for (var mutation :
        List.of(
            put(row),
            new Put(row).addColumn(FAMILY, Bytes.toBytes("c"), ONE),
            new Delete(row),
            new Delete(row).addFamily(FAMILY),
            new Delete(row).addColumns(FAMILY, QUALIFIER))) {
      assertThatThrownBy(() -> guarded.write(mutation))
          .hasStackTraceContaining("changes an indexed column")
          .hasStackTraceContaining("row=" + Bytes.toStringBinary(row) + " ")
          .hasStackTraceContaining(Refusal.UNSTAMPED.mark());
    }
    assertThat(Refusal.of(catchThrowable(() -> load(guarded, Map.of(), row))))
        .contains(Refusal.UNSTAMPED);
  }

  private void load(GuardedTable table, Map<String, byte[]> info, byte[]... rows)
      throws IOException {
    table.load(directory.resolve("load" + loads++), info, rows);
  }

  private static byte[][] sorted(List<byte[]> rows) {
    return rows.stream().sorted(Bytes::compareTo).toArray(byte[][]::new);
  }

  private static byte[][] many(int count) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row("id" + i));
    }
    return sorted(rows);
  }

  @Test
  void filesAreLoadedIfAllTheirRowsAreOfTheLayout() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    load(guarded, Map.of(), many(1_000));
    assertThat(guarded.stored(0)).hasSize(1_000);
    List<byte[]> oneWrong = new ArrayList<>(List.of(many(1_000)));
    oneWrong.add(misplaced("id500"));
    assertThatThrownBy(() -> load(guarded, Map.of(), sorted(oneWrong)))
        .hasStackTraceContaining("row=" + Bytes.toStringBinary(misplaced("id500")) + " ")
        .hasStackTraceContaining(Refusal.UNSTAMPED.mark());
    assertThatThrownBy(() -> load(guarded, Map.of(), Bytes.toBytes("id1")))
        .hasStackTraceContaining("as a logical key");
    // A file that names the layout is taken at its word, as before.
    load(guarded, Map.of(FileStamp.LAYOUT, STAMP), Bytes.toBytes("id1"));
    assertThat(guarded.stored(0)).hasSize(1_001);
  }

  @Test
  void largeFilesAreCheckedByASample() throws Exception {
    GuardedTable guarded = GuardedTable.withLayout(impatient);
    guarded.configure("evenkey.guard.load.checked.bytes", "1000");
    load(guarded, Map.of(), many(20_000));
    assertThat(guarded.stored(0)).hasSize(20_000);
    List<byte[]> allWrong = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      allWrong.add(misplaced("id" + i));
    }
    List<byte[]> lastWrong = new ArrayList<>(List.of(many(20_000)));
    lastWrong.add(Bytes.toBytes("id1"));
    List<byte[]> bucketWrong = new ArrayList<>(List.of(many(20_000)));
    bucketWrong.replaceAll(row -> row[0] == 2 ? Bytes.add(row, new byte[] {'!'}) : row);
    Map.of("all", allWrong, "last", lastWrong, "bucket", bucketWrong)
        .forEach(
            (name, rows) -> {
              Throwable thrown = catchThrowable(() -> load(guarded, Map.of(), sorted(rows)));
              assertThat(Refusal.of(thrown)).as(name).contains(Refusal.UNSTAMPED);
            });
  }
}
