/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.layout.scatter.Condition.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.UnorderedScanException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.ReadCursor;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.layout.field.UnknownFieldException;
import io.evenkey.layout.split.SplitAlgorithm;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The operations of Evenkey's own API, blocking and asynchronous, and rows as Java records. */
@ExtendWith(EmbeddedHBaseExtension.class)
class OwnOperationsIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] COUNT = Bytes.toBytes("n");
  private static final byte[] TEXT = Bytes.toBytes("t");
  private static final byte[] CELSIUS = Bytes.toBytes("c");
  private static final String LINE = "salt(6, device) + device:string + ts:timestamp desc";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private SpreadTables tables;
  private TableName name;

  @BeforeEach
  void connect(EmbeddedHBase hbase, TestInfo test) throws IOException {
    tables = SpreadTables.on(hbase.connection());
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private SpreadTable create(String line) throws IOException {
    Layout layout = Layout.parse(line);
    return tables.create(
        name,
        layout,
        layout.buckets().isPresent() ? layout.splits(3) : SplitAlgorithm.UNIFORM.splits(3),
        List.of("d"));
  }

  private static byte[] key(SpreadTable table, String device, int minute) {
    return table
        .layout()
        .logicalKey(Values.of("device", device).and("ts", START.plusSeconds(60L * minute)));
  }

  @Test
  void countersValuesAndChecksChangeTheRowOfTheLogicalKey() throws IOException {
    SpreadTable table = create(LINE);
    byte[] row = key(table, "d1", 0);
    table.increment(new Increment(row).addColumn(FAMILY, COUNT, 3));
    Result counted = table.increment(new Increment(row).addColumn(FAMILY, COUNT, 4));
    assertThat(counted.getRow()).isEqualTo(row);
    assertThat(Bytes.toLong(counted.getValue(FAMILY, COUNT))).isEqualTo(7);
    table.append(new Append(row).addColumn(FAMILY, TEXT, Bytes.toBytes("a")));
    Result appended = table.append(new Append(row).addColumn(FAMILY, TEXT, Bytes.toBytes("b")));
    assertThat(Bytes.toString(appended.getValue(FAMILY, TEXT))).isEqualTo("ab");

    CheckAndMutate.Builder expected =
        CheckAndMutate.newBuilder(row).ifEquals(FAMILY, TEXT, Bytes.toBytes("ab"));
    Put changed = new Put(row).addColumn(FAMILY, TEXT, Bytes.toBytes("c"));
    assertThat(table.checkAndMutate(expected.build(changed)).isSuccess()).isTrue();
    assertThat(table.checkAndMutate(expected.build(changed)).isSuccess()).isFalse();

    table.mutate(
        RowMutations.of(
            List.of(
                new Delete(row).addColumns(FAMILY, TEXT),
                new Put(row).addColumn(FAMILY, CELSIUS, Bytes.toBytes(1.5)))));
    Result stored = table.get(new Get(row));
    assertThat(stored.containsColumn(FAMILY, TEXT)).isFalse();
    assertThat(stored.getValue(FAMILY, CELSIUS)).isEqualTo(Bytes.toBytes(1.5));
  }

  @Test
  void asynchronousOperationsDoTheSame() throws Exception {
    SpreadTable table = create(LINE);
    AsyncSpreadTable async = table.async();
    byte[] row = key(table, "d1", 0);
    byte[] other = key(table, "d2", 0);
    all(async.put(List.of(put(row, "x"), put(other, "y"))));
    async.put(put(row, "z")).get(30, TimeUnit.SECONDS);
    List<CompletableFuture<Result>> read = async.get(List.of(new Get(row), new Get(other)));
    all(read);
    assertThat(read.get(0).join().getRow()).isEqualTo(row);
    assertThat(Bytes.toString(read.get(0).join().getValue(FAMILY, TEXT))).isEqualTo("z");
    assertThat(Bytes.toString(read.get(1).join().getValue(FAMILY, TEXT))).isEqualTo("y");

    Increment one = new Increment(row).addColumn(FAMILY, COUNT, 1);
    assertThat(
            async.increment(one).thenCompose(r -> async.increment(one)).get(30, TimeUnit.SECONDS))
        .satisfies(r -> assertThat(Bytes.toLong(r.getValue(FAMILY, COUNT))).isEqualTo(2));
    Append more = new Append(row).addColumn(FAMILY, TEXT, Bytes.toBytes("!"));
    assertThat(Bytes.toString(async.append(more).join().getValue(FAMILY, TEXT))).isEqualTo("z!");
    CheckAndMutate check =
        CheckAndMutate.newBuilder(row).ifNotExists(FAMILY, CELSIUS).build(put(row, "new"));
    assertThat(async.checkAndMutate(check).join().isSuccess()).isTrue();
    async.mutate(RowMutations.of(List.of(new Delete(row)))).join();
    all(async.delete(List.of(new Delete(other))));
    async.delete(new Delete(other)).join();
    assertThat(table.get(List.of(new Get(row), new Get(other)))).allMatch(Result::isEmpty);
  }

  private static Put put(byte[] row, String text) {
    return new Put(row).addColumn(FAMILY, TEXT, Bytes.toBytes(text));
  }

  private static void all(List<? extends CompletableFuture<?>> futures) throws Exception {
    CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
  }

  @Test
  void oneRowUnderARandomSaltIsRefusedByBothForms() throws IOException {
    SpreadTable table = create("salt(4, random) + id:string");
    byte[] row = Bytes.toBytes("a");
    assertThatThrownBy(() -> table.get(new Get(row)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("random salt");
    assertThatThrownBy(() -> table.async().get(new Get(row)).join())
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("random salt");
    Increment one = new Increment(row).addColumn(FAMILY, COUNT, 1);
    assertThatThrownBy(() -> table.increment(one)).hasMessageContaining("random");
  }

  /** A row as an application has it. */
  private record Reading(String device, Instant ts, Double c, @SuppressWarnings("unused") int n) {
    private Reading {
      if (c != null && c > 100) {
        throw new IllegalArgumentException("too hot");
      }
    }
  }

  private record KeyOnly(String device, long ts) {}

  private SpreadTable readings() throws IOException {
    SpreadTable table = create(LINE);
    try (SpreadMutator mutator = table.mutator()) {
      for (int minute = 0; minute < 5; minute++) {
        for (String device : List.of("d1", "d2")) {
          Put put =
              new Put(key(table, device, minute)).addColumn(FAMILY, COUNT, Bytes.toBytes(minute));
          // A reading may lack its temperature.
          mutator.put(
              minute == 1 ? put : put.addColumn(FAMILY, CELSIUS, Bytes.toBytes(0.5 + minute)));
        }
      }
    }
    return table;
  }

  @Test
  void rowsAreReadAsRecords() throws IOException {
    SpreadTable table = readings();
    List<Reading> newest =
        table
            .selectAs(Reading.class, "d:c=c:float64", "d:n=n:int32")
            .where(field("device").eq("d2").and(field("ts").atMost(START.plusSeconds(120))))
            .list();
    assertThat(newest)
        .containsExactly(
            new Reading("d2", START.plusSeconds(120), 2.5, 2),
            new Reading("d2", START.plusSeconds(60), null, 1),
            new Reading("d2", START, 0.5, 0));
    try (Stream<KeyOnly> keys =
        table.selectAs(KeyOnly.class).where("device = 'd1'").reversed().limit(2).stream()) {
      assertThat(keys)
          .containsExactly(
              new KeyOnly("d1", START.toEpochMilli()),
              new KeyOnly("d1", START.toEpochMilli() + 60_000));
    }
    assertThat(table.selectAs(KeyOnly.class).after(ReadCursor.of(key(table, "d2", 1))).list())
        .isEqualTo(table.selectAs(KeyOnly.class).after(key(table, "d2", 1)).list());
    assertThat(table.selectAs(KeyOnly.class).after(key(table, "d2", 1)).list())
        .containsExactly(new KeyOnly("d2", START.toEpochMilli()));
  }

  private record Wrong(String device, String where) {}

  private record Narrow(String device, short ts) {}

  private record Full(String device, double c) {}

  @Test
  void aRecordThatDoesNotFitTheTableIsRefusedByName() throws IOException {
    SpreadTable table = readings();
    assertThatThrownBy(() -> table.selectAs(Wrong.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("component=where record=Wrong fields=device,ts")
        .hasMessageContaining("family:qualifier=where:type");
    assertThatThrownBy(() -> table.selectAs(KeyOnly.class, "d:c=c:float64"))
        .hasMessageContaining("column=d:c=c:float64 record=KeyOnly");
    assertThatThrownBy(() -> table.selectAs(Reading.class, "d:c=c:float64", "d:n=c:int32"))
        .hasMessageContaining("two columns of one name: name=c");
    assertThatThrownBy(() -> table.selectAs(Narrow.class).list())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("field=ts")
        .hasMessageContaining("short cannot hold");
    assertThatThrownBy(() -> table.selectAs(Full.class, "d:c=c:float64").list())
        .hasMessageContaining("no value for a primitive component: component=c type=double");
    table.put(
        new Put(key(table, "d0", 0))
            .addColumn(FAMILY, CELSIUS, Bytes.toBytes(200.0))
            .addColumn(FAMILY, COUNT, Bytes.toBytes(1)));
    assertThatThrownBy(
            () -> table.selectAs(Reading.class, "d:c=c:float64", "d:n=n:int32").limit(1).list())
        .hasMessageContaining("constructor of the record rejected a row")
        .hasMessageContaining("too hot");
  }

  @Test
  void fieldsOfARowAreTyped() throws IOException {
    SpreadTable table = readings();
    try (Stream<KeyedRow> rows = table.select().limit(1).stream()) {
      KeyedRow row = rows.findFirst().orElseThrow();
      assertThat(row.getString("device")).isEqualTo("d1");
      assertThat(row.getInstant("ts")).isEqualTo(START.plusSeconds(240));
      assertThat(row.getLong("ts")).isEqualTo(row.get("ts"));
      assertThatThrownBy(() -> row.get("tss"))
          .isInstanceOf(UnknownFieldException.class)
          .hasMessageContaining("fields=device,ts; did you mean ts?");
    }
  }

  @Test
  void aFailureNamesItsKindAndTable() throws IOException {
    SpreadTable table = create("reverse(id:digits(6)) + device:string");
    assertThatThrownBy(() -> table.scan(KeyRange.all(), ScanOptions.all()))
        .isInstanceOf(UnorderedScanException.class)
        .satisfies(
            e -> {
              EvenkeyFailure failure = EvenkeyFailure.in(new IOException(e)).orElseThrow();
              assertThat(failure.code()).isEqualTo("unordered-scan");
              assertThat(failure.table()).isEqualTo(name.getNameAsString());
              assertThat(failure.isRetriable()).isFalse();
            });
  }
}
