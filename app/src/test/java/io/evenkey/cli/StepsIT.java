/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Stamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a table whose salt has a step. */
@ExtendWith(EmbeddedHBaseExtension.class)
class StepsIT {
  private static final int ROWS = 2_000;
  private static final String KEY = "ts:timestamp + id:int64";
  private static final String STEPS = "salt(4; 12 from ts 1970-01-01T00:00:01.200Z) + " + KEY;

  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final long TEN_DAYS_MS = Duration.ofDays(10).toMillis();

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection plain;
  private String table;

  @BeforeEach
  void open(EmbeddedHBase shared, Connection connection, TestInfo info) {
    hbase = shared;
    plain = connection;
    table =
        info.getTestMethod().orElseThrow().getName()
            + Integer.toHexString(info.getDisplayName().hashCode());
  }

  private Run run(String... arguments) {
    return Run.on(hbase, arguments);
  }

  private Run done(String... arguments) {
    return run(arguments).done();
  }

  /** One record per millisecond. */
  private void load(String layout) throws IOException {
    done("plan", table, "--layout", layout, "--families", "d");
    done("create", table);
    StringBuilder lines = new StringBuilder("ts,id,value\n");
    for (int i = 0; i < ROWS; i++) {
      lines.append(i).append(',').append(i % 7).append(',').append(i).append('\n');
    }
    Path records = Files.writeString(directory.resolve("records.csv"), lines);
    String checkpoint = directory.resolve("checkpoint").toString();
    done("import", table, "--csv", records.toString(), "--checkpoint", checkpoint);
  }

  @Tag("long")
  @Test
  void rowsOfBothStepsAreWrittenAndReadInOrder() throws Exception {
    load(STEPS);
    try (Admin admin = plain.getAdmin()) {
      TableName name = TableName.valueOf(table);
      assertThat(admin.getRegions(name)).as("a region for each bucket").hasSize(12);
      assertThat(TableLayout.of(admin.getDescriptor(name))).hasToString(STEPS);
    }
    assertThat(done("count", table).out()).isEqualTo("2000\n");
    assertThat(done("count", table, "--where", "ts < 1200").out()).isEqualTo("1200\n");
    assertThat(done("count", table, "--where", "ts between 1100 and 1299").out())
        .isEqualTo("200\n");
    JsonNode across =
        done("scan", table, "--where", "ts >= 1195", "--limit", "10", "--json").json();
    List<Integer> times = new ArrayList<>();
    across.get("rows").forEach(row -> times.add(row.get("ts").asInt()));
    assertThat(times).isEqualTo(IntStream.range(1195, 1205).boxed().toList());
    assertThat(done("get", table, "ts=1199", "id=" + 1199 % 7).out()).contains("1199");
    assertThat(done("get", table, "ts=1200", "id=" + 1200 % 7).out()).contains("1200");
    assertThat(done("verify", table).out()).endsWith("sound\n");
  }

