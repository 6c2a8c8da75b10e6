/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two tables compared, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ComparisonIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 20_000;

  @TempDir private Path directory;
  private Connection connection;
  private SpreadTables tables;
  private SpreadTable first;
  private SpreadTable second;
  private long time = 1_000;

  @BeforeEach
  void create(Connection shared, TestInfo info) throws IOException {
    connection = shared;
    tables = SpreadTables.on(shared);
    String name = info.getTestMethod().orElseThrow().getName();
    first = table(name + "_a", "device:string + n:int64");
    second = table(name + "_b", "salt(7, device) + device:string + n:int64");
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private SpreadTable table(String name, String line) throws IOException {
    Layout layout = Layout.parse(line);
    SplitPlan splits =
        layout.isPlain() ? new SplitPlan(SplitAlgorithm.SAMPLE, List.of()) : layout.splits(7);
    SpreadTable table = tables.create(TableName.valueOf(name), layout, splits, List.of("d"));
    try (Admin admin = connection.getAdmin()) {
      admin.modifyColumnFamily(
          table.name(), ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).build());
    }
    return table;
  }

  private static byte[] key(int n) {
    return Layout.parse("device:string + n:int64")
        .logicalKey(Values.of(Map.of("device", "d" + n % 37, "n", n)));
  }

  private static Put put(int n, long timestamp, String value) {
    return new Put(key(n)).addColumn(FAMILY, QUALIFIER, timestamp, Bytes.toBytes(value));
  }

  private void fill() throws IOException {
    try (SpreadMutator a = first.mutator();
        SpreadMutator b = second.mutator()) {
      for (int n = 0; n < ROWS; n++) {
        for (int version = 1; version <= 1 + n % 3; version++) {
          a.put(put(n, version, "v" + version));
          b.put(put(n, version, "v" + version));
        }
      }
    }
  }

  private ComparisonOptions options(boolean resume) {
    return options(resume, Duration.ofMillis(50));
  }

  private ComparisonOptions options(boolean resume, Duration pause) {
    return ComparisonOptions.DEFAULT
        .checkpoint(directory.resolve("checkpoint"), Duration.ZERO)
        .resume(resume)
        .looks(2, pause)
        .most(1_000);
  }

  private ComparisonResult compare() throws IOException {
    return Comparison.of(first, second, options(false)).run(rows -> {});
  }

  @Test
  void tablesWithTheSameRowsAreTheSameHoweverSpread() throws IOException {
    fill();
    ComparisonResult result = compare();
    assertThat(result.isSame()).isTrue();
    assertThat(result.rows()).isEqualTo(ROWS);
    assertThat(result.otherRows()).isEqualTo(ROWS);
    assertThat(result.cells()).as("all versions").isGreaterThan(ROWS * 19L / 10);
  }

  @Test
  void everyKindOfDifferenceIsFoundAndRepaired() throws IOException {
    fill();
    second.delete(new Delete(key(11)));
    second.put(put(ROWS + 1, 5, "extra"));
    second.put(put(12, 1, "other value"));
    second.put(put(13, 9, "v1"));
    first.put(put(ROWS + 2, 5, "missing"));
    first.put(put(15, 7, "newer"));
    ComparisonResult result = compare();
    assertThat(result.differences())
        .extracting(difference -> difference.kind() + " " + difference.label())
        .containsExactlyInAnyOrder(
            "MISSING device=d11 · n=11",
            "CELLS device=d12 · n=12",
            "CELLS device=d13 · n=13",
            "CELLS device=d15 · n=15",
            "EXTRA device=d" + (ROWS + 1) % 37 + " · n=" + (ROWS + 1),
            "MISSING device=d" + (ROWS + 2) % 37 + " · n=" + (ROWS + 2));
    List<Difference> left =
        Comparison.of(first, second, options(false)).repair(result.differences());
    assertThat(left)
        .as("a tombstone hides what is written under it")
        .extracting(Difference::label)
        .containsExactly("device=d11 · n=11");
    assertThat(compare().differences()).hasSize(1);
  }

  @Tag("long")
  @Test
  void anInterruptedComparisonGoesOnWhereItWas() throws IOException {
    fill();
    second.put(put(1, 99, "early"));
    second.put(put(36 + 37 * 500, 99, "late"));
    Comparison killed = Comparison.of(first, second, options(false));
    assertThatThrownBy(
            () ->
                killed.run(
                    rows -> {
                      if (rows > ROWS / 2) {
                        throw new IllegalStateException("killed");
                      }
                    }))
        .hasMessage("killed");
    assertThatThrownBy(() -> Comparison.of(first, second, options(false)))
        .isInstanceOf(ComparisonException.class)
        .hasMessageContaining("resume the comparison");
    assertThatThrownBy(() -> Comparison.of(second, first, options(true)))
        .hasMessageContaining("checkpoint of another comparison");
    List<Long> seen = new ArrayList<>();
    ComparisonResult result = Comparison.of(first, second, options(true)).run(seen::add);
    assertThat(seen.get(0)).as("not from the beginning").isGreaterThan(ROWS / 4);
    assertThat(result.rows()).as("none twice").isEqualTo(ROWS);
    assertThat(result.differences())
        .extracting(Difference::label)
        .containsExactlyInAnyOrder("device=d1 · n=1", "device=d36 · n=" + (36 + 37 * 500));
    assertThat(directory.resolve("checkpoint")).doesNotExist();
  }

  /** Writes at a time that goes up by one with each write. */
  @FunctionalInterface
  private interface Writer {
    void write(long time) throws IOException;
  }

  private List<Difference> comparedUnder(Writer writer) throws IOException {
    // Longer than a writer is likely to be held up.
    return comparedUnder(writer, options(false, Duration.ofMillis(500)));
  }

  private List<Difference> comparedUnder(Writer writer, ComparisonOptions patient)
      throws IOException {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger writes = new AtomicInteger();
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try {
                while (!stop.get()) {
                  writer.write(time++);
                  writes.incrementAndGet();
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      // Else a comparison might be over before anything is written.
      await().atMost(Duration.ofMinutes(1)).until(() -> writes.get() > 0 || writing.isDone());
      return Comparison.of(first, second, patient).run(rows -> {}).differences();
    } finally {
      stop.set(true);
      writing.join();
    }
  }

  @Tag("long")
  @Test
  void rowsThatAreBeingWrittenAreNotCalledDifferent() throws IOException {
    fill();
    Random random = new Random(5);
    for (int i = 0; i < 3; i++) {
      assertThat(
              comparedUnder(
                  at -> {
                    Put put = put(random.nextInt(ROWS), at, "t" + at);
                    first.put(put);
                    second.put(put);
                  }))
          .isEmpty();
    }
  }

  @Tag("long")
  @Test
  void aRowThatIsWrittenToAllTheTimeIsSeenAlikeOnce() throws IOException {
    first.put(put(1, 1, "v1"));
    second.put(put(1, 1, "v1"));
    for (int i = 0; i < 5; i++) {
      assertThat(
              comparedUnder(
                  at -> {
                    first.put(put(1, at, "t" + at));
                    second.put(put(1, at, "t" + at));
                  }))
          .isEmpty();
    }
  }

  @Tag("long")
  @Test
  void aRowThatIsWrittenToOnlyInOneTableIsDifferent() throws IOException {
    first.put(put(1, 1, "v1"));
    second.put(put(1, 1, "v1"));
    assertThat(comparedUnder(at -> first.put(put(1, at, "t" + at))))
        .extracting(Difference::kind)
        .containsExactly(Difference.Kind.CELLS);
  }

  @Tag("long")
  @Test
  void aRowThatIsNeverAlikeNorAtRestIsSaidToBeBusy() throws IOException {
    first.put(put(1, 1, "v1"));
    second.put(put(1, 1, "v1"));
    Writer writer =
        at -> {
          first.put(put(1, at, "t" + at));
          second.put(put(1, at, "other"));
        };
    assertThat(comparedUnder(writer))
        .extracting(Difference::kind)
        .containsExactly(Difference.Kind.BUSY);
    assertThat(comparedUnder(writer, options(false, Duration.ofMillis(500)).sparingBusy()))
        .isEmpty();
  }

  @Test
  void tablesThatCannotBeComparedAreRefused() throws IOException {
    SpreadTable other = table("other_fields", "n:int64 + device:string");
    assertThatThrownBy(() -> Comparison.of(first, other, options(false)))
        .isInstanceOf(ComparisonException.class)
        .hasMessageContaining("only tables of the same fields in the same order");
    SpreadTable reversed = table("other_order", "salt(7) + reverse(n:int64)");
    SpreadTable same = table("other_plain", "n:int64");
    assertThat(Comparison.of(same, reversed, options(false)).run(rows -> {}).isSame()).isTrue();
    SpreadTable free = table("other_free", "salt(7, random) + n:int64");
    assertThatThrownBy(() -> Comparison.of(same, free, options(false)))
        .hasMessageContaining("random salt");
  }

  @Tag("long")
  @Test
  void tablesWithoutACommonOrderAreComparedByLookingRowsUp() throws IOException {
    SpreadTable hashed = table("hashed", "md5(device)[0..3]:bytes + device:string + n:int64");
    for (int n = 0; n < 3_000; n++) {
      first.put(put(n, 1, "v"));
      hashed.put(put(n, 1, n == 77 ? "other" : "v"));
    }
    first.put(put(5_000, 1, "missing"));
    hashed.put(put(6_000, 1, "extra"));
    Comparison comparison = Comparison.of(first, hashed, options(false));
    ComparisonResult result = comparison.run(rows -> {});
    assertThat(result.rows()).isEqualTo(3_001);
    assertThat(result.otherRows()).isEqualTo(3_001);
    assertThat(result.differences().stream().map(Difference::kind))
        .containsExactlyInAnyOrder(
            Difference.Kind.CELLS, Difference.Kind.MISSING, Difference.Kind.EXTRA);
    assertThat(comparison.repair(result.differences())).isEmpty();
  }

  @Tag("long")
  @Test
  void anInterruptedLookUpGoesOnInThePassThatItWasIn() throws IOException {
    SpreadTable hashed = table("hashed_twice", "md5(device)[0..3]:bytes + device:string + n:int64");
    try (SpreadMutator a = first.mutator();
        SpreadMutator b = hashed.mutator()) {
      for (int n = 0; n < 5_000; n++) {
        a.put(put(n, 1, n == 3 ? "other" : "v"));
        b.put(put(n, 1, "v"));
      }
    }
    hashed.put(put(6_000, 1, "extra"));
    long[] calls = {3, 8};
    for (long until : calls) {
      Comparison killed = Comparison.of(first, hashed, options(until == calls[1]));
      long[] call = {0};
      assertThatThrownBy(
              () ->
                  killed.run(
                      rows -> {
                        if (++call[0] == until) {
                          throw new IllegalStateException("killed");
                        }
                      }))
          .hasMessage("killed");
    }
    List<Long> seen = new ArrayList<>();
    ComparisonResult result = Comparison.of(first, hashed, options(true)).run(seen::add);
    assertThat(seen.get(0)).as("the first table is not read again").isEqualTo(5_000);
    assertThat(result.rows()).isEqualTo(5_000);
    assertThat(result.otherRows()).as("none twice").isEqualTo(5_001);
    assertThat(result.differences())
        .extracting(Difference::label)
        .containsExactlyInAnyOrder("device=d3 · n=3", "device=d" + 6_000 % 37 + " · n=6000");
    assertThat(directory.resolve("checkpoint")).doesNotExist();
  }

  @Test
  void rowsWithChangesAreFoundInTheFirstTable() throws IOException {
    first.put(put(1, 1, "before"));
    first.put(put(2, 7, "changed"));
    first.delete(new Delete(key(3)).addColumns(FAMILY, QUALIFIER, 8));
    second.put(put(4, 9, "only in the second"));
    Scan changes = new Scan().setRaw(true).setTimeRange(7, Long.MAX_VALUE);
    Comparison comparison = Comparison.of(first, second, ComparisonOptions.DEFAULT);
    List<byte[]> keys = new ArrayList<>();
    Comparison.changed(first, changes, keys::addAll);
    assertThat(keys).containsExactlyInAnyOrder(key(2), key(3));
    assertThat(comparison.differences(List.of(key(2), key(4))))
        .extracting(Difference::kind)
        .containsExactlyInAnyOrder(Difference.Kind.MISSING, Difference.Kind.EXTRA);
  }

  @Tag("long")
  @Test
  void timesToLiveAreComparedAndRepaired() throws IOException {
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(connection.getConfiguration()));
        SpreadTables whole = SpreadTables.on(tagged)) {
      SpreadTable a = whole.open(first.name());
      SpreadTable b = whole.open(second.name());
      long now = System.currentTimeMillis();
      a.put(put(1, now, "v").setTTL(3_600_000));
      b.put(put(1, now, "v"));
      Comparison comparison = Comparison.of(a, b, ComparisonOptions.DEFAULT);
      List<Difference> differences = comparison.run(rows -> {}).differences();
      assertThat(differences)
          .as("one of them never expires")
          .extracting(Difference::kind)
          .containsExactly(Difference.Kind.CELLS);
      assertThat(comparison.repair(differences)).isEmpty();
      assertThat(Comparison.of(a, b, ComparisonOptions.DEFAULT).run(rows -> {}).isSame()).isTrue();
    }
  }

  @Test
  void aRepairCarriesDeletionsWithTheirTypes() throws IOException {
    for (SpreadTable table : List.of(first, second)) {
      for (int version = 1; version <= 3; version++) {
        table.put(put(1, version, "v" + version));
      }
    }
    first.delete(new Delete(key(1)).addFamily(FAMILY, 2));
    Comparison comparison = Comparison.of(first, second, ComparisonOptions.DEFAULT);
    assertThat(comparison.repair(comparison.run(rows -> {}).differences())).isEmpty();
    // Older than the deletion: it hides this in both.
    for (SpreadTable table : List.of(first, second)) {
      table.put(put(1, 1, "late"));
    }
    assertThat(Comparison.of(first, second, ComparisonOptions.DEFAULT).run(rows -> {}).isSame())
        .isTrue();
    assertThat(second.get(new Get(key(1)).readAllVersions()).size()).isEqualTo(1);
  }

  @Tag("long")
  @Test
  void tooManyDifferencesEndIt() throws IOException {
    for (int n = 0; n < 3_000; n++) {
      first.put(put(n, 1, "v"));
    }
    ComparisonResult result = compare();
    assertThat(result.complete()).isFalse();
    assertThat(result.isSame()).isFalse();
    assertThat(result.differences()).hasSize(1_000);
  }

  @Test
  void rowsThatBecomeAlikeDoNotEndIt() throws Exception {
    for (int n = 0; n < 10; n++) {
      first.put(put(n, 1, "v"));
    }
    CompletableFuture<Void> late =
        CompletableFuture.runAsync(
            () -> {
              for (int n = 0; n < 10; n++) {
                try {
                  second.put(put(n, 1, "v"));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            },
            CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS));
    // Three rows are suspected, and read again until they are alike.
    ComparisonOptions options =
        ComparisonOptions.DEFAULT.most(3).looks(300, Duration.ofMillis(100));
    ComparisonResult result = Comparison.of(first, second, options).run(rows -> {});
    late.join();
    assertThat(result.isSame()).isTrue();
    assertThat(result.rows()).isEqualTo(10);
  }
}
