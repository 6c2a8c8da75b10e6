/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables migrated from the command line. */
@ExtendWith(EmbeddedHBaseExtension.class)
class MigrateCommandIT {
  private static final int ROWS = 500;
  private static final String ROOT = HConstants.HBASE_DIR;
  private static final String NEXT = "salt(3) + id:string";

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private String table;

  @BeforeEach
  void create(EmbeddedHBase shared, TestInfo info) throws IOException {
    hbase = shared;
    table =
        info.getTestMethod().orElseThrow().getName()
            + Integer.toHexString(info.getDisplayName().hashCode());
    done("plan", table, "--layout", "salt(2) + id:string", "--families", "d");
    done("create", table);
    StringBuilder lines = new StringBuilder("id,value\n");
    for (int i = 0; i < ROWS; i++) {
      lines.append("row-").append(i).append(',').append(i).append('\n');
    }
    Path records = Files.writeString(directory.resolve("records.csv"), lines);
    done(
        "import",
        table,
        "--csv",
        records.toString(),
        "--checkpoint",
        directory.resolve("checkpoint").toString());
  }

  private Run run(String... arguments) {
    return Run.on(hbase, arguments);
  }

  private Run done(String... arguments) {
    return run(arguments).done();
  }

  @Test
  void aTableIsMigratedStepByStep() throws Exception {
    Run ready = done("migrate", table, "--yes", "--layout", NEXT, "--regions", "3");
    assertThat(ready.err())
        .containsSubsequence(
            "preparing: ",
            "copying: ",
            "copying " + table + ": 100 %",
            "500 rows",
            "verifying: ",
            "verifying " + table + ": 100 %",
            "500 rows",
            "ready: ");
    assertThat(ready.out())
        .contains("stage       ready", "copied      1 of 1 part, 500 rows, by files")
        .contains("--switch reads the next generation; --rollback returns to the old one");
    Run again = run("migrate", table, "--yes", "--layout", "id:string");
    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err()).contains("is being migrated already: table=" + table + " stage=ready");
    JsonNode status = done("migrate", table, "--status", "--json").json();
    assertThat(status.path("stage").asText()).isEqualTo("ready");
    assertThat(status.path("fence").asText()).isEqualTo("guard");
    assertThat(status.path("copied_rows").asLong()).isEqualTo(ROWS);
    assertThat(status.path("generation").asText()).isEqualTo(table);
    assertThat(done("migrate", table, "--switch").out()).contains("stage       switched");
    String checkpoint = directory.resolve("verify").toString();
    assertThat(done("verify", table + ".g2", "--against", table, "--checkpoint", checkpoint).out())
        .contains("same");
    Run finished = done("migrate", table, "--finish");
    assertThat(finished.out())
        .contains("generation  " + table + ".g2", "the old generation is kept, closed to clients");
    assertThat(done("count", table).out()).contains("500");
    Run back = run("migrate", table, "--rollback");
    assertThat(back.exit()).isEqualTo(1);
    assertThat(back.err())
        .contains("migration cannot reach this goal", "migrate it to the old layout");
  }

  /** As many tables begin: keys of their own, and one region, which has all the load. */
  @Test
  void aHotTableOfOneRegionIsShownAndSpread(Connection plain) throws Exception {
    TableName hot = TableName.valueOf(table + "_hot");
    TableName next = TableName.valueOf(hot + ".g2");
    try (Admin admin = plain.getAdmin();
        Table rows = plain.getTable(hot)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(hot)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
      for (long i = 0; i < ROWS; i++) {
        rows.put(new Put(Bytes.toBytes(i)).addColumn(Bytes.toBytes("d"), null, Bytes.toBytes(i)));
      }
      String[] migrate = {"migrate", hot.toString(), "--layout", "salt(6) + key:bytes"};
      assertThat(done(migrate).out())
          .contains(
              "rows        500 rows, ",
              "regions     1 now, 6 afterwards, on 3 servers (one region per bucket",
              "setting     DATA_BLOCK_ENCODING ROW_INDEX_V1",
              "disk        ",
              " on HBase's file system",
              "time        about ",
              "pause       writes: about ",
              "not begun yet: repeat the command with --yes");
      assertThat(run("migrate", hot.toString(), "--status").err()).contains("never migrated");
      assertThat(admin.tableExists(next)).isFalse();
      JsonNode shown = done(and(migrate, "--regions", "1", "--json")).json();
      assertThat(shown.get("begun").asBoolean()).isFalse();
      assertThat(shown.get("rows").asLong()).isEqualTo(ROWS);
      assertThat(shown.get("free_megabytes").asDouble()).isPositive();
      assertThat(shown.at("/warnings/0").asText()).contains("2 of the servers get no bucket");
      assertThat(shown.get("obstacles")).isEmpty();

      Run finished = done(and(migrate, "--yes", "--switch", "--finish", "--rename"));
      assertThat(finished.out())
          .contains("copied      1 of 1 part, 500 rows, by files", "renamed     by a clone")
          .doesNotContain(" 0 rows, by");
      assertThat(admin.getDescriptor(hot).getColumnFamilies()[0].getDataBlockEncoding())
          .isEqualTo(DataBlockEncoding.ROW_INDEX_V1);
      List<RegionInfo> regions = admin.getRegions(hot);
      assertThat(regions).hasSize(6);
      for (RegionInfo region : regions) {
        Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
        scan.setAttribute(GuardAttributes.RAW, GuardAttributes.number(1));
        try (ResultScanner scanner = rows.getScanner(scan)) {
          assertThat(scanner).as(region.toString()).hasSizeGreaterThan(ROWS / 12);
        }
      }
    }
  }

  private static String[] and(String[] arguments, String... more) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void aTableThatOthersWriteIsMigratedWhenTheyHaveStopped(Connection plain) throws Exception {
    TableName name = TableName.valueOf(table);
    try (Admin admin = plain.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue("EVENKEY_RAW_WRITES", "allow")
              .build());
      refused(2, "--others-stopped is for a new migration", "--others-stopped", "--resume");
      refused(1, "EVENKEY_RAW_WRITES=allow; if they have stopped", "--layout", NEXT);
      done("migrate", table, "--yes", "--layout", NEXT, "--others-stopped", "--by", "puts");
      for (TableName generation : List.of(name, TableName.valueOf(table + ".g2"))) {
        assertThat(admin.getDescriptor(generation).getValue("EVENKEY_RAW_WRITES")).isNull();
      }
      done("migrate", table, "--rollback");
    }
  }

  @Tag("ci")
  @Test
  void aTableToWhichAnotherClusterReplicatedIsMigratedWhenThatHasEnded(Connection plain)
      throws Exception {
    String replicates = "another cluster replicates to the table";
    String first = "--replication-ended is for a new migration or --rename";
    refused(2, first, "--replication-ended", "--resume");
    replicate(plain, TableName.valueOf(table), Layout.parse("salt(2) + id:string"));
    refused(1, replicates, "--layout", NEXT);
    refused(1, "say that the replication has ended (--replication-ended)", "--layout", NEXT);
    assertThat(done("migrate", table, "--layout", NEXT, "--replication-ended").out())
        .contains("not begun yet");
    refused(1, replicates, "--layout", NEXT);
    done(
        "migrate",
        table,
        "--yes",
        "--layout",
        NEXT,
        "--by",
        "puts",
        "--finish",
        "--replication-ended");
    replicate(plain, TableName.valueOf(table + ".g2"), Layout.parse(NEXT));
    refused(1, replicates, "--rename");
    done("migrate", table, "--rename", "--replication-ended");
  }

  private static void replicate(Connection plain, TableName name, Layout layout)
      throws IOException {
    Put put = new Put(layout.encode(Values.of("id", "row-1")));
    put.addColumn(Bytes.toBytes("d"), Bytes.toBytes("value"), Bytes.toBytes("7"));
    put.setClusterIds(List.of(new UUID(1, 2)));
    try (Table open = plain.getTable(name)) {
      open.put(put);
    }
  }

  @Test
  void aTableIsMigratedAtOnceAndRolledBack() {
    assertThat(done("migrate", table, "--yes", "--layout", NEXT, "--by", "puts", "--finish").out())
        .contains("stage       finished");
    assertThat(done("migrate", table, "--yes", "--layout", "id:string", "--switch").out())
        .contains("source      " + table + ".g2", "target      " + table + ".g3");
    assertThat(done("migrate", table, "--rollback").out())
        .contains("stage       rolled back", "generation  " + table + ".g2")
        .endsWith("evenkey migrate " + table + " --layout … begins again\n");
    assertThat(run("migrate", table, "--switch").err())
        .contains(
            "it was rolled back, and has ended: ", "'evenkey migrate " + table + " --layout …'")
        .doesNotContain("--resume");
    assertThat(done("count", table).out()).contains("500");
  }

  @Test
  void theRowKeyOfALiveTableIsChanged() throws Exception {
    String next = "salt(3) + value:int64 desc + id:string";
    refused(2, "--from names columns of another row key", "--layout", next, "--from", "value=d:v");
    refused(1, "have the row key changed (--change-key)", "--layout", next);
    Run ready =
        done(
            "migrate", table, "--yes", "--layout", next, "--change-key", "--from", "value=d:value");
    assertThat(ready.out())
        .contains(
            "key before  id:string",
            "key after   value:int64 desc + id:string",
            "from        value=d:value",
            "from --switch on, each one is rejected until it builds the new keys",
            "evenkey.key." + table + "=value:int64 desc + id:string");
    JsonNode status = done("migrate", table, "--status", "--json").json();
    JsonNode change = status.path("key_change");
    assertThat(change.path("columns").asText()).isEqualTo("value=d:value");
    assertThat(change.path("keys_table").asText()).isEqualTo(table + ".g2.keys");
    assertThat(change.path("layout_before").asText()).isEqualTo("salt(2) + id:string");
    assertThat(done("migrate", table, "--finish").out())
        .contains("evenkey index add " + table + " by_key_before 'salt(2) + id:string'");
    assertThat(done("scan", table, "--limit", "2").out()).contains("row-499", "row-498");
    done("index", "add", table, "by_key_before", "salt(2) + id:string");
    assertThat(done("scan", table, "--by", "by_key_before", "--limit", "2").out())
        .contains("row-0", "row-1");
  }

  /** The layout before would be refused: an index of reversed keys has no order. */
  @Tag("ci")
  @Test
  void theCommandForTheKeyBeforeIsOneThatTheTableAccepts() throws Exception {
    done("migrate", table, "--yes", "--layout", "reverse(id:string)", "--by", "puts", "--finish");
    Run finished =
        done(
            "migrate",
            table,
            "--yes",
            "--layout",
            "salt(3) + value:int64 desc + id:string",
            "--change-key",
            "--from",
            "value=d:value",
            "--by",
            "puts",
            "--finish");
    String command = "evenkey index add " + table + " by_key_before 'salt(8) + id:string'";
    assertThat(finished.out()).contains("rows in the order of the old key: " + command);
    assertThat(done("migrate", table, "--status", "--json").json().at("/key_change/index_command"))
        .hasToString('"' + command + '"');
    done("index", "add", table, "by_key_before", "salt(8) + id:string");
    Run read = done("scan", table, "--by", "by_key_before", "--limit", "2");
    assertThat(read.out()).contains("row-0", "row-1");
  }

  @ParameterizedTest
  @ValueSource(strings = "files")
  void anEmptyTableIsMigrated(String by) {
    String empty = table + "_empty";
    done("plan", empty, "--layout", "salt(2) + id:string", "--families", "d,e");
    done("create", empty);
    Run plain = done("migrate", empty, "--yes", "--layout", "id:string", "--by", by, "--finish");
    assertThat(plain.out()).contains("0 rows, by " + by);
    assertThat(done("count", empty).out()).contains("0");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"puts", "snapshot"})
  void anEmptyTableIsMigratedByOtherWaysToo(String by) {
    anEmptyTableIsMigrated(by);
  }

  @Test
  void thePaceIsSetWithoutAdvancingTheMigration() throws Exception {
    done("migrate", table, "--yes", "--layout", NEXT);
    Run slower = done("migrate", table, "--pace", "100", "--latency", "20");
    assertThat(slower.out()).contains("stage       ready", "pace        100 rows/s, reads within");
    JsonNode status = done("migrate", table, "--status", "--json").json();
    assertThat(status.path("rows_per_second").asLong()).isEqualTo(100);
    assertThat(status.path("latency_ms").asLong()).isEqualTo(20);
  }

  private void refused(int exit, String message, String... options) {
    List<String> all = new ArrayList<>(List.of("migrate", table));
    all.addAll(List.of(options));
    if (all.contains("--layout")) {
      all.add("--yes");
    }
    Run run = run(all.toArray(new String[0]));
    assertThat(run.err()).as(String.join(" ", options)).contains(message).doesNotContain("\tat ");
    assertThat(run.exit()).as(run.err()).isEqualTo(exit);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void theCommandRefusesImpossibleRequests() {
    refused(1, "table was never migrated: table=" + table, "--resume");
    refused(1, "table was never migrated: table=" + table, "--status");
    refused(1, "id:string", "--layout", "salt(3) + other:int64");
    refused(1, "cannot be read", "--layout", NEXT, "--by", "snapshot", "-D", ROOT + "=/nowhere");
    refused(1, "random", "--layout", "salt(3, random) + id:string");
    refused(2, "^", "--layout", "salt(3 + id:string");
    refused(2, "nothing to do");
    refused(2, "give one of", "--rollback", "--switch");
    refused(2, "give one of", "--resume", "--status");
    refused(2, "--layout", "--by", "puts", "--resume");
    refused(2, "give 0 or more rows a second", "--pace", "-1");
    refused(2, "give 0 or more milliseconds", "--latency", "-1");
    refused(2, "give 1 region or more", "--layout", NEXT, "--regions", "0");
    refused(2, "rows=500", "--layout", "id:string", "--regions", "501");
    assertThat(done("count", table).out()).contains("500");
  }
}