  @Tag("long")
  @Test
  void aTableIsMigratedToStepsAndToAnotherSalt() throws Exception {
    migrateToSteps("files");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"puts", "snapshot"})
  void aTableIsMigratedToStepsAndToAnotherSaltByOtherMeans(String by) throws Exception {
    migrateToSteps(by);
  }

  private void migrateToSteps(String by) throws Exception {
    load("salt(4) + " + KEY);
    done("migrate", table, "--yes", "--layout", STEPS, "--copy", "--by", by, "--finish");
    assertThat(done("count", table).out()).isEqualTo("2000\n");
    assertThat(done("count", table, "--where", "ts >= 1200").out()).isEqualTo("800\n");
    assertThat(done("verify", table).out()).contains(STEPS).endsWith("sound\n");
    done("migrate", table, "--yes", "--layout", "salt(5) + " + KEY, "--by", by, "--finish");
    assertThat(done("count", table).out()).isEqualTo("2000\n");
    assertThat(done("verify", table).out()).endsWith("sound\n");
  }

  @Tag("long")
  @Test
  void aTableGrowsByTheEarliestStepWithoutACopy() throws Exception {
    load("salt(4) + " + KEY);
    assertThat(run("migrate", table, "--yes", "--layout", STEPS).err())
        .contains("rows at or after the step are stored already")
        .contains("highest=1970-01-01T00:00:01.999Z; the earliest value that works now is 20");
    JsonNode shown = done("grow", table, "--buckets", "12", "--json").json();
    assertThat(shown.get("taken").asBoolean()).isFalse();
    JsonNode taken = done("grow", table, "--buckets", "12", "--yes", "--json").json();
    assertThat(taken.get("taken").asBoolean()).isTrue();
    assertThat(taken.get("migration").get("stage").asText()).isEqualTo("finished");
    String after = taken.get("after").asText();
    assertThat(after).startsWith("salt(4; 12 from ts 20");
    assertThat(done("migrate", table, "--status").out())
        .contains("after       " + after)
        .contains("rewritten   0 rows");
    TableName name = TableName.valueOf(table);
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.getRegions(name)).as("a region for each bucket").hasSize(12);
      assertThat(TableLayout.of(admin.getDescriptor(name))).hasToString(after);
      assertThat(admin.tableExists(TableName.valueOf(table + ".g2"))).isFalse();
    }
    assertThat(done("count", table).out()).isEqualTo("2000\n");
    done("put", table, "ts=2150-01-01", "id=1", "d:value=late");
    assertThat(done("scan", table, "--where", "ts >= 2100-01-01").out()).contains("late");
    assertThat(done("verify", table).out()).endsWith("sound\n");
    assertThat(run("grow", table, "--buckets", "300").err()).contains("300");
  }

  @Tag("long")
  @Test
  void regionsOfAnEarlierStepAreMergedAwayWhenTheirRowsHaveExpired() throws Exception {
    Layout layout = Layout.parse("salt(6; 2 from ts 2020-01-01) + " + KEY);
    done("plan", table, "--layout", layout.toString(), "--families", "d");
    done("create", table);
    assertThat(run("regions", table, "--tidy").err())
        .contains("rows do not expire")
        .contains("family=d; set TTL");
    TableName name = TableName.valueOf(table);
    try (Admin admin = plain.getAdmin();
        Table stored = plain.getTable(name)) {
      expireAfterDays(admin, name);
      long now = System.currentTimeMillis();
      for (long i = 0; i < 300; i++) {
        byte[] row = layout.encode(Values.of("ts", i).and("id", i));
        long written = layout.label(row).startsWith("bucket 4") ? now : now - TEN_DAYS_MS;
        Put put = new Put(row).addColumn(FAMILY, FAMILY, written, FAMILY);
        stored.put(put.setAttribute(GuardAttributes.LAYOUT, Stamp.of(layout)));
      }
      List<String> before = regions(admin, name);
      JsonNode shown = done("regions", table, "--tidy", "--json").json();
      assertThat(shown.get("merged").asBoolean()).isFalse();
      assertThat(shown.get("merges").findValuesAsText("into"))
          .containsExactly(before.get(1), before.get(4));
      assertThat(regions(admin, name)).isEqualTo(before);

      long rows = mergeUnderAWriter(layout);
      assertThat(regions(admin, name)).hasSize(3).contains(before.get(0));
      assertThat(done("regions", table, "--tidy").out())
          .startsWith("no region of an earlier step is empty: with_rows=1");
      assertThat(done("count", table, "--where", "ts >= 2026-01-01").out()).isEqualTo(rows + "\n");
    }
    assertThat(done("verify", table).out()).endsWith("sound\n");
    assertThat(run("regions", table, "--yes").exit()).isEqualTo(2);
  }

  /** The number of rows that a client has written meanwhile. */
  private long mergeUnderAWriter(Layout layout) throws Exception {
    long begin = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    CountDownLatch writing = new CountDownLatch(20);
    AtomicBoolean merged = new AtomicBoolean();
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable open = tables.open(TableName.valueOf(table));
      CompletableFuture<Long> writer =
          CompletableFuture.supplyAsync(
              () -> {
                long rows = 0;
                for (; !merged.get(); rows++) {
                  write(open, layout.logicalKey(Values.of("ts", begin + rows).and("id", rows)));
                  writing.countDown();
                }
                return rows;
              });
      writing.await();
      assertThat(done("regions", table, "--tidy", "--yes").out())
          .contains("regions     6, 3 now that these are merged")
          .contains("kept        1 of earlier steps that have rows");
      merged.set(true);
      return writer.get();
    }
  }

  private static void write(SpreadTable open, byte[] key) {
    try {
      open.put(new Put(key).addColumn(FAMILY, FAMILY, FAMILY));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void expireAfterDays(Admin admin, TableName name) throws IOException {
    ColumnFamilyDescriptor family = admin.getDescriptor(name).getColumnFamilies()[0];
    admin.modifyColumnFamily(
        name,
        ColumnFamilyDescriptorBuilder.newBuilder(family)
            .setTimeToLive((int) Duration.ofDays(5).toSeconds())
            .build());
  }

  private static List<String> regions(Admin admin, TableName name) throws IOException {
    return admin.getRegions(name).stream()
        .sorted(RegionInfo.COMPARATOR)
        .map(RegionInfo::getEncodedName)
        .toList();
  }

  @Tag("long")
  @Test
  void aTableOfOthersWithAStepIsAdopted() throws Exception {
    Layout theirs = Layout.parse(STEPS);
    TableName name = TableName.valueOf(table);
    byte[] family = Bytes.toBytes("d");
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
    }
    try (Table stored = plain.getTable(name)) {
      for (long i = 0; i < 300; i++) {
        byte[] row = theirs.encode(Values.of("ts", 5 * i).and("id", i));
        stored.put(new Put(row).addColumn(family, family, row));
      }
    }
    assertThat(run("adopt", table, "--layout", STEPS.replace("01.200", "01.100")).err())
        .contains("layout does not fit: table=" + table);
    String later = STEPS.replace(")", ", 20 from ts 1970-01-02)");
    assertThat(done("adopt", table, "--layout", later).out())
        .contains("note: none of the rows read belongs to the step: 20 buckets from ts 1970-01-02");
    assertThat(done("adopt", table, "--layout", STEPS, "--record").out())
        .contains("recorded: " + STEPS)
        .doesNotContain("note:");
    assertThat(done("count", table, "--where", "ts >= 1200").out()).isEqualTo("60\n");
    assertThat(done("verify", table).out()).endsWith("sound\n");
  }
}
